#!/bin/bash
# Help, suggestions and exit statuses; every option of the table is explained.
. "$(dirname "$0")/lib.inc"

expect 0 "nysel alone prints the overview"
check "the overview names every command" says out "nysel predict MODEL DATA"
expect 0 "--help" --help
check "--help goes to standard output" says out "commands:"
expect 0 "--version" --version
check "the version is the header's" says out "$(sed -n 's/.*NYSEL_VERSION "\(.*\)"/\1/p' "$source_dir/include/nysel.h")"

# OpenBLAS tells which processor it has code for when it is loaded; the last word counts (cli/main.c, start_again).
core() { OPENBLAS_VERBOSE=2 "$nysel" --version 2>&1 >/dev/null | sed -n 's/^Core: //p' | tail -1; }
if grep -q avx2 /proc/cpuinfo; then
    check "OpenBLAS has code for this processor" test "$(unset OPENBLAS_CORETYPE; core)" != Prescott
fi
check "the user's word on it stands" test "$(OPENBLAS_CORETYPE=Nehalem core)" = Nehalem

"$nysel" help --options-markdown >options.md
options=$(sed -n 's/^ *X([a-z]*, [A-Za-z0-9_]*, "\([^"]*\)".*/\1/p' "$source_dir/src/options/options.h")
check "the table has options" test -n "$options"
for option in $options; do
    check "--$option is in the option table" says options.md "--$option"
    expect 0 "help $option" help "$option"
done
for command in $("$nysel" help --commands); do
    expect 0 "help $command" help "$command"
    check "help $command shows the usage" says out "usage: nysel $command"
    expect 0 "man page of $command" help --man "$command"
    check "the man page of $command has a title" grep -q "^\.TH NYSEL-" out
    [ "$command" = help ] || expect 0 "$command --help" "$command" --help
done
for topic in kernels kernel criteria criterion searches landmarks landmark-method machines scales multiclass demos exit; do
    expect 0 "help $topic" help $topic
    check "help $topic prints something" test -s out
done
"$nysel" help --completion >completion.bash
check "the completion is valid bash" bash -n completion.bash
complete_words() { # what bash offers for these words, the last one unfinished
    bash -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nysel; echo "${COMPREPLY[@]}"' - "$@" >words
}
complete_words nysel tr
check "completes a command" says words train
complete_words nysel train --crit
check "completes an option" says words --criterion
complete_words nysel train --kernel r
check "completes a member of a family" says words rbf
complete_words nysel train --header = y
check "completes a choice behind =" says words yes
complete_words nysel predict --crit
check "offers only the command's own options" test "$(cat words)" = ""

expect 2 "unknown command" trian data.csv
check "suggests the closest command" says err "did you mean 'train'?"
expect 2 "unknown option" train data.csv --kernal rbf
check "suggests the closest option" says err "did you mean '--kernel'?"
expect 2 "an option of another command" predict m d --kernel rbf
check "names the commands that have it" says err "train"
expect 2 "missing argument of an option" train data.csv --kernel
check "says what the option needs" says err "--kernel needs an argument"
expect 2 "an option is no argument" train data.csv --kernel --quiet
expect 2 "value that is no choice" train data.csv --header maybe
expect 2 "value that is no number" train data.csv --folds many
expect 2 "value out of bounds" train data.csv --folds 1
expect 2 "unknown member of a family" train data.csv --kernel nosuch
expect 2 "no data file" train
expect 2 "too many operands" train a.csv b.csv
expect 2 "unknown help topic" help kernls
check "suggests a topic" says err "did you mean"
expect 2 "unknown demo" demo nosuch
expect 1 "file that is not there" train nosuch.csv
check "the message begins with nysel: and names the file" grep -q "^nysel: .*nosuch.csv" err
if [ -e /dev/full ]; then
    "$nysel" help train >/dev/full 2>err
    check "a full disk is exit status 1" test $? -eq 1
    check "a full disk is reported" says err "standard output"
fi
# What is generated is what this program says.
mkdir copy && cp -r "$source_dir/docs" "$source_dir/completions" copy
rm copy/docs/man/* copy/completions/*
sed -i '/^<!-- options -->$/,/^<!-- \/options -->$/{/^|/d}' copy/docs/options.md
check "man pages, completion and option table can be made" sh "$source_dir/scripts/generate_docs.sh" "$nysel" copy
for part in docs/man docs/options.md completions; do
    check "$part is up to date (make docs)" diff -r "$source_dir/$part" "copy/$part"
done
finish
