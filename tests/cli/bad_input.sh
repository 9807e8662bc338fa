#!/bin/bash
# What nysel says to malformed and extreme input. One line is one case: the exit status, a regular expression that the
# message must match, and the command.
. "$(dirname "$0")/lib.inc"
. "$source_dir/tests/cli/refuse.inc"

# ---- the checks -----------------------------------------------------------------------------------------------------

# good REGEX FILE OPTIONS...: training works, the model and the JSON are whole, and the model predicts its own file with
# finite numbers.
good() {
    local regex=$1 file=$2
    shift 2
    works "$regex" train "$file" -o out/m.nysel --json out/m.json "$@"
    [ $status -eq 0 ] || return
    python3 -m json.tool out/m.json >/dev/null || fail "$file $*: the JSON is broken"
    "$nysel" predict out/m.nysel "$file" --scores --missing mean >scores.csv 2>stderr </dev/null || wrong "$file $*" "its own data cannot be predicted"
    ! grep -aEqi ',-?(nan|inf)' scores.csv || fail "$file $*: scores are not finite"
}

# ---- files that serve many cases ------------------------------------------------------------------------------------

"$nysel" demo banana --write ok.csv --rows 60 -q || fail "demo --write"
"$nysel" train ok.csv -o ok.nysel -q || fail "train"
"$nysel" predict ok.nysel ok.csv --scores >ok.scores 2>/dev/null
mkdir folder
table() { printf 'a,b,y\n'; printf '%b\n' "$@"; } # a CSV of these rows

# ---- empty and tiny -------------------------------------------------------------------------------------------------

: >empty.csv;                                             bad 'empty\.csv is empty' empty.csv
printf '\n \n\r\n' >blank.csv;                            bad 'blank\.csv is empty' blank.csv
table >header.csv;                                        bad 'header\.csv has a header but no rows' header.csv
table 1,2,p >one.csv;                                     bad '1 row: at least 2 are needed' one.csv
table 1,2,p 2,1,q >two.csv;                               good '2 rows' two.csv
                                                          good 'note: 10 folds asked for but only 2 rows' two.csv --criterion cv
                                                          good '2 rows' two.csv --criterion gcv
table 1,2,0.5 2,1,1.5 >two_r.csv;                         good 'regression.*2 rows' two_r.csv --task regression
table 1,2,p 2,1,q 3,3,p >three.csv;                       good '3 rows' three.csv
                                                          good 'note: 1000 folds asked for but only 60 rows' ok.csv --criterion cv --folds 1000
printf 'y\n1\n2\n1\n2\n' >target.csv;                     bad 'no input columns' target.csv
: >empty.svm;                                             bad 'empty' empty.svm --format libsvm
printf '1\n-1\n1\n' >nothing.svm;                         bad 'has no inputs' nothing.svm --format libsvm

# ---- the shape of a CSV ---------------------------------------------------------------------------------------------

table 1,2,p 2,q 3,1,p >short_row.csv;                     bad 'short_row\.csv:3: 2 fields, expected 3' short_row.csv
table 1,2,p 2,1,q,9 3,1,p >long_row.csv;                  bad 'long_row\.csv:3: 4 fields, expected 3' long_row.csv
table 1,2,p '2,"1,q' 3,1,p >quote.csv;                    bad 'quote\.csv:3:2: .*quote.*never closed' quote.csv
table 1,2,p '2,"1"x,q' 3,1,p >after.csv;                  bad 'after\.csv:3:2: text after the closing quote' after.csv
table 1,2,p '2,1\0000,q' >nul.csv;                        bad 'nul\.csv:3: a NUL byte' nul.csv
printf '\xff\xfea\0,\0b\0' >utf16.csv;                    bad 'UTF-16.*UTF-8' utf16.csv
printf 'a,b,y\r1,2,p\r2,1,q\r' >mac.csv;                 bad 'lines end with CR only' mac.csv
tr , ' ' <ok.csv >blanks.csv;                             bad 'separated by commas, semicolons or tabs' blanks.csv
head -c 10000000 /dev/zero | tr '\0' 7 >line.csv;         bad 'no input columns' line.csv
head -c 10000000 /dev/zero | tr '\0' '"' >quotes.csv;     bad 'no input columns|never closed' quotes.csv
head -c 1000000 /dev/zero | tr '\0' , >commas.csv;        bad 'missing value .*one of 1000000' commas.csv
rm -f line.csv quotes.csv commas.csv
sed 's/$/\r/' ok.csv >crlf.csv;                           good '60 rows, 2 inputs' crlf.csv
tr , ';' <ok.csv >semicolon.csv;                          good '60 rows, 2 inputs' semicolon.csv
tr , '\t' <ok.csv >tab.csv;                               good '60 rows, 2 inputs' tab.csv
(printf '\xef\xbb\xbf'; cat ok.csv) >bom.csv;             good '60 rows, 2 inputs' bom.csv
check "the mark before the header is no part of it" "$nysel" predict out/m.nysel ok.csv
printf '"a, b","c ""d""",y\n1,2,p\n2,3,q\n1,4,p\n2,5,q\n' >names.csv
                                                          good '4 rows, 2 inputs' names.csv
