#!/bin/bash
# Ctrl-C and --time-limit end the search with the best model so far: exit status 3 and a model that works.
. "$(dirname "$0")/lib.inc"

"$nysel" demo banana --write train.csv --rows 800 -q || fail "demo --write"
# Exact machine, dense grid: many seconds, in steps of well under a second.
long=(train train.csv --landmarks all --search grid --bandwidth -6:6:0.01 --C -5:15:0.1)

# The second argument is the signal; the process gets up to 60 seconds to come back.
stop_with() {
    local signal=$1 pid code
    "$nysel" "${long[@]}" -o "$signal.nysel" >out 2>err &
    pid=$!
    sleep 3
    if ! kill -0 $pid 2>/dev/null; then
        fail "$signal: training ended too early for this test"
        wait $pid
        return
    fi
    kill -"$signal" $pid
    timeout 60 tail --pid=$pid -f /dev/null
    kill -0 $pid 2>/dev/null && { fail "$signal: did not stop within 60 seconds"; kill -KILL $pid; }
    wait $pid
    code=$?
    if [ $code -eq 3 ]; then pass "$signal: exit status 3"; else fail "$signal: exit status $code instead of 3"; fi
    check "$signal: it says so" says err "again to quit at once"
    check "$signal: the summary is printed" test -s out
    check "$signal: the model works" "$nysel" test "$signal.nysel" train.csv
}
stop_with INT
stop_with TERM

expect 3 "--time-limit 1" "${long[@]}" --time-limit 1 -o limit.nysel
check "the model works" "$nysel" predict limit.nysel train.csv
expect 3 "--time-limit 1 --quiet" "${long[@]}" --time-limit 1 --quiet
check "quiet says nothing" bash -c '! test -s out && ! test -s err'

# Twice at once: the default action.
"$nysel" "${long[@]}" -o twice.nysel >out 2>err &
pid=$!
sleep 2
kill -TERM $pid
kill -INT $pid 2>/dev/null
timeout 60 tail --pid=$pid -f /dev/null
wait $pid
code=$?
if [ $code -ge 128 ] || [ $code -eq 3 ]; then pass "a second signal ends it"; else fail "second signal: exit status $code"; fi
finish
