#!/bin/bash
# The bar: on a terminal, on demand, never in a file.
. "$(dirname "$0")/lib.inc"
unset NO_COLOR

"$nysel" demo banana --write train.csv --rows 300 -q || fail "demo --write"
run="'$nysel' train train.csv --landmarks all --search grid --bandwidth -3:3:0.5 --C -4:8:1"
terminal() { script -qec "$1" /dev/null >screen </dev/null; } # runs $1 in a terminal of its own

TERM=xterm terminal "$run"
check "a bar on a terminal" grep -q '%' screen
check "it is redrawn in place" grep -q $'\r' screen
check "it has colours" grep -q $'\033\\[36m' screen
NO_COLOR=1 TERM=xterm terminal "$run"
check "NO_COLOR: a bar" grep -q '%' screen
check "NO_COLOR: no escape sequence" bash -c '! grep -q $'"'\\033'"' screen'
TERM=dumb terminal "$run"
check "TERM=dumb: no escape sequence" bash -c '! grep -q $'"'\\033'"' screen'
TERM=xterm terminal "$run --progress never"
check "--progress never: no bar" bash -c '! grep -q "\[.*%" screen'
TERM=xterm terminal "$run --quiet"
check "--quiet: an empty screen" empty screen

eval "$run" >out 2>err
check "no bar in a file" bash -c '! grep -q $'"'\\r'"' err'
eval "$run --progress always" >out 2>err
check "--progress always: a bar in a file" grep -q '%' err
check "its end is clean" bash -c 'tail -c 200 err | tr "\r" "\n" | grep -v "^nysel:" | tail -1 | grep -q "^ *$"'
check "standard output is free of it" bash -c '! grep -q $'"'\\r'"' out'
finish
