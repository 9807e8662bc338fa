#!/bin/sh
# check_install.sh BUILD [SOURCE_DIR]: installs the build into a temporary prefix, moves it, and compiles and runs
# docs/example.c against it three ways: pkg-config, CMake shared, CMake static; and docs/example_predict.c against
# libnysel-predict by pkg-config and by CMake.
set -eu
build=$(readlink -f "$1")
source=$(readlink -f "${2:-$(dirname "$0")/..}")
grep -qE '__[at]san_init' "$build/nysel" && { echo "skip a program without the sanitizer cannot use its library"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >"$work/log"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name nysel.pc)")
export PKG_CONFIG_PATH
lib=$(dirname "$(find "$prefix" -name libnysel.a)")
export OMP_WAIT_POLICY=passive

cd "$work"
"$prefix/bin/nysel" demo mixture --rows 200 --write data.csv >/dev/null
cc -Wall -Wextra "$source/docs/example.c" $(pkg-config --cflags --libs nysel) -o by_pkgconfig
cc -Wall -Wextra "$source/docs/example_predict.c" $(pkg-config --cflags --libs nysel-predict) -o predict_pkgconfig
mkdir consumer
cat >consumer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(consumer C)
find_package(nysel 0.1 REQUIRED COMPONENTS static predict)
add_executable(by_shared $source/docs/example.c)
target_link_libraries(by_shared PRIVATE nysel::nysel)
add_executable(by_static $source/docs/example.c)
target_link_libraries(by_static PRIVATE nysel::nysel_static)
add_executable(predict_cmake $source/docs/example_predict.c)
target_link_libraries(predict_cmake PRIVATE nysel::nysel_predict)
END
cmake -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$prefix" >>"$work/log"
cmake --build consumer/build >>"$work/log"
for program in ./by_pkgconfig consumer/build/by_shared consumer/build/by_static; do
    LD_LIBRARY_PATH=$lib $program data.csv | grep '^first row: ' >"$(basename "$program").out"
done
cmp by_pkgconfig.out by_shared.out
cmp by_pkgconfig.out by_static.out
for program in ./predict_pkgconfig consumer/build/predict_cmake; do
    $program example.nysel data.csv >"$(basename "$program").out"
done
cmp predict_pkgconfig.out predict_cmake.out
test "$(wc -l <predict_cmake.out)" -eq 200
for file in bin/nysel include/nysel.h share/man/man1/nysel-train.1 share/bash-completion/completions/nysel; do
    test -s "$prefix/$file" || { echo "not installed: $file"; exit 1; }
done
echo "installed, moved and used three ways: $(cat by_pkgconfig.out)"
