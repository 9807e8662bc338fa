#!/bin/bash
# Files that were misread without a word: decimal commas, percentages, dates, identifiers, words for missing values. Each
# is the same table in another spelling, so the model must be the same, whole, in passes and when predicting.
. "$(dirname "$0")/../cli/lib.inc"

python3 - <<'END'
import datetime, random
random.seed(1)
rows = []
for i in range(400):
    a, b, p = round(random.uniform(0, 50), 2), round(random.uniform(500, 9000), 1), round(random.uniform(0, 100), 1)
    day = datetime.date(2023, 1, 1) + datetime.timedelta(random.randrange(700))
    n = (day - datetime.date(1970, 1, 1)).days
    y = round(2 * a + b / 100 + p + n / 50 + random.gauss(0, 1), 2)
    rows.append((a, b, p, n, day, y))
def comma(v, digits):
    return f"{v:,.{digits}f}".translate(str.maketrans(",.", ".,"))
def write(name, header, line):
    with open(name, "w") as f:
        f.write(header + "\n")
        for i, r in enumerate(rows): f.write(line(i, *r) + "\n")
write("plain.csv", "a,b,p,d,y", lambda i, a, b, p, n, day, y: f"{a},{b},{p},{n},{y}")
write("quoted.csv", "a,b,p,d,y", lambda i, a, b, p, n, day, y:
      f'"{comma(a, 2)}","{comma(b, 1)}",{p}%,{day},"{comma(y, 2)}"')
write("semicolon.csv", "a;b;p;d;y", lambda i, a, b, p, n, day, y:
      f"{comma(a, 2)};{comma(b, 1)};{comma(p, 1)}%;{day:%d.%m.%Y};{comma(y, 2)}")
write("american.csv", "a,b,p,d,y", lambda i, a, b, p, n, day, y: f'{a},"{b:,.1f}",{p}%,{day:%m/%d/%Y},{y}')
write("ids.csv", "id,a,customer,b,p,d,y", lambda i, a, b, p, n, day, y:
      f"{i + 1},{a},Nr {i * 7919 % 400},{b},{p},{n},{y}")
write("words.csv", "a,b,p,d,y", lambda i, a, b, p, n, day, y:
      f"{'unknown' if i % 50 == 0 else a},{-999 if i % 60 == 1 else b},{p},{n},{y}")
# Only the last row shows the decimal comma.
with open("late.csv", "w") as f:
    f.write("a,b,y\n")
    for i in range(3000): f.write(f"{i * 37 % 100},{i % 7},{i * 37 % 100 + i % 7}\n")
    f.write('"12,5",3,"15,5"\n')
END

scores() { "$nysel" predict "$1" "$2" 2>/dev/null; }
"$nysel" train plain.csv -o plain.nysel -q --threads 1
scores plain.nysel plain.csv >plain.out
for spelling in quoted semicolon american; do
    for stream in no yes; do
        expect 0 "$spelling, --stream $stream" train $spelling.csv -o $spelling.nysel --threads 1 --stream $stream
        check "$spelling: the comma or the percentages are told" grep -q 'nysel: '$spelling'.csv: column.* hold' err
        check "$spelling: the dates are told" grep -q 'column "d" holds dates' err
        [ $stream = yes ] && continue
        scores $spelling.nysel $spelling.csv >$spelling.out
        check "$spelling: the predictions are those of plain numbers" cmp plain.out $spelling.out
    done
    expect 0 "$spelling: info" info $spelling.csv --json info.json
    check "$spelling: info names the forms" grep -q '"form"' info.json
done
expect 1 "a model of commas refuses points" predict semicolon.nysel plain.csv
check "and says where and why" grep -q 'plain.csv:2:1: .*in training held numbers with a decimal comma.*--decimal' err
expect 1 "a model of points refuses commas" predict plain.nysel quoted.csv
check "and says where, and --decimal" grep -q 'quoted.csv:2:1: .*which held numbers in training.*--decimal' err

# ---- ambiguous ------------------------------------------------------------------------------------------------------

{ echo a,y; for i in $(seq 100 130); do echo "\"1,$i\",$((i % 3)).$((i % 7))5"; done; } | sed 's/,\([0-9]\)\.\(.*\)$/,\1\2/' >either.csv
expect 1 "1,234 alone is refused" train either.csv -o either.nysel
check "with place and remedy" grep -q "either.csv:2:1: '1,100' is 1100 or 1.1 .*--decimal \. .*--decimal ," err
expect 0 "--decimal , decides" info either.csv --decimal ,
check "as 1.1 to 1.13" grep -q '1.1 to 1.13' out
expect 0 "--decimal . decides" info either.csv --decimal .
check "as 1100 to 1130" grep -q '1100 to 1130' out
{ echo d,y; for i in $(seq 1 12); do echo "0$((i % 9 + 1))/$i/2024,$((i * i % 5))"; done; } >days.csv
expect 1 "dates that may be either are refused" info days.csv
check "with place and remedy" grep -q "days.csv:2:1: .*either the day or the month first.*--ignore d" err

