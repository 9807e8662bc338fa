#!/usr/bin/env bash
# Deliberate faults, one at a time: which of tests/mutants do the tests not notice?
#
#     scripts/mutate.sh [--some K] [--named] [--build FOLDER] [NAME ...]
#
# All mutants, or those named, or K in turn: the next K with every commit. Each is put into a copy of the source tree
# below FOLDER (build), built and tried: first by the tests that it names, then, if these pass, by all (not with
# --named). A fault that no test notices, or that does not apply any more (tried or not), makes the status 1. At the end
# the tests that noticed are run without any fault: a test that fails anyway has noticed nothing.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
build=build some= named= names=()
usage() {
    echo "usage: scripts/mutate.sh [--some K] [--named] [--build FOLDER] [NAME ...]" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    --named) named=yes ;;
    --some | --build)
        [ $# -gt 1 ] || usage
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    -*) usage ;;
    *) names+=("$1") ;;
    esac
    shift
done
cd "$source" && mkdir -p "$build/mutants" || exit 2
work=$(cd "$build/mutants" && pwd)
tree=$work/source out=$work/build log=$work/log kept=$work/kept
jobs=$(nproc)
export OMP_WAIT_POLICY=passive
mutant() { python3 "$source/scripts/mutant.py" "$@"; }

[ ${#names[@]} -gt 0 ] || for file in tests/mutants/*.mutant; do names+=("$(basename "$file" .mutant)"); done
if [ -n "$some" ]; then
    all=("${names[@]}") names=()
    turn=$(git rev-list --count HEAD 2>/dev/null || echo $((10#$(date +%j))))
    for ((k = 0; k < some && k < ${#all[@]}; k++)); do names+=("${all[(turn * some + k) % ${#all[@]}]}"); done
fi

launcher=${CMAKE_C_COMPILER_LAUNCHER-$(command -v ccache)}
mutant copy "$source" "$tree" && cmake -S "$tree" -B "$out" -DCMAKE_BUILD_TYPE=Release -DNY_BENCH=OFF \
    -DCMAKE_C_COMPILER_LAUNCHER="$launcher" >"$log" 2>&1 || { cat "$log"; exit 2; }

tests_of() { (cd "$out" && ctest -N -R "$1" | sed -n 's/^ *Test *#[0-9]*: //p'); }
# Builds what these tests need: a program of their own name, or the command line tool.
build_for() {
    local targets=() test
    for test; do
        case $test in test_*) targets+=("$test") ;; install) targets+=(all) ;; *) targets+=(nysel) ;; esac
    done
    cmake --build "$out" -j "$jobs" --target $(printf '%s\n' "${targets[@]}" | sort -u) >"$log" 2>&1
}
# The first test of a pattern that fails, if one does.
killer() {
    (cd "$out" && ctest --stop-on-failure --timeout 300 -j "$jobs" -R "$1" >"$log" 2>&1)
    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \(\S*\) [ .]*\*\*\*\(Failed\|Timeout\|Exception\).*/\1/p' "$log" | head -1
}
# Tries the mutant that is in the tree: says what became of it, and fails if it lives. by: the test that noticed.
attempt() {
    local asked
    by=
    mapfile -t asked < <(tests_of "$1")
    [ ${#asked[@]} -gt 0 ] || { echo "NO SUCH TESTS: $1"; return 1; }
    build_for "${asked[@]}" || { echo "DOES NOT BUILD: $(grep -m1 'error:' "$log")"; return 1; }
    by=$(killer "$1")
    [ -z "$by" ] || { echo "killed by $by"; return; }
    [ -z "$named" ] || { echo "SURVIVED $1"; return 1; }
    cmake --build "$out" -j "$jobs" >"$log" 2>&1 || { echo "DOES NOT BUILD: $(grep -m1 'error:' "$log")"; return 1; }
    by=$(killer .)
    [ -n "$by" ] || { echo "SURVIVED"; return 1; }
    echo "killed by $by, but not by $1, which it names"
}

bad=0 killers=()
mutant check "$tree" tests/mutants/*.mutant || bad=1 # all of them, whichever are tried
for name in "${names[@]}"; do
    file=tests/mutants/$name.mutant
    printf '%-32s ' "$name"
    if ! tests=$(mutant tests "$file") || ! where=$(mutant where "$file" "$tree"); then
        echo "DOES NOT APPLY: ${where:-$tests}"
        bad=$((bad + 1))
        continue
    fi
    cp "$tree/$where" "$kept"
    mutant apply "$file" "$tree"
    attempt "$tests" || { bad=$((bad + 1)) && echo "    $where: $(mutant says "$file")"; }
    cp "$kept" "$tree/$where"
    [ -z "$by" ] || killers+=("$by")
done

if [ ${#killers[@]} -gt 0 ]; then
    mapfile -t killers < <(printf '%s\n' "${killers[@]}" | sort -u)
    build_for "${killers[@]}" || { cat "$log"; exit 2; }
    pattern="^($(IFS='|' && echo "${killers[*]}"))\$"
    if ! (cd "$out" && ctest --timeout 300 -j "$jobs" -R "$pattern" >"$log" 2>&1); then
        sed -n '/tests FAILED/,$p' "$log"
        echo "these fail without a fault as well: what they killed may live"
        bad=$((bad + 1))
    fi
fi
echo "${#names[@]} mutants tried, $bad complaints"
[ "$bad" -eq 0 ]
