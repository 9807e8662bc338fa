#!/bin/bash
# Rows that are in the table more than once: the expected error must not believe that it has seen them all before.
. "$(dirname "$0")/../cli/lib.inc"

"$nysel" demo sinc --write once.csv --rows 40 >/dev/null
"$nysel" demo sinc --write new.csv --rows 1000 --seed 2 >/dev/null
{
    head -1 once.csv
    for k in 1 2 3 4 5 6 7 8 9 10; do tail -n +2 once.csv; done
} >ten.csv

# honest NAME: expected error and standard error in report.json are not those of ten times the rows: about what they are
# with each row once (once.json), and no small part of the error on new rows.
honest() {
    "$nysel" test m.nysel new.csv --json >test.json
    check "$1" python3 -c '
import json
e, o = (json.load(open(f))["criterion"] for f in ("report.json", "once.json"))
t = json.load(open("test.json"))["metrics"]["rmse"]
assert 0.7 < e["error"] / o["error"] < 1.4 and 0.5 < e["stderr"] / o["stderr"] < 2 and e["error"] > 0.5 * t, (e, o, t)'
}

for case in "" "--machine krr" "--landmarks 30" "--solver cg" "--solver cg --landmarks 30" "--criterion cv" "--machine huber" "--expansion training --landmarks 30"; do
    "$nysel" train once.csv --json once.json --kernel rbf --quiet $case
    expect 0 "each row ten times, ${case:-as it comes}" train ten.csv -o m.nysel --json report.json --kernel rbf $case
    check "is noticed" says out "note: 360 rows are copies of others (40 are distinct): they are held out together"
    honest "and the expected error is honest"
done
expect 0 "gcv" train ten.csv --criterion gcv --kernel rbf
check "says that it cannot" says out "gcv counts each of them, and its error is too small: use loo"
expect 0 "evidence" train ten.csv --criterion evidence --kernel rbf
check "says what it does" says out "the criterion counts each of them"
seq 400 | awk '{ print $1 % 10 }' >folds.txt
expect 0 "a fold file" train ten.csv --fold-file folds.txt --kernel rbf
check "has its way" says out "--fold-file says what is held out together"
expect 0 "more folds than distinct rows" train ten.csv --criterion cv --folds 100 --kernel rbf
check "every row, with its copies, is a fold" says out "only 40 rows: every row is its own fold"

# Classes: pairs of them, and sparse rows.
"$nysel" demo waveform --write classes.csv --rows 60 >/dev/null
tail -n +2 classes.csv >more && cat more >>classes.csv
expect 0 "pairs of classes" train classes.csv --multiclass ovo --kernel rbf
check "is noticed" says out "note: 60 rows are copies of others (60 are distinct)"
awk -F, 'NR > 1 { printf "%s", $NF; for (j = 1; j < NF; j++) printf " %d:%s", j, $j; print "" }' ten.csv >ten.svm
expect 0 "sparse rows" train ten.svm --task regression --kernel rbf
check "is noticed" says out "note: 360 rows are copies of others (40 are distinct)"

# A table of few levels: equal rows are no copies.
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 200; i++) print i % 3 "," int(i / 3) % 4 "," (i * 7919 % 13 + i % 3) / 3 }' >levels.csv
expect 0 "a table of few levels" train levels.csv --task regression --kernel rbf
check "has no copies" python3 -c 'assert "copies" not in open("out").read()'
finish
