#!/bin/bash
# --time-limit is a promise for the whole run, from the start of the program to the saved model: within 10% or half a
# second. Other work on the machine costs the runs time that is not theirs: the best of three counts, and half a second more.
. "$(dirname "$0")/../cli/lib.inc"
export OMP_WAIT_POLICY=passive

"$nysel" demo waveform --write classes.csv --rows 100000 -q || fail "demo --write"
"$nysel" demo sinc --write numbers.csv --rows 200000 -q || fail "demo --write"

# within SECONDS NAME ARGUMENTS...: stopped, with a model that works.
within() {
    local limit=$1 name=$2 best=999 took code
    shift 2
    for _ in 1 2 3; do
        rm -f limit.nysel
        local start=$(date +%s.%N)
        "$nysel" train "$@" --time-limit "$limit" -o limit.nysel >out 2>err </dev/null
        code=$?
        took=$(python3 -c "print($(date +%s.%N) - $start)")
        best=$(python3 -c "print(min($best, $took))")
        python3 -c "import sys; sys.exit($best > max($limit * 1.1, $limit + 0.5))" && break
    done
    if python3 -c "import sys; sys.exit($best > max($limit * 1.1, $limit + 0.5) + 0.5)"; then
        pass "$name: $best s of $limit"
    else
        fail "$name: $best s, and $limit s was the limit"
    fi
    if [ $code -eq 3 ] || [ $code -eq 0 ]; then pass "$name: status $code"; else fail "$name: status $code"; fi
    check "$name: the model works" "$nysel" test limit.nysel few.csv
}

head -300 classes.csv >few.csv
within 2 "classes" classes.csv
within 1 "by Newton's method" classes.csv --machine svm
within 1 "logistic" classes.csv --machine logistic
within 2 "classes by pairs" classes.csv --multiclass ovo
within 2 "--ard" classes.csv --ard
within 2 "--search csa" classes.csv --search csa
within 2 "--stream yes" classes.csv --stream yes
head -300 numbers.csv >few.csv
within 2 "numbers" numbers.csv
within 3 "numbers, 3 s" numbers.csv
within 1 "svr" numbers.csv --machine svr
within 1 "quantile" numbers.csv --machine quantile
within 2 "--search grid" numbers.csv --search grid
within 2 "--solver cg" numbers.csv --solver cg --landmarks 100
expect 1 "a limit within which the file cannot be read" train classes.csv --time-limit 0.02 -q
check "says so" says err "time limit"
finish
