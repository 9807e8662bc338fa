#!/usr/bin/env bash
# Runs every benchmark, keeps the results as CSV in bench/results and prints a summary:
#     run.sh BUILD_DIR [papers] [--quick]
# Wants an idle machine and about an hour, ten minutes more when LIBSVM's grid has to be made anew.
# papers: only the comparisons with published results (bench/papers) instead, about two hours.
# --quick only shows that everything works: small sizes, results in BUILD_DIR/bench/results.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: bench/run.sh BUILD_DIR [papers] [--quick]}" && pwd)
shift
what=parts
if [ "${1:-}" = papers ]; then
    what=papers
    shift
fi
python=/usr/bin/python3
if [ "${1:-}" = --quick ]; then
    export NYSEL_RESULTS=$build/bench/results
    gram="1 4000 300" kernel="1 2000 300" read=5 cg="1 2000 3"
    select_ratio="--repeats 1 --most 10000 --generated" sets="--splits 1 --only pima_diabetes,housing"
    criteria="--splits 1 --only pima_diabetes,housing"
    peers_libsvm="--repeats 1 --splits 1 --no-grid" intervals="--quick" calibration="--quick"
    relevance="--splits 1 --only housing,pima_diabetes" newton="--quick" machines="--quick" path="--quick"
else
    gram="" kernel="" read="" cg="" select_ratio="" sets="" criteria="" peers_libsvm="" intervals="" calibration=""
    relevance="" newton="" machines="" path=""
fi
results=${NYSEL_RESULTS:-$here/results}
mkdir -p "$results"
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg) (should be near 0)"

if [ "$what" = papers ]; then
    for script in fastcv debrabanter more_landmarks dingliao landmark_methods vangestel vangestel_ard liu bonidal; do
        program=$build/nysel
        [ $script != fastcv ] || program=$build/bench/fastcv
        echo "== $script ${1:-}"
        "$python" "$here/papers/$script.py" "$program" "$@"
    done
    tables="fastcv debrabanter more dingliao landmarks vangestel vangestel_ard liu bonidal_path bonidal bonidal_large"
else
    for part in gram kernel read cg; do
        echo "== bench_$part ${!part}"
        "$build/bench/bench_$part" ${!part} > "$results/$part.out"
        "$python" "$here/common.py" keep "$results/$part.csv" "bench_$part ${!part}" < "$results/$part.out"
        rm "$results/$part.out"
    done
    for script in select_ratio sets criteria newton peers_libsvm machines path intervals calibration relevance; do
        echo "== $script ${!script}"
        "$python" "$here/$script.py" "$build/nysel" ${!script}
    done
    tables="parts read select sets criteria newton libsvm machines path intervals calibration relevance"
fi

echo
echo "== summary"
for table in $tables; do
    echo
    "$python" "$here/tables.py" "$table"
done
echo
echo "bench/tables.py puts these tables into README.md"