# ---- identifiers ----------------------------------------------------------------------------------------------------

expect 0 "identifiers are left out" train ids.csv -o ids.nysel --threads 1
check "with a warning" grep -q 'warning: ids.csv: columns "id", "customer" name the rows (identifiers) and are left out' err
scores ids.nysel ids.csv >ids.out
check "the model is that without them" cmp plain.out ids.out
scores ids.nysel plain.csv >ids.out
check "and does not ask for them" cmp plain.out ids.out
expect 0 "info says so" info ids.csv
check "by name and reason" says out 'left out  "id" (identifier), "customer" (identifier)'
expect 0 "--ignore leaves out without a warning" train ids.csv -o m.nysel --ignore 1,customer --threads 1
check "none" test "$(grep -c warning err)" = 0
expect 0 "--categorical keeps texts" info ids.csv --categorical customer
check "all 400" grep -q '400 levels' out
expect 2 "--ignore of what is not there" train ids.csv -o m.nysel --ignore nobody
check "is an error" grep -q 'no column "nobody"' err
expect 2 "--ignore of the target" train ids.csv -o m.nysel --ignore y
tail -n +2 ids.csv >bare.csv
expect 0 "without a header" train bare.csv -o bare.nysel --ignore 1 --threads 1
scores bare.nysel bare.csv >bare.out
check "columns go by position" cmp plain.out bare.out
cut -d, -f1-6 bare.csv >no_target.csv
scores bare.nysel no_target.csv >bare.out
check "without a target too" cmp plain.out bare.out
cut -d, -f2,4-7 bare.csv >no_ids.csv
"$nysel" train bare.csv -o few.nysel --select-inputs --threads 1 -q 2>/dev/null
expect 1 "columns that were left out must be there where inputs were dropped too" predict few.nysel no_ids.csv
check "which is said" grep -q 'has 5 columns without names; the model needs all 6 of its training file' err

# ---- a target of texts, words for missing values --------------------------------------------------------------------

awk -F, 'NR == 1 { print "a,y" } NR > 1 { print $1 ",customer" NR }' plain.csv >names.csv
expect 1 "a target of names is questioned" train names.csv -o m.nysel
check "with the remedy" grep -q 'the target "y" has 400 different texts.*--task multiclass' err
awk -F, 'NR > 1 { $5 = NR == 9 ? "n.a." : int($5) } { print $1 "," $5 }' plain.csv >slip.csv
expect 1 "one slip does not make a class of every number" train slip.csv -o m.nysel
check "and is named" grep -q "most of them numbers, but 'n.a.' is none.*--na" err
expect 0 "--na names it missing" train slip.csv -o m.nysel --na n.a. --missing drop --threads 1
expect 1 "words among numbers are refused" train words.csv -o m.nysel
check "with --na" grep -q "words.csv:2:1: 'unknown' is not a number.*--na" err
expect 0 "--na takes words and numbers" train words.csv -o words.nysel --na unknown,-999 --missing drop --threads 1
check "the rows are dropped" grep -q '15 of 400 rows dropped' err
expect 0 "the model remembers the words" predict words.nysel words.csv --missing drop

# ---- what only the last row tells -----------------------------------------------------------------------------------

for stream in no yes; do
    expect 0 "a late decimal comma, --stream $stream" train late.csv -o late.nysel --threads 1 --stream $stream --landmarks 50
    check "makes no categories" grep -q '3001 rows, 2 inputs' out
    check "and no classes" grep -q 'regression' out
done
"$nysel" info - <late.csv >out 2>err
check "from a pipe the late row is refused with its place" grep -q "3002:1: '12,5' is not a number" err
# 30 whole numbers may be classes or numbers: they are numbers, and that is said unless the user has said so.
python3 -c "
import random
random.seed(3)
print('a,y')
for i in range(300): print(random.random() + i % 30, i % 30, sep=',')" >codes.csv
expect 0 "30 whole numbers" train codes.csv -o codes.nysel
check "are numbers, which is said" says out "30 different whole numbers are taken for numbers: --task multiclass"
expect 0 "numbers that the user wants" train codes.csv --task regression -o codes.nysel
check "nothing is said" python3 -c "assert 'whole numbers' not in open('out').read() + open('err').read()"
finish
