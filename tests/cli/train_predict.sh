#!/bin/bash
# The way of a newcomer: write data, train, predict, test, look; then the promises: reproducible, quiet, nothing
# half-written.
. "$(dirname "$0")/lib.inc"

expect 0 "demo list" demo list
check "it lists banana" says out banana
expect 0 "demo --write" demo banana --write train.csv --rows 300
check "300 rows and a header" test "$(wc -l <train.csv)" -eq 301
expect 0 "demo --write -" demo banana --write - --rows 300
check "standard output gets the same rows and nothing else" cmp train.csv out
expect 0 "demo --write with another seed" demo banana --write new.csv --rows 200 --seed 2
check "other rows" bash -c '! cmp -s <(head -100 train.csv) <(head -100 new.csv)'

expect 0 "train" train train.csv -o model.nysel --json report.json
check "the summary is on standard output" test -s out
check "no progress bar without a terminal" bash -c '! grep -q $'"'\\r'"' err'
check "the model is there" test -s model.nysel
check "--json FILE is JSON" is_json report.json
expect 0 "train --json -" train train.csv --json - --seed 1
check "standard output is JSON alone" is_json out
check "the summary moves to standard error" test "$(wc -l <err)" -gt 1
check "it says that nothing was saved" says err "model not saved: use -o FILE"

expect 0 "predict" predict model.nysel new.csv
check "header" test "$(head -1 out)" = prediction
check "one line per row" test "$(wc -l <out)" -eq 201
cp out first.csv
expect 0 "predict -o" predict model.nysel new.csv -o out.csv
check "file and standard output agree" cmp first.csv out.csv
check "standard output stays empty" empty out
expect 0 "predict --proba --scores" predict model.nysel new.csv --proba --scores
check "probabilities sum to 1 and their largest is the prediction" python3 - out <<'P'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert rows and "score_1" in rows[0]
for row in rows:
    p = {k[2:]: float(v) for k, v in row.items() if k.startswith("p_")}
    assert len(p) == 2 and abs(sum(p.values()) - 1) < 1e-9, row
    assert p[row["prediction"]] == max(p.values()), row
P
expect 0 "predict --json" predict model.nysel new.csv --proba --json
check "predict --json prints JSON" is_json out
expect 0 "predict from standard input" predict model.nysel new.csv
"$nysel" predict model.nysel - <new.csv >stdin.csv 2>err
check "standard input gives the same" cmp first.csv stdin.csv
gzip -k new.csv train.csv
expect 0 "predict from .gz" predict model.nysel new.csv.gz
check "gzip gives the same" cmp first.csv out
"$nysel" predict model.nysel new.csv 2>/dev/null | head -1 >head.csv
check "predict | head" test "$(cat head.csv)" = prediction

expect 0 "test" test model.nysel new.csv
check "it prints the error" grep -qi error out
expect 0 "test --json" test model.nysel new.csv --json
check "test --json prints JSON" is_json out
check "with rows, metrics and a small error" python3 -c '
import json; t = json.load(open("out")); assert t["rows"] == 200 and t["metrics"]["error"] < 0.25, t'
expect 0 "info of a model" info model.nysel
check "it prints something" test -s out
expect 0 "info of data" info train.csv
check "it tells the rows" says out 300
expect 0 "info --json" info train.csv --json -
check "info --json prints JSON" is_json out

# The same seed gives the same model, through any way of reading.
expect 0 "train again" train train.csv -o again.nysel --quiet
check "quiet prints nothing" bash -c '! test -s out && ! test -s err'
"$nysel" predict model.nysel new.csv --scores >a.csv 2>err
"$nysel" predict again.nysel new.csv --scores >b.csv 2>err
check "same seed, same bits" cmp a.csv b.csv
expect 0 "train from .gz" train train.csv.gz -o gz.nysel -q
"$nysel" predict gz.nysel new.csv --scores >b.csv 2>err
check "gzip gives the same model" cmp a.csv b.csv
"$nysel" train - -o stdin.nysel -q <train.csv
check "train from standard input" test $? -eq 0
"$nysel" predict stdin.nysel new.csv --scores >b.csv 2>err
check "standard input gives the same model" cmp a.csv b.csv

expect 0 "negative numbers are values" train train.csv --bandwidth -2:2:1 --C=-3:3:2 --search grid -q
expect 0 "a fixed point" train train.csv --bandwidth 0.5 --C 10 -q
expect 0 "-- ends the options" info -- train.csv

# Several classes
expect 0 "three classes" demo waveform --write waves.csv --rows 300
for coding in "moc hamming" "moc auto" "ovo loss" "ova hamming"; do
    read -r code decoding <<<"$coding"
    expect 0 "train by $coding" train waves.csv -o waves.nysel --multiclass "$code" --decoding "$decoding" \
        --landmarks 50 --kernel rbf --json waves.json -q
    check "the report tells" python3 - waves.json "$code" "$decoding" <<'P'
