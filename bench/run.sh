#!/usr/bin/env bash
# Runs every benchmark and keeps the results in bench/results: run.sh BUILD_DIR. Wants an idle machine and about
# a quarter of an hour (more when LIBSVM's grid has to be made again). Needs `make deps-peers`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: bench/run.sh BUILD_DIR}" && pwd)
results=$here/results
python=/usr/bin/python3
mkdir -p "$results"
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg) (should be near 0)"

# part NAME ARGUMENTS...: a program of BUILD/bench, its CSV kept as results/NAME.csv
part() {
    local name=$1
    shift
    echo "== bench_$name $*"
    "$build/bench/bench_$name" "$@" > "$results/$name.out"
    "$python" "$here/common.py" keep "$results/$name.csv" "bench_$name $*" < "$results/$name.out"
    rm "$results/$name.out"
}
part gram
part kernel
part read

for script in select_ratio sets peers_libsvm; do
    echo "== $script"
    "$python" "$here/$script.py" "$build/nysel"
done

echo
echo "== summary"
for table in parts select sets libsvm; do
    echo
    "$python" "$here/tables.py" "$table"
done
echo
echo "bench/tables.py puts these tables into README.md"
