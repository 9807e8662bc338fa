#!/usr/bin/env bash
# Runs the benchmarks, keeps their results as CSV in bench/results and prints the tables:
#     run.sh BUILD_DIR [--quick] [PART...]
# Parts, all of them unless named: stage scale peers sets select_ratio seeds criteria newton machines path intervals
# calibration relevance honesty papers. Wants an idle machine; everything takes most of a day, papers and peers most of
# that.
# --quick only shows that everything works: small sizes, one split, results in BUILD_DIR/bench/results.
# Each part says what it skips when data are absent (NYSEL_DATA names their folder). A part that fails does not keep the
# others from running; the exit status is then 1.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: bench/run.sh BUILD_DIR [--quick] [PART...]}" && pwd) || exit 2
shift
python=/usr/bin/python3
all="stage scale peers sets select_ratio seeds criteria newton machines path intervals calibration relevance honesty papers"
papers="fastcv debrabanter dingliao landmark_methods vangestel vangestel_ard liu fbif_time bonidal"
independent="debrabanter dingliao vangestel liu bonidal"
quick="" parts=""
for word in "$@"; do
    case " --quick $all " in
        *" $word "*) [ "$word" = --quick ] && quick=--quick || parts="$parts $word" ;;
        *) echo "run.sh: unknown part '$word'; there are: $all" >&2; exit 2 ;;
    esac
done
parts=${parts:-$all}

# What a part is given with --quick instead of that option itself.
declare -A small=(
    [bench_stage]="1 5000 300" [bench_gram]="1 4000 300" [bench_kernel]="1 2000 300" [bench_read]=5
    [bench_cg]="1 2000 3"
    [select_ratio]="--repeats 1 --most 10000 --generated" [sets]="--splits 1 --only pima_diabetes,housing"
    [criteria]="--splits 1 --only pima_diabetes,housing" [relevance]="--splits 1 --only housing,pima_diabetes"
)
# The tables of a part, where they are not called what it is called.
declare -A tables=(
    [stage]="stage parts read" [scale]="scale scale_fit" [select_ratio]=select [peers]="peers against_libsvm"
    [papers]="papers_summary papers_behind $independent"
)
[ -z "$quick" ] || export NYSEL_RESULTS=$build/bench/results
results=${NYSEL_RESULTS:-$here/results}
mkdir -p "$results"
core=$("$python" -c 'import sys; sys.path.insert(0, sys.argv[1]); import common; print(common.blas_core(sys.argv[2]))' \
    "$here" "$build/nysel") # what nysel makes OpenBLAS take the processor for, for programs that do not see to it
failed=""

run() { # NAME COMMAND...
    echo "== $1 ${quick:+(quick)}"
    local began=$SECONDS
    "${@:2}" || { echo "FAILED: $1" >&2; failed="$failed $1"; }
    echo "   $((SECONDS - began)) s"
}

options() { # NAME: its options, a word each
    echo ${quick:+${small[$1]:-$quick}}
}

program() { # NAME CSV: a program of bench/stage, whose output is CSV
    local words
    words=$(options "$1")
    OPENBLAS_CORETYPE=$core "$build/bench/$1" $words > "$results/$2.out" &&
        "$python" "$here/common.py" keep "$results/$2.csv" "$1${words:+ $words}" < "$results/$2.out"
    local status=$?
    rm -f "$results/$2.out"
    return $status
}

echo "load before: $(cut -d' ' -f1-3 /proc/loadavg) (should be near 0)"
for part in $parts; do
    case $part in
        stage) for name in stage gram kernel read cg; do run "bench_$name" program "bench_$name" "$name"; done ;;
        scale) run scale "$python" "$here/scale/scale.py" "$build/nysel" $quick ;;
        peers) run peers "$python" "$here/peers/run.py" "$build/nysel" $quick ;;
        papers)
            for name in $papers; do
                binary=$build/nysel
                [ ! -x "$build/bench/$name" ] || binary=$build/bench/$name # it has a program of its own
                run "$name" "$python" "$here/papers/$name.py" "$binary" $quick
            done
            for name in $independent; do run "independent $name" "$python" "$here/papers/independent/run.py" "$name" $quick; done ;;
        *) run "$part" "$python" "$here/$part.py" "$build/nysel" $(options "$part") ;;
    esac
done

echo
echo "== tables ($results)"
for part in $parts; do
    for table in ${tables[$part]:-$part}; do
        echo
        echo "$table:"
        "$python" "$here/report/report.py" "$table"
    done
done
[ -n "$quick" ] || { echo; echo "bench/report/report.py puts these tables into README.md, docs/benchmarks.md and docs/papers.md"; }
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
