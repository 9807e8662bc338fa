#!/bin/bash
# What does not go together with a machine or its loss is refused, by the option's name and with a remedy.
. "$(dirname "$0")/lib.inc"
. "$source_dir/tests/cli/refuse.inc"
"$nysel" demo banana --write classes.csv --rows 60 -q
"$nysel" demo sinc --write numbers.csv --rows 60 -q

for m in svm l2svm logistic; do
    misuse "--machine $m is for classes, and the target holds numbers: use svr, huber, quantile or lssvm" numbers.csv --machine $m
    for c in gcv evidence evidence-nystrom; do
        misuse "--criterion $c is for machines of squared loss: use newton, loo, cv or bif with --machine $m" classes.csv --machine $m --criterion $c
    done
done
for m in svr huber quantile; do
    misuse "--machine $m is for numbers, and the target holds classes: use svm, l2svm, logistic or lssvm" classes.csv --machine $m
    misuse "--criterion gcv is for machines of squared loss: use newton" numbers.csv --machine $m --criterion gcv
    misuse '--class-weight balanced: there are no classes in a regression' numbers.csv --machine $m --class-weight balanced
done
for m in svm logistic; do
    for o in '--solver cg' '--bound' '--expansion training'; do
        misuse "$o is for squared losses in closed form, not for --machine $m: use --machine lssvm or krr" classes.csv --machine $m $o
    done
    misuse "--posterior yes: there is no posterior for .*use --machine lssvm" classes.csv --machine $m --posterior yes
    misuse "--proba-method posterior: there is no posterior for .*use --machine lssvm" classes.csv --machine $m --proba-method posterior
    misuse "in passes is for squared losses in closed form, not for --machine $m: use --stream no" classes.csv --machine $m --stream yes
done
for m in lssvm krr; do
    misuse "--expansion active leaves out rows that cost nothing .*every row of $m costs something: use --expansion training or landmarks" classes.csv --machine $m --expansion active
done
misuse 'every row of logistic costs something: use --expansion landmarks' classes.csv --machine logistic --expansion active
for m in huber quantile; do
    misuse "every row of $m costs something: use --expansion landmarks" numbers.csv --machine $m --expansion active
done
for o in '--solver cg' '--bound'; do
    misuse "$o is for squared losses in closed form, not for --machine l2svm" classes.csv --machine l2svm --expansion active $o
done
misuse 'in passes is for squared losses .*use --stream no' classes.csv --machine l2svm --expansion active --stream yes
for c in bif fbif; do
    misuse "--expansion training is judged by loo, gcv or cv, not by --criterion $c" classes.csv --criterion $c --expansion training
done
misuse '--solver cg leaves rows out one by one, and --criterion holdout only a fixed set' classes.csv --criterion holdout --solver cg
misuse '--compare-criteria compares criteria that hold every row out' classes.csv --criterion holdout --compare-criteria
misuse '--posterior yes: there is no posterior for --criterion holdout' numbers.csv --criterion holdout --posterior yes
for c in newton; do
    misuse "--solver cg is for squared losses in closed form, not for --criterion $c: use --criterion cv" classes.csv --criterion $c --solver cg
    misuse "--bound is for .*not for --criterion $c: use --criterion cv" numbers.csv --criterion $c --bound
done
misuse '--machine nosuch: expected one of lssvm, krr, svm' classes.csv --machine nosuch
misuse '--hinge sharp: expected smooth\|exact' classes.csv --machine svm --hinge sharp
for v in 0 1e-7 11 -1; do misuse "--hinge-width $v: must be between" classes.csv --machine svm --hinge-width $v; done
for v in 0 1 x 0.5, ,0.5 0.1,,0.9 -0.1 1.5 nan; do
    misuse "--quantiles $v: expected numbers above 0 and below 1, as 0.05,0.5,0.95" numbers.csv --machine quantile --quantiles $v
done
misuse '--quantiles : expected numbers above 0 and below 1' numbers.csv --machine quantile --quantiles ''
misuse '--quantiles 0.5,0.1,0.5: 0.5 is there twice' numbers.csv --machine quantile --quantiles 0.5,0.1,0.5
misuse '--epsilon -1: must be between 0 and' numbers.csv --machine svr --epsilon -1
misuse '--delta 0: must be between' numbers.csv --machine huber --delta 0
for v in x nan inf ''; do
    misuse "--epsilon $v: expected a number" numbers.csv --machine svr --epsilon "$v"
    misuse "--delta $v: expected a number" numbers.csv --machine huber --delta "$v"
done
for m in lssvm svm logistic; do
    misuse "--epsilon is for --machine svr, and this is $m: leave it out" classes.csv --machine $m --epsilon 1
    misuse "--delta is for --machine huber, and this is $m: leave it out" classes.csv --machine $m --delta 1
    misuse "--quantiles is for --machine quantile, and this is $m: leave it out" classes.csv --machine $m --quantiles 0.1
done
for m in lssvm l2svm logistic; do
    misuse "--hinge exact is for losses with corners .*and this is $m: leave it out" classes.csv --machine $m --hinge exact
done

works 'expansion active: [0-9]+ of the [0-9]+ rows' train classes.csv -o out/m.nysel --machine l2svm --expansion active
works 'expansion active: [0-9]+ of the [0-9]+ rows' train numbers.csv -o out/m.nysel --machine svr --expansion active
works 'svr, ' train numbers.csv -o out/m.nysel --machine svr --epsilon 0 --hinge exact --C 10
works 'quantile, ' train numbers.csv -o out/m.nysel --machine quantile --quantiles 0.9,0.1
works 'svm, ' train classes.csv -o out/m.nysel --machine svm --criterion cv --select-on error

echo "$cases cases"
finish
