#!/bin/bash
# Whatever limit of address space, stack or processes there is: nysel works, or ends at once with a message of its own.
. "$(dirname "$0")/../cli/lib.inc"
command -v prlimit >/dev/null || { skip "no prlimit here"; finish; }
[ -n "$sanitizer" ] && { skip "a sanitizer needs terabytes of address space"; finish; }

"$nysel" demo banana --write train.csv --rows 300 -q || fail "demo --write"

# limited KIND MEGABYTES ARGUMENTS...: works, or says why not. Sixty seconds are for a busy machine: the hang is for ever.
limited() {
    local kind=$1 size=$2 code
    shift 2
    timeout -k 1 60 prlimit --"$kind"=$((size * 1000000)) "$nysel" "$@" >out 2>err </dev/null
    code=$?
    if [ $code -eq 0 ] || { [ $code -eq 1 ] && grep -q '^nysel: .*ulimit' err; }; then
        pass "--$kind=$size MB: $1: $code"
    else
        fail "--$kind=$size MB: $1: exit status $code"
        head -3 err
    fi
}

for size in 54 60 80 120 170 188 195 230 280 320 335 350 400 448 500 560 600 700; do
    limited as $size train train.csv -q -o small.nysel
done
for size in 20 100 150 200 280 300 400 448; do limited data $size train train.csv -q -o small.nysel; done
for size in 100 200 320 340; do
    limited as $size help
    limited as $size demo --rows 100 -q
done
expect 0 "without a limit" train train.csv -q -o model.nysel
for size in 150 250 330 400; do limited as $size predict model.nysel train.csv; done

# Enough for one thread is enough.
prlimit --as=450000000 "$nysel" train train.csv -q -o one.nysel >out 2>err
check "450 MB will do" test $? -eq 0
check "the model is the same" cmp <("$nysel" predict model.nysel train.csv) <("$nysel" predict one.nysel train.csv)

# More threads than OpenBLAS has buffers for.
expect 0 "--threads 1000" train train.csv --threads 1000 -o many.nysel
check "it says so" says err "threads: "

(ulimit -s 128 && "$nysel" train train.csv -q -o stack.nysel && "$nysel" predict stack.nysel train.csv) >out 2>err
check "a stack of 128 kB" test $? -eq 0

# A user without a single process left. Root is not bound by that limit, so another one is tried.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    setpriv --reuid 65533 --clear-groups prlimit --nproc=1 "$nysel" train - -q --threads 3 <train.csv >out 2>err
    check "no more threads to be had" test $? -eq 0
fi
finish
