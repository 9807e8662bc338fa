#!/bin/sh
# check_tree.sh before|after BUILD: tests write below the build folder only. `before` lists the files of the source tree
# in BUILD/tree.txt; `after` fails if others are there. (Not what Git, editors and Python leave.)
set -eu
cd "$(dirname "$0")/.."
build=$(cd "$2" && pwd)
list() {
    find "$PWD" \( -name .git -o -path "$PWD/build*" -o -path "$build" -o -name __pycache__ \) -prune -o -type f \
        ! -name '.*.sw?' ! -name '*~' ! -name '#*#' -print | sort
}
case $1 in
before) list >"$build/tree.txt" ;;
after)
    list | diff "$build/tree.txt" - >"$build/tree.diff" && exit 0
    echo "the tests have changed the source tree (> is new, < is gone):"
    cat "$build/tree.diff"
    exit 1
    ;;
esac