printf 'na\xefve,b,y\n1,\xff,caf\xe9\n2,\xfe,q\n3,\xff,caf\xe9\n5,\xfe,q\n' >latin1.csv
                                                          good '4 rows, 3 inputs' latin1.csv
cp out/m.nysel latin1.nysel
works 'caf' predict latin1.nysel latin1.csv --proba --json -
check "bytes that are not UTF-8 still make valid JSON" python3 -m json.tool stdout
printf 'a,a,y,y\n1,2,p,1\n2,3,q,2\n1,3,p,1\n2,4,q,2\n' >twice.csv
                                                          good '4 rows, 3 inputs' twice.csv
awk 'BEGIN { for (r = 0; r <= 20; r++) { for (c = 1; c <= 5000; c++) printf "%s,", r ? (r * c * 7919) % 1009 : "f" c
             print r ? (r % 2 ? "p" : "q") : "y" } }' >wide.csv
                                                          good '20 rows, 5000 inputs' wide.csv
printf 'a,b,y\n' >many.csv; seq 1500 | awk '{ print $1 "," $1 % 7 ",label" $1 }' >>many.csv
                                                          bad 'more than 1000 different values.*--target' many.csv
printf 'a,b,y\n' >keys.csv; seq 20300 | awk '{ print "id" int($1 / 2) "," $1 % 7 "," $1 % 2 }' >>keys.csv
                                                          bad 'keys\.csv:[0-9]+:1: column "a" has more than 10000 different texts' keys.csv

# ---- values ---------------------------------------------------------------------------------------------------------

for v in inf -inf 1e300 1e999; do
    table 1,2,p 2,$v,q 3,1,p 4,4,q >value.csv;            bad "value\.csv:3:2: '$v' is too large" value.csv
done
for v in '' nan NA '?'; do
    table 1,2,p "2,$v,q" 3,1,p 4,4,q 5,3,p >missing.csv;  bad 'missing\.csv:3:2: missing value \(column "b"\), one of 1 .*--missing drop' missing.csv
done
                                                          good 'note: 1 rows? with missing values' missing.csv --missing drop
                                                          good '5 rows' missing.csv --missing mean
table 1,2,p 2,1, 3,1,p 4,4,q >no_y.csv;                   bad 'no_y\.csv:3:3: the target is missing' no_y.csv
                                                          bad 'no_y\.csv:3:3: the target is missing' no_y.csv --missing mean
                                                          good '3 rows' no_y.csv --missing drop
table 1,2, 2,1, 3,1, >no_ys.csv;                          bad 'nothing is left' no_ys.csv --missing drop
table ,2,p 2,,q ,1,p >holes.csv;                          bad 'nothing is left' holes.csv --missing drop
table 1,,p 2,,q 3,,p 4,,q >hole.csv;                      good 'note: 1 of 2 inputs' hole.csv --missing mean
table 1,2,p 2,abc,q 3,1,p 4,4,q >text.csv
bad "text\.csv:3:2: 'abc' is not a number \(column \"b\"\); --categorical b" text.csv
                                                          good '4 rows, 5 inputs' text.csv --categorical b
table 1,7,p 2,7,q 3,7,p 4,7,q >constant.csv;              good 'note: 1 of 2 inputs have one value only' constant.csv
table 7,7,p 7,7,q 7,7,p >constants.csv;                   bad 'every input has one value only' constants.csv
                                                          bad 'every input has one value only' constants.csv --scale none
table 1,2,p 2,3,p 3,1,p >one_class.csv;                   bad "has the same value, 'p', in every row" one_class.csv
table 1,2,3 2,3,3 3,1,3 >one_value.csv;                   bad "has the same value, '3', in every row" one_value.csv
                                                          good 'expected RMSE +0 ' one_value.csv --task regression
