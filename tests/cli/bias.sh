#!/bin/bash
# --bias on the command line: what is said of it, what it does, and what has no such bias.
. "$(dirname "$0")/lib.inc"
few="--kernel rbf --bandwidth 1 --C 4 --landmarks 40 --search none"

"$nysel" demo sinc --write train.csv --rows 200 >/dev/null
"$nysel" demo banana --write classes.csv --rows 200 >/dev/null
kind() { # kind FILE KIND PENALTY
    python3 -c 'import json, sys; f, kind, penalty = sys.argv[1:]; b = json.load(open(f))["bias"]
assert b == {"kind": kind, "penalty": json.loads(penalty)}, b' "$@"
}
bias_is() { # bias_is MODEL ZERO: whether the model's b is 0
    python3 -c 'import io, struct, sys, zipfile
raw = zipfile.ZipFile(sys.argv[1]).read("bias.npy"); b = struct.unpack("<d", raw[-8:])[0]
assert (b == 0) == (sys.argv[2] == "yes"), b' "$@"
}

expect 0 "free by default" train train.csv -o m.nysel $few --json report.json
check "the record says so" kind report.json free null
check "the summary does not" sh -c '! grep -q "^  bias" out'
expect 0 "penalised" train train.csv -o m.nysel $few --bias penalised --bias-penalty 2.5 --json report.json
check "the record has the penalty" kind report.json penalised 2.5
check "the summary too" says out "bias            penalised, by 2.5 times half its square"
check "there is a bias" bias_is m.nysel no
expect 0 "a model from its file" info m.nysel
check "says it again" says out "bias            penalised, by 2.5 times half its square"
for machine in svm l2svm logistic lssvm krr; do
    expect 0 "$machine without bias" train classes.csv -o m.nysel $few --machine $machine --bias none --json report.json
    check "has none" bias_is m.nysel yes
    check "and says so" kind report.json none null
done
expect 0 "krr has none by itself" train train.csv -o m.nysel $few --machine krr --json report.json
check "which the record says" kind report.json none null
expect 0 "cg and a penalty" train train.csv -o m.nysel $few --bias penalised --solver cg
expect 0 "passes and a penalty" train train.csv -o m.nysel $few --bias penalised --stream yes
expect 0 "ard and a penalty" train train.csv -o m.nysel --kernel rbf --bias penalised --ard
expect 0 "all criteria of l2svm" train classes.csv -o m.nysel $few --machine l2svm --bias none --compare-criteria
check "span is among them" says out span
expect 0 "span" train classes.csv -o m.nysel --machine l2svm --criterion span --bias none
expect 0 "radius-margin" train classes.csv -o m.nysel --machine l2svm --criterion radius-margin --bias penalised
expect 0 "path" path classes.csv --bias none

expect 2 "krr and free" train train.csv -o no.nysel --machine krr --bias free
check "names the machine that has one" says err "use --machine lssvm"
expect 2 "a penalty of nothing" train train.csv -o no.nysel --bias-penalty 3
check "says what it is for" says err "--bias-penalty is for --bias penalised"
expect 2 "another word" train train.csv -o no.nysel --bias some
expect 2 "a penalty of 0" train train.csv -o no.nysel --bias penalised --bias-penalty 0
check "nothing was written" test ! -e no.nysel
finish