import json, sys
options = json.load(open(sys.argv[1]))["options"]
assert options["multiclass"] == sys.argv[2] and options["decoding"] == sys.argv[3], options
P
    expect 0 "predict by $coding" predict waves.nysel waves.csv --proba
    check "the largest probability is the prediction" python3 - out <<'P'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
for row in rows:
    p = {k[2:]: float(v) for k, v in row.items() if k.startswith("p_")}
    assert len(p) == 3 and p[row["prediction"]] == max(p.values()), row
assert len({row["prediction"] for row in rows}) == 3
P
done
expect 2 "a decoding that is none" train waves.csv --decoding votes
check "it lists them" says err "auto|hamming|loss"

# Testing along with the training, and the bound of the low rank
expect 0 "train --test" train train.csv --test new.csv --seed 1
check "the summary, then the test" bash -c 'grep -q "expected error" out && grep -q "on new.csv: 200 rows" out'
expect 0 "train --test --json" train train.csv --test new.csv --json - -o model.nysel
check "the JSON has the test's report" python3 -c '
import json; t = json.load(open("out"))["test"]; assert t["rows"] == 200 and t["metrics"]["error"] < 0.25, t'
expect 0 "train --bound" train train.csv --bound --landmarks 30 --test new.csv --json report.json -o bound.nysel
check "trace share, kernel error, bound and deviation are told" bash -c '
grep -q "rank            30 of 30 landmarks keeps .*% of the kernel.s trace" out && grep -q "kernel error" out &&
grep -q "by at most" out && grep -q "on 200 rows" out'
check "and in the JSON" python3 -c '
import json; r = json.load(open("report.json")); b = r["bound"]
assert 0.5 < r["kernel_kept"] < 1 and b["exact"] and b["deviation_rows"] == 200, b
assert b["deviation_rms"] <= b["deviation_max"] <= b["bound"] <= b["bound_paper"], b
assert 0 < b["kernel_error"] <= b["kernel_error_upper"] < b["kernel_norm"], b'
expect 0 "info of it" info bound.nysel
check "the model remembers its bound" says out "kernel error"
expect 1 "--test without a file" train train.csv --test nosuch.csv -o early.nysel
check "found before training" test ! -e early.nysel
expect 2 "--test from standard input" train train.csv --test -
expect 2 "the model over the test rows" train train.csv --test new.csv -o new.csv
printf 'a,b\n1,2\n' >other.csv
expect 1 "--test with other columns" train train.csv --test other.csv -o kept.nysel
check "the model is kept and the summary shown" bash -c 'test -s kept.nysel && grep -q "expected error" out'

# Regression
seq 1 200 | awk 'BEGIN { print "x,y" } { x = $1 / 20; printf "%.6f,%.6f\n", x, sin(x) + 0.01 * cos(37 * x) }' >sine.csv
expect 0 "train a regression" train sine.csv -o sine.nysel -q
expect 2 "--proba of a regression" predict sine.nysel sine.csv --proba
check "it says why" says err regression
expect 0 "test a regression" test sine.nysel sine.csv --json
check "r2 is near 1" python3 -c 'import json; assert json.load(open("out"))["metrics"]["r2"] > 0.99'

# Nothing half-written, and found out early
expect 1 "no such directory" train train.csv -o nosuch/model.nysel
check "found before training" empty out
check "nothing was written" test ! -e nosuch
mkdir closed && chmod a-w closed
if [ "$(id -u)" -ne 0 ]; then
    expect 1 "directory that is not writable" train train.csv -o closed/model.nysel
    check "it is still empty" test -z "$(ls closed)"
fi
expect 1 "a directory as output" train train.csv -o closed
expect 2 "standard output as model" train train.csv -o -
expect 0 "a device as model" train train.csv -o /dev/null -q
check "/dev/null is still a device" test -c /dev/null
expect 1 "a model that is none" predict train.csv new.csv
expect 1 "predict into no directory" predict model.nysel new.csv -o nosuch/out.csv
for what in "predict model.nysel new.csv -o kept.csv" "test model.nysel train.csv -q --json kept.csv" "train train.csv -q -o kept.csv"; do
    echo old >kept.csv && chmod 640 kept.csv && ln -sf kept.csv link.csv
    expect 0 "over an old file: $what" ${what/kept/link}
    check "it has the old rights, and the link stays" test "$(stat -c %a kept.csv)" = 640 -a -L link.csv
    check "and it is new" test "$(head -c 3 kept.csv)" != old
    if [ "$(id -u)" -ne 0 ]; then
        chmod a-w kept.csv
        expect 1 "a file that must not be written: $what" $what
        check "found before the work" grep -q "cannot write 'kept.csv': Permission denied" err
    fi
done
check "no temporary files remain" test -z "$(find . -name '*tmp*')"
expect 0 "demo" demo banana --rows 200
check "demo draws, tests and tells what to type next" says out "nysel train data.csv -o model.nysel"
finish