table 1,2,p 1,2,q 3,4,p 3,4,q 1,2,q 3,4,p >same.csv;      good '6 rows' same.csv
                                                          good '6 rows' same.csv --landmarks 5
table 1,2,p 1,2,q 1,2,q >point.csv;                       bad 'one value only' point.csv
awk -F, 'NR > 1 { $1 *= 1e15; $2 *= 1e15 } { print $1 "," $2 "," $3 }' CONVFMT=%.15g ok.csv >large.csv
                                                          good '60 rows, 2 inputs' large.csv
                                                          good '60 rows, 2 inputs' large.csv --scale none
awk -F, 'NR > 1 { $1 *= 1e-300 } { print $1 "," $2 "," $3 }' CONVFMT=%.15g ok.csv >tiny.csv
                                                          good '60 rows, 2 inputs' tiny.csv
check "a column of tiny values counts like any other" python3 - ok.scores scores.csv <<'P'
import csv, sys
a, b = ([float(r["score_1"]) for r in csv.DictReader(open(f))] for f in sys.argv[1:])
assert len(a) == 60 and all(abs(x - y) < 1e-6 for x, y in zip(a, b)), (a[:3], b[:3])
P
awk -F, 'NR > 1 { $1 += 1e9; $2 -= 1e12 } { print $1 "," $2 "," $3 }' CONVFMT=%.15g ok.csv >offset.csv
                                                          good '60 rows, 2 inputs' offset.csv
table 1,2,1e300 2,1,2 3,3,5 >large_y.csv;                 bad "large_y\.csv:2:3: target '1e300' is too large" large_y.csv

# ---- libsvm text ----------------------------------------------------------------------------------------------------

sparse() { # sparse LAST_LINE REGEX
    printf '1 1:2 3:1\n-1 1:1 2:1\n1 2:2\n-1 1:1\n%s\n' "$1" >s.svm
    bad "s\.svm:5:[0-9]+: $2" s.svm
}
sparse '1 0:1' "indices begin at 1: '0:1'"
sparse '1 2:1 1:3' "indices must ascend: '1:3'"
sparse '1 2:1 2:3' "indices must ascend: '2:3'"
sparse '1 99999999999:1' 'indices end at 2147483647'
sparse '1 5' "expected index:value, found '5'"
sparse '1 -1:3' "expected index:value, found '-1:3'"
sparse '1 :3' 'expected index:value'
sparse '1 2:abc' "not a number: 'abc'"
sparse '1 2:' 'not a number'
sparse '1 1:inf' 'too large'
sparse '1 1:1e300' 'too large'
sparse '1,2 1:3' 'several labels'
sparse '1:3' 'expected a label'
printf '1 1:2\n-1 1:1\n1 2147483647:1\n-1 2:2\n' >far.svm
bad '2147483647 inputs need about [0-9]+ MB .*--memory' far.svm --memory 8G
misuse '--target does not apply to libsvm' s.svm --target 1

# ---- .npy -----------------------------------------------------------------------------------------------------------

python3 - <<'P'
import random, struct
random.seed(2)
rows = [(a, b, 1.0 if a + b > 0 else -1.0) for a, b in ((random.gauss(0, 1), random.gauss(0, 1)) for _ in range(40))]
C = b"".join(struct.pack("<3d", *r) for r in rows)
F = b"".join(struct.pack("<40d", *[r[k] for r in rows]) for k in range(3))
def npy(name, data=C, descr="<f8", shape="(40, 3)", fortran=False, header=None, magic=b"\x93NUMPY\x01\x00"):
    h = header or "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)
    h = h.encode() + b"\n"
    open(name + ".npy", "wb").write(magic + struct.pack("<H", len(h)) + h + data)
