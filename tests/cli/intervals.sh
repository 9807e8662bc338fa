#!/bin/bash
# Intervals, priors and probabilities on the command line: columns, JSON, coverage, and what is refused.
. "$(dirname "$0")/lib.inc"

"$nysel" demo sinc --write train.csv --rows 1000 >/dev/null
"$nysel" demo sinc --write new.csv --rows 1000 --seed 2 >/dev/null
"$nysel" demo banana --write classes.csv --rows 300 >/dev/null
expect 0 "train a regression" train train.csv -o model.nysel --json report.json
check "the summary tells the noise" says out "noise           standard deviation"
check "the record has it" python3 -c '
import json; r = json.load(open("report.json")); assert r["posterior"] is True and 0 < r["noise_sd"] < 1 and r["prior"] is None'
expect 0 "predict" predict model.nysel new.csv
cp out plain.csv
expect 0 "predict --interval" predict model.nysel new.csv --interval 0.95 --scores
check "header" test "$(head -1 out)" = prediction,lower,upper,noise_sd,model_sd,score_1
check "predictions do not change" cmp <(cut -d, -f1 out) plain.csv
expect 0 "predict --interval --json" predict model.nysel new.csv --interval 0.95 --json
check "JSON has the same numbers" python3 - out plain.csv <<'P'
import csv, json, sys
p = json.load(open(sys.argv[1]))
n = p["rows"]
assert n == 1000 and all(len(p[k]) == n for k in ("prediction", "lower", "upper", "noise_sd", "model_sd"))
assert all(a < f < b for a, f, b in zip(p["lower"], p["prediction"], p["upper"]))
assert [float(r["prediction"]) for r in csv.DictReader(open(sys.argv[2]))] == p["prediction"]
P
expect 0 "test --interval" test model.nysel new.csv --interval 0.95
check "it prints the coverage" says out "of the targets are in the 95% interval"
expect 0 "test --interval --json" test model.nysel new.csv --interval 0.95 --json
check "which is about what was asked for" python3 -c '
import json; m = json.load(open("out"))["metrics"]
assert m["interval"] == 0.95 and 0.92 < m["coverage"] < 0.98 and m["mean_width"] > 0, m'
expect 0 "test without" test model.nysel new.csv --json
check "has no coverage" python3 -c 'import json; assert "coverage" not in json.load(open("out"))["metrics"]'

for bad in 1 -0.5 x; do expect 2 "--interval $bad" predict model.nysel new.csv --interval $bad; done
expect 0 "train without a posterior" train train.csv -o bare.nysel --posterior no
expect 2 "has no intervals" predict bare.nysel new.csv --interval 0.9
check "and says how to get them" says err "train it with --posterior yes"
expect 2 "test neither" test bare.nysel new.csv --interval 0.9
expect 2 "not with --expansion training" train train.csv --posterior yes --expansion training
check "with the remedy" says err "use landmarks"
expect 2 "a prior for a regression" train train.csv --prior uniform
check "is refused" says err "no classes in a regression"

expect 0 "train classes" train classes.csv -o two.nysel --kernel rbf
expect 2 "--interval for classes" predict two.nysel classes.csv --interval 0.9
check "points to --proba" says err "use --proba"
expect 2 "test --interval for classes" test two.nysel classes.csv --interval 0.9
expect 0 "test classes" test two.nysel classes.csv --json
check "Brier score and reliability" python3 -c '
import json; t = json.load(open("out")); m = t["metrics"]
assert 0 < m["brier"] < 1 and sum(b["rows"] for b in m["reliability"]) == t["rows"]
for b in m["reliability"]: assert b["from"] - 1e-9 <= b["predicted"] <= b["to"] + 1e-9, b'
label=$(tail -1 classes.csv | sed 's/.*,//')
expect 0 "predict --prior" predict two.nysel classes.csv --proba --prior "$label=0.99"
often=$(cut -d, -f1 out | grep -cx -- "$label")
expect 0 "predict" predict two.nysel classes.csv --proba
check "the likelier class comes more often" test "$often" -gt "$(cut -d, -f1 out | grep -cx -- "$label")"
expect 2 "unknown class" predict two.nysel classes.csv --prior nosuch=0.5
check "is named" says err "there is no class 'nosuch'"
expect 2 "too much" test two.nysel classes.csv --prior "$label=1.5"
check "is said" says err "more than 1"
expect 2 "an unknown class at training" train classes.csv --prior nosuch=0.5
expect 0 "train --prior" train classes.csv -o told.nysel --kernel rbf --prior "$label=0.9" --proba-method posterior
check "the summary tells it" says out "(the expected error is for these)"
expect 0 "the model remembers" predict told.nysel classes.csv -o own.csv
expect 0 "the same prior given" predict told.nysel classes.csv -o given.csv --prior "$label=0.9"
check "says the same" cmp own.csv given.csv
expect 0 "and can be told otherwise" predict told.nysel classes.csv -o other.csv --prior none
check "which makes a difference" bash -c '! cmp -s own.csv other.csv'
expect 2 "posterior probabilities without a posterior" train classes.csv --proba-method posterior --posterior no
expect 0 "a prior with rows in passes" train classes.csv --stream yes --prior "$label=0.9"
finish
