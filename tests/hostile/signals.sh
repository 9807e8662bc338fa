#!/bin/bash
# A stop is heard inside long products and decompositions; a second signal ends the program at once.
. "$(dirname "$0")/../cli/lib.inc"

"$nysel" demo banana --write long.csv --rows 20000 -q || fail "demo --write"
"$nysel" demo banana --write exact.csv --rows 5000 -q || fail "demo --write"
"$nysel" demo waveform --write three.csv --rows 20000 -q || fail "demo --write"
"$nysel" demo sinc --write numbers.csv --rows 20000 -q || fail "demo --write"
python3 - <<'P' || fail "many classes"
import random
random.seed(5)
centre = [[random.gauss(0, 2) for _ in range(8)] for _ in range(500)]
with open("many.csv", "w") as file:
    file.write("a,b,c,d,e,f,g,h,y\n")
    for i in range(10000):
        file.write(",".join(f"{v + random.gauss(0, 1):.4f}" for v in centre[i % 500]) + f",k{i % 500}\n")
centre = [[random.gauss(0, 2) for _ in range(8)] for _ in range(40)]
with open("pairs.csv", "w") as file:
    file.write("a,b,c,d,e,f,g,h,y\n")
    for i in range(20000):
        file.write(",".join(f"{v + random.gauss(0, 1):.4f}" for v in centre[i % 40]) + f",k{i % 40}\n")
P

cpu() { awk '{ print ($14 + $15) / 100 }' "/proc/$1/stat" 2>/dev/null || echo 0; } # seconds of a process
more() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }

# worked PID SECONDS: waits until the process has used so much of a processor; fails when it ends before.
worked() {
    while kill -0 "$1" 2>/dev/null; do
        more "$(cpu "$1")" "$2" && return 0
        sleep 0.02
    done
    return 1
}

# stop_at SECONDS NAME FILE ARGUMENTS...: training is sent a signal after so many seconds of work. What may follow is
# counted in seconds of processor time, as other programs are running: two; under a sanitizer, which makes our loops ten
# times as slow, fifteen times that.
grace=${sanitizer:+30}
stop_at() {
    local at=$1 name=$2 file=$3 pid code seconds last=0
    shift 2
    "$nysel" train "$@" --threads 1 -o stop.nysel >out 2>err &
    pid=$!
    if ! worked $pid "$at"; then
        fail "$name: ended too early for this test"
        wait $pid
        return
    fi
    kill -TERM $pid
    while kill -0 $pid 2>/dev/null; do
        seconds=$(cpu $pid)
        [ "$seconds" != 0 ] && last=$seconds
        if more "$last" "$(awk -v a="$at" -v b="${grace:-2}" 'BEGIN { print a + b }')"; then
            fail "$name: still at work"
            kill -KILL $pid
        fi
        sleep 0.02
    done
    wait $pid
    code=$?
    if [ $code -eq 3 ]; then pass "$name: stopped after $at s, $last s in all"; else fail "$name: exit status $code"; fi
    check "$name: the model works" "$nysel" test stop.nysel "$file"
}
stop_at 0.5 "low rank, early" long.csv --landmarks 5000
stop_at 2.5 "low rank, in a product" long.csv --landmarks 5000 --search none --bandwidth 1
stop_at 1.5 "exact, in a factor" exact.csv --landmarks all
stop_at 1 "eigenvalues of the landmarks" long.csv --landmarks 3500 --rank 300 --search none --bandwidth 1
stop_at 1 "500 classes" many.csv
stop_at 2.5 "500 classes by cross-validation" many.csv --criterion cv
stop_at 1 "500 classes by codes" many.csv --multiclass moc
stop_at 1 "500 classes, svm" many.csv --machine svm
stop_at 1 "500 classes, 500 folds" many.csv --criterion cv --folds 500
stop_at 0.8 "40 classes by pairs" pairs.csv --multiclass ovo
stop_at 0.8 "40 classes by pairs, svm" pairs.csv --multiclass ovo --machine svm
stop_at 1.5 "Newton's method" three.csv --machine svm --landmarks 2000
stop_at 2 "all rows in the model" numbers.csv --expansion training

# twice SIGNAL SIGNAL: the second one ends it, by the signal, and no file has the model's name.
twice() {
    local pid
    rm -f twice.nysel
    "$nysel" train long.csv --landmarks 5000 --metric none --threads 1 -o twice.nysel >out 2>err &
    pid=$!
    worked $pid 1
    kill -"$1" $pid
    sleep 0.1
    kill -"$2" $pid 2>/dev/null
    wait $pid
    local code=$?
    if [ $code -gt 128 ]; then pass "$1, then $2"; else fail "$1, then $2: exit status $code"; fi
    check "$1, then $2: no file" test ! -e twice.nysel
}
twice TERM TERM
twice INT TERM
twice TERM INT
finish