npy("c")
npy("f", F, fortran=True)
npy("big", b"".join(struct.pack(">3d", *r) for r in rows), descr=">f8")
npy("magic", magic=b"\x93NUMPZ\x01\x00")
npy("version", magic=b"\x93NUMPY\x09\x00")
npy("short", C[:-5])
npy("short_f", F[:-5], fortran=True)
npy("cube", shape="(4, 10, 3)")
npy("object", descr="|O")
npy("huge", shape="(4000000000000, 3)")
npy("overflow", shape="(4611686018427387904, 4611686018427387904)")
npy("negative", shape="(-40, 3)")
npy("none", b"", shape="(0, 3)")
npy("garbage", header="{'descr': 'x")
npy("struct", header="{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }")
npy("nan", struct.pack("<d", float("nan")) + C[8:])
npy("inf", struct.pack("<d", float("inf")) + C[8:])
npy("longer", C + b"more")
open("stub.npy", "wb").write(b"\x93NUMPY\x01")
P
good '40 rows, 2 inputs' c.npy
cp scores.csv c.scores
good '40 rows, 2 inputs' f.npy
check "Fortran order is the same data" cmp c.scores scores.csv
good '40 rows, 2 inputs' big.npy
good 'bytes behind the array are not used' longer.npy
bad 'NUL byte: this is not a text file' magic.npy
bad 'is not a \.npy file' magic.npy --format npy
bad 'version 9 is unknown' version.npy
bad 'cut short: 40 rows of 3 columns take 960 bytes, 955' short.npy
bad 'cut short: 40 rows of 3 columns take 960 bytes, 955' short_f.npy
bad 'an array of 3 dimensions; one or two' cube.npy
bad "numpy type '\|O' cannot be read; save the array as float64" object.npy
bad 'cut short: 4000000000000 rows' huge.npy
bad 'are too many' overflow.npy
bad 'header .*cannot be understood' negative.npy
bad 'is empty' none.npy
bad 'header .*cannot be understood' garbage.npy
bad 'a structured array' struct.npy
bad 'nan\.npy:1:1: missing value' nan.npy
bad "inf\.npy:1:1: 'inf' is too large" inf.npy
bad 'not a \.npy file' stub.npy

# ---- files ----------------------------------------------------------------------------------------------------------

gzip -c ok.csv >ok.gz;                                    good '60 rows' ok.gz
head -c 300 ok.gz >cut.gz;                                bad 'cut\.gz: the gzip file is cut short' cut.gz
(head -c 20 ok.gz; head -c 2000 ok.nysel) >garbage.gz;    bad 'garbage\.gz: damaged gzip data' garbage.gz
printf '\x1f\x8bgarbage, and more of it' >odd.gz;         bad 'odd\.gz: damaged gzip data' odd.gz
bad 'no such file' nosuch.csv
bad 'no such file' ''
bad 'is a directory' folder
bad 'Not a directory' ok.csv/x
bad 'is a model of nysel, not data' ok.nysel # a model as data
if [ "$(id -u)" -ne 0 ]; then # root may read everything
    cp ok.csv closed.csv && chmod a-r closed.csv;         bad 'no permission to read it' closed.csv
fi

# ---- models ---------------------------------------------------------------------------------------------------------

predict() { refuse 1 "$1" predict "$2" ok.csv -o out/p.csv --json out/p.json; }
size=$(stat -c %s ok.nysel)
for bytes in 0 1 3 4 30 100 1000 $((size / 2)) $((size - 100)) $((size - 1)); do
    head -c $bytes ok.nysel >cut.nysel;                   predict 'cut\.nysel: (not a nysel model|.*cut short)' cut.nysel
done
predict 'not a nysel model' ok.csv
predict 'cannot be opened' nosuch.nysel
predict 'not a regular file' folder
printf 'PK\003\004 and so on' >text.nysel;                predict 'text\.nysel: ' text.nysel
# One bit flipped: an error, or (in what zip does not guard, as a date) the same predictions. Never a crash.
for i in $(seq 20); do
    python3 - "$i" <<'P'
