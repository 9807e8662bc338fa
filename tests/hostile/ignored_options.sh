#!/bin/bash
# Every option given is used, refused (2) or mentioned, as the command line sees it. The rules themselves are looped over
# by tests/unit/test_option_rules.c.
. "$(dirname "$0")/../cli/lib.inc"
. "$source_dir/tests/cli/refuse.inc"
"$nysel" demo banana --write two.csv --rows 60 -q
"$nysel" demo waveform --write three.csv --rows 90 -q
"$nysel" demo sinc --write numbers.csv --rows 60 -q
awk 'BEGIN { for (i = 0; i < 20; i++) print i % 2, "1:" i, "2:" (i * 7) % 5 }' >rows.svm
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 3 }' >folds.txt
"$nysel" train two.csv -o two.nysel -q
"$nysel" train numbers.csv -o numbers.nysel -q
quick="--kernel rbf --bandwidth 1 --C 1 --search none"

# mentions REGEX ARGUMENTS...: succeeds; a warning, a note and the record say it.
mentions() {
    local regex=$1 name
    shift
    name="$*"
    run "$@" --json out/m.json
    if [ $status -ne 0 ]; then wrong "$name" "exit status $status instead of 0"
    elif ! grep -Eq -- "^nysel: warning: .*$regex" stderr; then wrong "$name" "no warning matches '$regex'"
    elif ! grep -Eq -- "^ *(note:?) +.*$regex" stdout; then wrong "$name" "no note matches '$regex'"
    elif ! grep -Eq -- "$regex" out/m.json; then wrong "$name" "the record does not say it"
    else pass "$name"
    fi
}
# silent ARGUMENTS...: succeeds without a warning.
silent() {
    run "$@"
    if [ $status -ne 0 ]; then wrong "$*" "exit status $status instead of 0"
    elif grep -q warning stderr; then wrong "$*" "a warning"
    else pass "$*"
    fi
}

# Used: a number of folds asks for cross-validation.
works '5-fold cross-validation' train numbers.csv --folds 5 -o out/m.nysel
works '10-fold cross-validation' train two.csv --folds 10 -o out/m.nysel
works 'leave-one-out' train two.csv -o out/m.nysel

# Refused before the data are read: the file does not exist.
misuse '--folds 5 asks for folds, and --criterion loo has none: use --criterion cv' nosuch.csv --criterion loo --folds 5
misuse '--folds 5 and --fold-file both say' nosuch.csv --folds 5 --fold-file folds.txt
misuse '--bandwidth 3: the linear kernel has no bandwidth' nosuch.csv --kernel linear --bandwidth 3
misuse '--bandwidth -2:2:1 is a range, and --search none' nosuch.csv --search none --bandwidth -2:2:1
misuse '--degree is for --kernel poly .*this is rbf' nosuch.csv --kernel rbf --degree 3
misuse '--coef0 is for --kernel poly .*this is matern32' nosuch.csv --kernel matern32 --coef0 1
misuse '--hinge-width is for losses with corners .*this is lssvm' nosuch.csv --hinge-width 0.25
misuse '--quantiles is for --machine quantile' nosuch.csv --quantiles 0.5
misuse '--solver-tol is for --solver cg, and this is direct' nosuch.csv --solver direct --solver-tol 1e-8
misuse '--solver-tol is for --solver cg, and this is auto' nosuch.csv --solver-tol 1e-4
misuse '--solver-iterations is for the exact machine' nosuch.csv --landmarks 50 --solver-iterations 10
misuse '--csa-evaluations is for --search csa' nosuch.csv --search grid --csa-evaluations 90
misuse '--csa-starters is for --search csa' nosuch.csv --search csa --kernel rbf --bandwidth 1 --C 1 --csa-starters 3
misuse '--ard-by loo is for --ard or --select-inputs' nosuch.csv --ard-by loo
refuse 2 '--search csa has no effect: kernel and bandwidth of the path are given' path nosuch.csv --kernel rbf --bandwidth 1 --search csa
refuse 2 '--select-on has no effect' path nosuch.csv --kernel linear --select-on error
refuse 2 '--kernel is for a training, and --write only writes' demo --write out/x.csv --kernel rbf
refuse 2 '--json is for a training, and --write only writes' demo --write out/x.csv --json out/x.json
refuse 2 "'nysel demo list' takes no options: leave out --seed" demo list --seed 2

# Refused when the file is known, or the model.
misuse 'rows.svm: --target does not apply to libsvm text' rows.svm --target 1
misuse 'rows.svm: --categorical does not apply to libsvm text' rows.svm --categorical 1
misuse 'rows.svm: --header yes is for CSV' rows.svm --header yes
misuse 'rows.svm: --weight-column does not apply to libsvm text' rows.svm --weight-column 1
misuse '--categorical is for inputs, and column "x2" is the target' two.csv --target x2 --categorical x2
misuse '--class-weight balanced: there are no classes' numbers.csv --class-weight balanced
misuse '--prior uniform: there are no classes' numbers.csv --prior uniform
refuse 2 '--proba needs a classifier' predict numbers.nysel numbers.csv --proba
refuse 2 '--prior uniform: there are no classes' predict numbers.nysel numbers.csv --prior uniform
refuse 2 '--interval is for numbers, and the model predicts classes' predict two.nysel two.csv --interval 0.9
refuse 2 '--interval is for numbers, and the model predicts classes' test two.nysel two.csv --interval 0.9
refuse 2 "--target is for data, and 'two.nysel' is a model" info two.nysel --target y

# Mentioned, as it depends on the data.
mentions '--multiclass ovo has no effect' train two.csv $quick --multiclass ovo
mentions '--decoding hamming has no effect' train two.csv $quick --decoding hamming
mentions '--multiclass ova has no effect' train numbers.csv $quick --multiclass ova
mentions '--select-on error has no effect' train numbers.csv $quick --select-on error
mentions '--proba-method calibration has no effect' train numbers.csv $quick --proba-method calibration
mentions '--posterior yes is for predict --interval' train two.csv $quick --posterior yes
mentions '--landmark-method kmeans has no effect' train two.csv $quick --landmark-method kmeans
mentions '--criterion gcv has no folds and gives way to cv' train two.csv $quick --criterion gcv --fold-file folds.txt
mentions '--decoding loss has no effect: the logistic' train three.csv $quick --machine logistic --multiclass ovo --decoding loss
mentions '--multiclass moc has no effect' path two.csv --kernel rbf --bandwidth 1 --lambda-min 1 --multiclass moc -o out/p.csv

# Words that leave the choice to the program, or say what is done anyway, are no contradiction.
silent train two.csv --kernel linear --bandwidth auto --machine lssvm --hinge smooth --epsilon auto --solver-tol 1e-6 --solver cg
silent train numbers.csv $quick --class-weight none --prior none --select-on mse --posterior no
silent train three.csv $quick --multiclass moc --decoding hamming --select-on error --landmarks 20 --landmark-method kmeans
silent train rows.svm --header no --missing error
silent predict numbers.nysel numbers.csv --prior none --interval 0

echo "$cases cases"
finish
