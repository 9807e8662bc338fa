#!/bin/bash
# The documentation: the README is short, links lead somewhere, commands do what is shown, tables are those of the
# results. Then the checks themselves: a fault that is put into a copy must be noticed.
. "$(dirname "$0")/lib.inc"
export PYTHONDONTWRITEBYTECODE=1
holds() { python3 "$source_dir/scripts/check_docs.py" "$1" "$nysel"; }
runs() { python3 "$source_dir/scripts/run_examples.py" "$nysel" "$@"; }

check "README short, links, targets and options there" holds "$source_dir"
check "commands of the README do what is shown" runs "$source_dir/README.md"
[ -n "$small" ] || check "commands of the guide do what is shown" runs "$source_dir"/docs/guide/*.md
sed -n '/^```c$/,/^```$/{/^```/!p}' "$source_dir/docs/guide/use-from-c.md" >example.c
check "the program of the guide is docs/example.c" cmp example.c "$source_dir/docs/example.c"
check "tables are those of bench/results (bench/report/report.py)" python3 "$source_dir/bench/report/report.py" --check

# notices WHAT SED FILE MESSAGE: with this change of FILE the documents no longer hold together, and MESSAGE says so.
notices() {
    sed -i "$2" "copy/$3"
    holds copy >out 2>err
    check "notices $1" grep -qF -- "$4" err
    cp "$source_dir/$3" "copy/$3"
}
mkdir copy copy/bench
cp -r "$source_dir"/{docs,*.md,LICENSE,Makefile} copy && cp "$source_dir"/bench/README.md copy/bench
check "a copy holds together" holds copy
notices "a file that is not there" 's/glossary.md/glosary.md/' docs/guide/README.md "glosary.md: there is no such file"
notices "a heading that is not there" 's/#exit-status/#exit/' docs/guide/getting-started.md "#exit: there is no such heading"
notices "a target that is not there" 's/make install/make instal/' docs/guide/getting-started.md "'make instal'"
notices "an option that is not there" 's/--kernel rbf/--kernal rbf/' docs/guide/speed.md "--kernal: there is no such option"
notices "a document that nothing leads to" '/use-from-c.md/d' docs/guide/README.md "use-from-c.md: no link leads here"
notices "a long README" '1r copy/docs/formats.md' README.md "are allowed"

printf 'text\n\n    $ nysel demo sinc --rows 50 --write a.csv\n    50 rows written to a.csv\n' >shown.md
check "a command as it is shown" runs shown.md
not() { ! "$@"; }
for wrong in 's/50 rows/80 rows/' 's/written/copied/' 's/--rows 50/--rows 0.5/' '$d' 's/sinc/sin/'; do
    sed "$wrong" shown.md >wrong.md
    check "notices $wrong in an example" not runs wrong.md
done
sed 's/written/copied/' shown.md >written.md
check "output can be written anew" runs --write written.md
check "and is as it was" cmp shown.md written.md
finish