import sys
b = bytearray(open("ok.nysel", "rb").read())
i = int(sys.argv[1])
b[(i * 7919 * len(b) // 20011 + i) % len(b)] ^= 1 << i % 8
open("flip.nysel", "wb").write(b)
P
    run predict flip.nysel ok.csv --scores -o out/p.csv
    if [ $status -eq 1 ] && grep -q '^nysel: flip.nysel: ' stderr && [ -z "$(ls -A out)" ]; then pass "bit $i flipped: refused"
    elif [ $status -eq 0 ] && cmp -s out/p.csv ok.scores; then pass "bit $i flipped: the same predictions"
    else wrong "bit $i flipped" "status $status"
    fi
done
cut -d, -f1,2 ok.csv >unlabelled.csv;                     works '^prediction' predict ok.nysel unlabelled.csv
                                                          refuse 1 'no target column' test ok.nysel unlabelled.csv --json out/t.json
cut -d, -f1 ok.csv >narrow.csv;                           refuse 1 'has no column "x2", which the model needs' predict ok.nysel narrow.csv -o out/p.csv
sed '1s/x2/z/' ok.csv >renamed.csv;                       refuse 1 'has no column "x2".*its columns are x1, z' predict ok.nysel renamed.csv -o out/p.csv
sed 1d ok.csv | sed 's/^/1,2,/' >broad.csv;               refuse 1 'has 5 columns; the model was trained on 2 inputs' predict ok.nysel broad.csv -o out/p.csv
sed '3s/^[^,]*/abc/' ok.csv >typo.csv;                    refuse 1 "typo\.csv:3:1: 'abc' is not a number" predict ok.nysel typo.csv -o out/p.csv
sed '3s/^[^,]*//' ok.csv >gap.csv;                        refuse 1 'gap\.csv:3:1: missing value' predict ok.nysel gap.csv -o out/p.csv
                                                          works '^prediction' predict ok.nysel gap.csv --missing mean
refuse 1 'is empty' predict ok.nysel empty.csv -o out/p.csv
seq 0 59 | awk 'BEGIN { split("red green blue", c, " "); print "c,x,y" } { print c[$1 % 3 + 1] "," $1 / 10 "," $1 % 2 }' >colour.csv
"$nysel" train colour.csv -o colour.nysel -q || fail "train with categories"
printf 'c,x\npurple,0.1\nred,0.2\npink,3\n' >unseen.csv;  works 'warning: unseen\.csv: 2 values .*not seen' predict colour.nysel unseen.csv

# ---- columns and options --------------------------------------------------------------------------------------------

weights() { awk -F, -v w="$1" 'NR == 1 { print $0 ",w" } NR > 1 { print $0 "," (NR == 5 ? w : 1) }' ok.csv >w.csv; }
weights -1;                                               bad "w\.csv:5:4: '-1' is a negative weight" w.csv --weight-column w
weights abc;                                              bad "w\.csv:5:4: the weight 'abc' is not a number" w.csv --weight-column w
weights '';                                               bad 'w\.csv:5:4: the weight is missing' w.csv --weight-column w
weights 0;                                                good 'note: 1 rows? of weight 0' w.csv --weight-column w
misuse 'has no column "nosuch"' ok.csv --weight-column nosuch
misuse 'both target and weight' ok.csv --weight-column target --target target
zeros() { awk -F, "NR == 1 { print \$0 \",w\" } NR > 1 { print \$0 \",\" ($1) }" ok.csv >w.csv; }
zeros 0;                                                  bad 'the weights \(column "w"\) are all zero' w.csv --weight-column w
zeros 'NR < 3';                                           bad 'only 1 of 60 rows have a weight above 0' w.csv --weight-column w
zeros '$3 > 0';                                           bad "every row with a weight above 0 has the same class" w.csv --weight-column w
folds() { seq "$1" | awk "{ print $2 }" >folds.txt; }
folds 60 '$1 % 3';                                        good '3-fold' ok.csv --fold-file folds.txt
folds 59 '$1 % 3';                                        bad '59 fold numbers, but the data have 60 rows' ok.csv --fold-file folds.txt
folds 61 '$1 % 3';                                        bad '61 fold numbers, but the data have 60 rows' ok.csv --fold-file folds.txt
folds 60 '"a"';                                           bad "folds\.txt:1: 'a' is not a fold number" ok.csv --fold-file folds.txt
folds 60 7;                                               bad 'folds\.txt: 1 folds?; at least 2' ok.csv --fold-file folds.txt
bad 'nosuch\.txt: no such file' ok.csv --fold-file nosuch.txt
misuse "there is no class 'nosuch'" ok.csv --class-weight nosuch=2
misuse "'x' is not a number from 0 on" ok.csv --class-weight -1=x
misuse 'expected none, balanced or LABEL=W' ok.csv --class-weight heavy
bad 'every row with a weight above 0 has the same class' ok.csv --class-weight -1=0
misuse 'there are no classes in a regression' two_r.csv --task regression --class-weight balanced
misuse 'has no column "nosuch"; its columns are x1, x2, target' ok.csv --target nosuch
misuse 'has no column 4; it has 3' ok.csv --target 4
misuse 'has no column 0; it has 3' ok.csv --target 0
bad 'regression needs numbers' three.csv --task regression
bad 'not two; use --task multiclass' colour.csv --task binary --target c

misuse "unknown option '--nosuch'" ok.csv --nosuch
misuse '--kernel nosuch: expected .*rbf' ok.csv --kernel nosuch
misuse '--criterion nosuch: expected .*loo' ok.csv --criterion nosuch
misuse '--search nosuch: expected .*grid' ok.csv --search nosuch
misuse '--landmark-method nosuch: expected .*uniform' ok.csv --landmark-method nosuch
misuse '--missing nosuch: expected auto\|error\|drop\|mean' ok.csv --missing nosuch
misuse '--task auto\|binary: expected' ok.csv --task 'auto|binary'
misuse "--proba is not an option of 'nysel train'" ok.csv --proba
for v in 0 -1 nan inf 1e300 5:1:1 1:5:0 1:2 abc; do
    misuse "--C $v: expected" ok.csv --C $v
    misuse "--bandwidth $v: expected" ok.csv --bandwidth $v
done
misuse '--C zhang: expected auto, a number' ok.csv --C zhang
misuse '--bandwidth zhan: expected auto, zhang, a number' ok.csv --bandwidth zhan
misuse '--rank all: expected a whole number' ok.csv --rank all
misuse '--rank auto .give a number. needs all rows in memory, but they are read in passes' ok.csv --rank auto --stream yes
misuse '--landmarks 0: must be between 1' ok.csv --landmarks 0
misuse '--landmarks -5: must be between 1' ok.csv --landmarks -5
misuse '--landmarks 1.5: expected a whole number' ok.csv --landmarks 1.5
misuse '--folds 1: must be between 2' ok.csv --folds 1
misuse '--threads 2000: must be between 0 and 1024' ok.csv --threads 2000
misuse '--memory lots: expected a size such as' ok.csv --memory lots
misuse '--time-limit soon: expected a time' ok.csv --time-limit soon
refuse 2 'too few arguments' train
refuse 2 "unexpected argument 'b'" train a b
refuse 2 "option --C needs an argument" train ok.csv --C
refuse 2 "unknown command 'nosuch'" nosuch
good '60 rows' ok.csv --landmarks 1000000
good '60 rows' ok.csv --landmarks 1
good 'bandwidth ' ok.csv --bandwidth -20:5:0.1
check "a long range is searched to its end" python3 -c '
import json; b = json.load(open("out/m.json"))["bandwidth"]; assert 0.1 < b < 31, b'
good '60 rows' ok.csv --C 1e80
good '60 rows' ok.csv --bandwidth 1e-9
good '60 rows' ok.csv --bandwidth zhang
good '.smallest within one standard error.' ok.csv --rank auto --landmarks 20
good '60 rows' ok.csv --bandwidth 1e80
bad '[0-9]+ MB .*10 MB may be used: raise --memory' ok.csv --landmarks all --memory 10M
"$nysel" demo banana --write more.csv --rows 3000 -q
bad '3000 landmarks need about [0-9]+ MB and [0-9]+ MB may be used: --landmarks [0-9]+ fits' more.csv --landmarks all --memory 100M

# ---- outputs --------------------------------------------------------------------------------------------------------

refuse 1 "cannot write 'nosuch/m.nysel': No such file or directory" train ok.csv -o nosuch/m.nysel
refuse 1 "cannot write 'folder': it is a directory" train ok.csv -o folder
refuse 1 "cannot write 'ok.csv/m': Not a directory" train ok.csv -o ok.csv/m
refuse 1 "cannot write 'nosuch/x.json'" train ok.csv -o out/m.nysel --json nosuch/x.json
refuse 1 "cannot write 'folder': it is a directory" predict ok.nysel ok.csv --json folder -o out/p.csv
refuse 1 "cannot write 'nosuch/t.json'" test ok.nysel ok.csv --json nosuch/t.json
refuse 2 "would overwrite 'ok.csv', which is read" train ok.csv -o ok.csv
refuse 2 "would overwrite 'ok.nysel', which is read" predict ok.nysel ok.csv -o ./ok.nysel
refuse 2 "the same file, 'out/m'" train ok.csv -o out/m --json out/m
refuse 2 'a model needs a file' train ok.csv -o -
check "the inputs are still what they were" "$nysel" test ok.nysel ok.csv
if [ -e /dev/full ]; then
    refuse 1 "cannot write '/dev/full': No space" predict ok.nysel ok.csv -o /dev/full
    "$nysel" predict ok.nysel ok.csv >/dev/full 2>stderr
    check "a full disk behind standard output is an error" test $? -eq 1
fi

echo "$cases cases"
finish
