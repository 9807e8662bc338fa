#!/bin/bash
# same_model.sh: a model file holds what was trained, not how the command line was told to write and to talk about it,
# and not what the run took: trainings that differ in nothing else give the same bytes.
. "$(dirname "$0")/lib.inc"

expect 0 "demo banana --rows 300 --write classes.csv" demo banana --rows 300 --write classes.csv
expect 0 "demo sinc --rows 200 --write numbers.csv" demo sinc --rows 200 --write numbers.csv
mkdir other
for case in "classes.csv" "numbers.csv --bound" "classes.csv --solver cg --landmarks 100" "classes.csv --machine svm"; do
    expect 0 "train $case --seed 3 --threads 1 -o one.nysel" train $case --seed 3 --threads 1 -o one.nysel
    expect 0 "train $case --seed 3 --threads 1 -o other/two.nysel --json report.json --quiet --progress never" train $case --seed 3 --threads 1 -o other/two.nysel --json report.json --quiet --progress never
    check "$case: the same model, bit for bit" cmp one.nysel other/two.nysel
done
check "the file names neither output nor report" bash -c '! grep -aqE "two.nysel|report.json" other/two.nysel'
expect 0 "info one.nysel" info one.nysel
check "what a run took is not in the file" bash -c '! grep -q "  time  " out'
expect 2 "demo banana --write x.csv --kernel rbf" demo banana --write x.csv --kernel rbf
check "it says so" says err "--kernel is for a training, and --write only writes the data"
expect 2 "demo banana --rows 1.5 --write x.csv" demo banana --rows 1.5 --write x.csv
check "it says so" says err "--rows 1.5: expected a whole number"
expect 2 "demo banana --rows 2e9 --write x.csv" demo banana --rows 2e9 --write x.csv
check "it says so" says err "--rows 2e9: must be between 0 and 1000000000"
expect 2 "train classes.csv --progress sometimes" train classes.csv --progress sometimes
check "it says so" says err "--progress sometimes: expected auto|always|never"
expect 2 "train classes.csv --quiet=perhaps" train classes.csv --quiet=perhaps
check "it says so" says err "--quiet perhaps: expected yes or no"
expect 0 "train numbers.csv -o numbers.nysel --search none" train numbers.csv -o numbers.nysel --search none
expect 2 "predict numbers.nysel numbers.csv --proba" predict numbers.nysel numbers.csv --proba
check "it says so" says err "--proba needs a classifier, and this is a regression model"
finish
