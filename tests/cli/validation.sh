#!/bin/bash
# --validation FILE: rows of any format to judge by, read as the training file says, never learnt from; what is wrong
# with them is told with file, line and column.
. "$(dirname "$0")/lib.inc"
. "$source_dir/tests/cli/refuse.inc"
holdout='--criterion holdout --validation'
"$nysel" demo banana --rows 90 --write learn.csv -q
"$nysel" demo banana --rows 60 --seed 7 --write judge.csv -q
"$nysel" demo sinc --rows 60 --write numbers.csv -q

# the error that is expected is that of the file, and the model has not learnt from it
works 'judged by 60 rows of judge.csv, which the model has not learnt from' train learn.csv $holdout judge.csv -o m.nysel
sed -n 's/^ *expected error *\([0-9.]*%\).*/\1/p' stdout >expected
"$nysel" test m.nysel judge.csv --outside keep | sed -n 's/^ *error *//p' >tested
check 'the expected error is the tested one' cmp expected tested
works 'judged by 60 rows' train learn.csv $holdout judge.csv --seed 2 -o again.nysel

# columns go by name, in any order; others are passed over
awk -F, -v OFS=, '{print NR == 1 ? "extra" : NR, $3, $2, $1}' judge.csv >shuffled.csv
"$nysel" train learn.csv $holdout judge.csv --bandwidth 0.5 -o a.nysel --json a.json -q
"$nysel" train learn.csv $holdout shuffled.csv --bandwidth 0.5 -o b.nysel --json b.json -q
for f in a b; do grep -E '"(error|value)"' $f.json >$f.value; done
check 'the order of the columns does not matter' cmp a.value b.value

# libsvm text and .npy as the training file is
awk -F, 'NR > 1 {print $3, "1:" $1, "2:" $2}' learn.csv >learn.txt
awk -F, 'NR > 1 {print $3, "1:" $1, "2:" $2}' judge.csv >judge.txt
works 'judged by 60 rows of judge.txt' train learn.txt $holdout judge.txt --machine svm -o m.nysel
for python in python3 /usr/bin/python3 none; do $python -c 'import numpy' 2>/dev/null && break; done
if [ $python != none ]; then
    for f in learn judge; do
        $python -c "import numpy as n; n.save('$f.npy', n.loadtxt('$f.csv', delimiter=',', skiprows=1))"
    done
    works 'judged by 60 rows of judge.npy' train learn.npy $holdout judge.npy -o m.nysel
    $python -c "import numpy as n; x = n.load('judge.npy'); x[4, 2] = 7; n.save('odd.npy', x)"
    bad "odd.npy:5:3: the target '7' is none of the 2 classes that are learnt" learn.npy $holdout odd.npy
else
    skip 'no numpy'
fi

# what is wrong is told with its place
sed '5s/[^,]*$/maybe/' judge.csv >unknown.csv
bad "unknown.csv:5:3: the target 'maybe' is none of the 2 classes that are learnt" learn.csv $holdout unknown.csv
sed '3s/^[^ ]*/7/' judge.txt >unknown.txt
bad "unknown.txt:3:1: the target '7' is none of the 2 classes" learn.txt $holdout unknown.txt
sed '6s/[^,]*$//' judge.csv >missing.csv
bad 'missing.csv:6:3: the target is missing here' learn.csv $holdout missing.csv
cut -d, -f1,2 judge.csv >none.csv
bad 'none.csv: there is no row with a target to judge by' learn.csv $holdout none.csv
cut -d, -f2,3 judge.csv >short.csv
bad 'short.csv.*x1' learn.csv $holdout short.csv
sed '4s/[^,]*$/high/' numbers.csv >text.csv
bad "text.csv:4:4: the target 'high' is not a number" numbers.csv $holdout text.csv
bad 'absent.csv: ' learn.csv $holdout absent.csv

# what does not go together
misuse '--validation is for --criterion holdout, and this is cv' learn.csv --criterion cv --validation judge.csv
misuse '--expansion training is judged by rows that it learns from in the end' learn.csv $holdout judge.csv --expansion training
misuse '--criterion holdout .use cv. needs all rows in memory' learn.csv $holdout judge.csv --stream yes
misuse '--validation 1.5: must be between' learn.csv $holdout 1.5
yes 1 | head -90 >folds
misuse '--validation judge.csv and --fold-file both say which rows are held out' learn.csv $holdout judge.csv --fold-file folds
finish
