#!/bin/bash
# nysel path: columns, JSON, several classes, where results go, stops and refusals.
. "$(dirname "$0")/lib.inc"
few="--kernel rbf --bandwidth 1 --landmarks 60"

"$nysel" demo banana --write two.csv --rows 300 -q
"$nysel" demo waveform --write three.csv --rows 200 -q
"$nysel" demo sinc --write numbers.csv --rows 100 -q
expect 0 "path" path two.csv $few
check "CSV on standard output" test "$(head -1 out)" = output,lambda,C,active,objective,loo_error,radius_margin,kkt
check "summary on standard error" says err "leave-one-out error least at lambda"
cp out plain.csv
check "the rows are a path" python3 -c '
import csv
rows = [{k: float(v) if v else None for k, v in r.items() if k != "output"} for r in csv.DictReader(open("plain.csv"))]
assert len(rows) >= 44 and rows[0]["lambda"] == 1e7 and rows[-1]["lambda"] == 1e-6 and rows[0]["active"] == 300
for r, s in zip(rows, rows[1:]):
    assert 0.499 * r["lambda"] <= s["lambda"] < r["lambda"] and s["objective"] < r["objective"]
for r in rows:
    assert abs(r["C"] * r["lambda"] - 2) < 1e-12 and 0 <= r["loo_error"] <= 1 and r["kkt"] < 1e-8
    assert r["radius_margin"] is None
assert min(r["loo_error"] for r in rows) < 0.2'
expect 0 "to files" path two.csv $few --radius-margin -o path.csv --json path.json
check "summary on standard output" says out "regularization path of the l2-SVM, rbf kernel (300 rows, 2 inputs)"
check "nothing on standard error" empty err
check "JSON has the same rows, and the bound is one" python3 -c '
import csv, json
rows, report = list(csv.DictReader(open("path.csv"))), json.load(open("path.json"))
assert report["command"] == "path" and report["kernel"] == "rbf" and report["bandwidth"] == 1
assert report["options"]["machine"] == "l2svm" and report["seconds"]["path"] > 0 and len(rows) == len(report["rows"])
for c, j in zip(rows, report["rows"]):
    assert all(float(c[k]) == j[k] for k in c if k != "output") and c["output"] == j["output"]
    assert j["radius_margin"] >= j["loo_error"]'
check "the bound changes nothing else" bash -c 'diff <(cut -d, -f2-6 plain.csv) <(cut -d, -f2-6 path.csv)'
expect 0 "JSON on standard output" path two.csv $few --json -
check "and nothing else there" is_json out
expect 0 "a part of it" path two.csv $few --lambda-max 100 --lambda-min 1 --quiet
check "begins where every row is in the margin" test "$(sed -n 2p out | cut -d, -f4)" = 300
check "ends where it was told" test "$(tail -1 out | cut -d, -f2)" = 1
check "quiet" empty err
expect 0 "again" path two.csv $few
check "the same bits" cmp out plain.csv

expect 0 "beyond all precision" path two.csv $few --lambda-min 1e-40 -o deep.csv
check "ends before, and says so" says out "below, the precision is not enough"
check "with machines until there" python3 -c '
import csv
rows = list(csv.DictReader(open("deep.csv")))
assert 1e-40 < float(rows[-1]["lambda"]) < 1e-8
for r, s in zip(rows, rows[1:]): assert float(s["objective"]) <= float(r["objective"]) * 1.000001 and float(s["kkt"]) < 0.01'

expect 0 "three classes" path three.csv --kernel rbf --bandwidth zhang --landmarks 50 --lambda-min 1e-2
check "a path for each" test "$(tail -n +2 out | cut -d, -f1 | sort -u | wc -l)" = 3
expect 0 "pairs" path three.csv --kernel rbf --bandwidth 4 --landmarks 50 --lambda-min 1e-2 --multiclass ovo
check "named" bash -c "tail -n +2 out | cut -d, -f1 | sort -u | grep -c ' vs ' | grep -qx 3"
expect 0 "bandwidth and rank found" path two.csv --kernel rbf --landmarks 80 --rank auto --json -
check "and told" python3 -c '
import json; r = json.load(open("out")); assert r["bandwidth"] > 0 and 1 <= r["rank"] < 80, r["rank"]'
expect 0 "weights and classes" path two.csv $few --class-weight balanced
check "hold too" python3 -c '
import csv; assert max(float(r["kkt"]) for r in csv.DictReader(open("out"))) < 1e-8'

# The only row of its class is always wrong when it is left out, down to the hard margin and beyond all digits.
{ echo x,y,class; for i in $(seq 40); do echo "$((i % 7)).$i,$((i % 5)).$((i * 3)),a"; done; echo 9,9,b; } >one.csv
for kernel in "rbf --bandwidth 2" "poly --bandwidth 0.03" "poly --degree 5 --bandwidth 0.5"; do
    expect 0 "one row of a class, $kernel" path one.csv --kernel $kernel --radius-margin
    check "is never right" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert len(rows) > 20 and min(float(r["loo_error"]) for r in rows) >= 1 / 41 - 1e-12
assert all(float(r["radius_margin"]) >= 1 / 41 for r in rows)'
done
expect 0 "weights far apart" path two.csv $few --class-weight -1=1e-5,+1=1e4 --lambda-min 1e-3
check "the conditions hold" python3 -c '
import csv; assert max(float(r["kkt"]) for r in csv.DictReader(open("out"))) < 1e-6'
expect 1 "values beyond all digits" path two.csv --kernel poly --bandwidth 1e-40
check "says so" says err "no lambda suits the precision"
expect 2 "a rank without standard errors" train two.csv --machine l2svm --criterion radius-margin --rank auto
check "says what to use" says err "use span"

"$nysel" demo banana --write large.csv --rows 1500 -q || fail "demo --write"
for limit in 0.3 0.6 1.2 2.4 4.8 9.6; do # how long half a path takes here is not known: too short is status 1
    "$nysel" path large.csv --kernel rbf --bandwidth 0.3 --landmarks all --time-limit $limit --threads 1 -o part.csv 2>err
    status=$?
    [ $status -eq 1 ] || break
done
check "a stopped path" test $status -eq 3
check "is written as far as it got" bash -c '[ "$(wc -l <part.csv)" -gt 1 ] && ! tail -1 part.csv | grep -q ",1e-06,"'
expect 2 "numbers have no path" path numbers.csv
check "says so" says err "--task multiclass takes them for classes"
expect 2 "upside down" path two.csv --lambda-max 1 --lambda-min 2
check "says so" says err "--lambda-min 2 is not below --lambda-max 1"
expect 2 "a machine" path two.csv --machine svm
expect 2 "span of another machine" train two.csv --criterion span
check "says which" says err "--machine l2svm"
expect 1 "no such file" path none.csv
expect 2 "its own input" path two.csv -o two.csv
finish
