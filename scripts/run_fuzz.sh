#!/usr/bin/env bash
# Runs every libFuzzer target of BUILD_DIR for SECONDS; stops at the first finding. run_fuzz.sh BUILD_DIR SECONDS
set -eu
build=$1 seconds=$2
export OMP_NUM_THREADS=1
for target in "$build"/fuzz/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    corpus=$(mktemp -d)
    name=$(basename "$target" | sed 's/fuzz_//')
    dict=$(dirname "$0")/../tests/fuzz/$name.dict seeds=$(dirname "$0")/../tests/fuzz/seeds/$name
    echo "$(basename "$target"): $seconds s"
    "$target" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 \
        $([ -f "$dict" ] && echo "-dict=$dict") "$corpus" $([ -d "$seeds" ] && echo "$seeds") 2>&1 | tail -8
    [ "${PIPESTATUS[0]}" = 0 ]
    rm -rf "$corpus"
done
