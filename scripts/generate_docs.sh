#!/bin/sh
# generate_docs.sh NYSEL [SOURCE_DIR]: writes docs/man/*.1, completions/nysel.bash and the table of docs/options.md
# from the tables inside the binary.
set -eu
nysel=$(readlink -f "$1")
cd "${2:-$(dirname "$0")/..}"

mkdir -p docs/man completions
"$nysel" help --man nysel >docs/man/nysel.1
for command in $("$nysel" help --commands); do
    "$nysel" help --man "$command" >"docs/man/nysel-$command.1"
done
"$nysel" help --completion >completions/nysel.bash

if [ -f docs/options.md ]; then
    table=$(mktemp)
    "$nysel" help --options-markdown >"$table"
    awk -v table="$table" '
        /^<!-- \/options -->$/ { inside = 0 }
        !inside { print }
        /^<!-- options -->$/ { inside = 1; while ((getline line < table) > 0) print line; print "" }
    ' docs/options.md >docs/options.md.new
    rm -f "$table"
    mv docs/options.md.new docs/options.md
fi
