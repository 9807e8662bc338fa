#!/bin/bash
# Wild targets: machines of robust losses stay where they are, and that of squared loss says what is wrong.
. "$(dirname "$0")/../cli/lib.inc"
fast="--kernel rbf --threads 1"

"$nysel" demo sinc --write clean.csv --rows 400 >/dev/null
"$nysel" demo sinc --write new.csv --rows 1000 --seed 2 >/dev/null

# spoil SHARE OFF SIGNS: every so-manieth target of clean.csv is moved, the signs being both or one.
spoil() {
    awk -F, -v OFS=, -v share="$1" -v off="$2" -v signs="$3" 'NR == 1 { print; next }
        int((NR - 1) * share) > int((NR - 2) * share) { s = signs == "both" && ++k % 2 ? -1 : 1; $NF += s * off }
        { print }' clean.csv >bad.csv
}

# error MACHINE FILE: RMSE on new rows.
error() {
    "$nysel" train "$2" -o m.nysel --machine "$1" $fast --quiet && "$nysel" test m.nysel new.csv --json | python3 -c '
import json, sys; print(json.load(sys.stdin)["metrics"]["rmse"])'
}

cases=("0.0025 1000 one" "0.05 1 both" "0.05 1e5 one" "0.2 1e5 both" "0.2 1e5 one")
[ -n "$small" ] && cases=("0.0025 1000 one" "0.2 1e5 one")
for machine in huber svr quantile; do
    clean=$(error $machine clean.csv)
    for case in "${cases[@]}"; do
        spoil $case
        bad=$(error $machine bad.csv)
        check "$machine with targets wrong: $case ($clean, $bad)" python3 -c "
assert $bad <= $clean * (1.3 if '$case'.startswith('0.2') else 1.1)"
    done
done
expect 0 "huber" train bad.csv -o m.nysel --machine huber $fast
check "tells of the outlying targets" says out "note: 80 of 400 targets are more than 5 times the noise"

spoil 0.0025 1000 one
expect 0 "lssvm" train bad.csv -o m.nysel $fast
check "names the row that holds the error" says out "note: 1 of 400 rows hold"
check "and the machine to take" says out "(the largest is row 400): --machine huber does not follow them"
expect 0 "lssvm on clean targets" train clean.csv -o m.nysel $fast
check "has nothing to say" python3 -c 'assert "squared held-out error" not in open("out").read()'
finish
