#!/usr/bin/env bash
# Predictions that can be joined to the data: one line for each row, with a column of the data carried over.
. "$(dirname "$0")/lib.inc"

python3 - <<'P'
import random
random.seed(5)
def row(): return [random.gauss(0, 1), random.choice(["red", "blue"]), random.gauss(0, 1)]
def truth(r): return r[0] + (r[1] == "red") + 0.1 * r[2]
train = [row() for _ in range(150)]
with open("train.csv", "w") as f, open("holes.csv", "w") as h, open("plain.csv", "w") as p, open("classes.csv", "w") as c:
    for out, first in ((f, "a,colour,b,y\n"), (h, "a,colour,b,y\n"), (c, "a,colour,b,y\n")): out.write(first)
    for i, r in enumerate(train):
        f.write(f"{r[0]:.4f},{r[1]},{r[2]:.4f},{truth(r):.4f}\n")
        h.write(f"{'' if i % 20 == 3 else f'{r[0]:.4f}'},{r[1]},{r[2]:.4f},{truth(r):.4f}\n")
        p.write(f"{r[0]:.4f},{r[2]:.4f},{truth(r):.4f}\n")
        c.write(f"{r[0]:.4f},{r[1]},{r[2]:.4f},{'up' if truth(r) > 0.5 else 'down'}\n")
new = [row() for _ in range(30)]
with open("new.csv", "w") as f, open("gaps.csv", "w") as g, open("bare.csv", "w") as b, open("bare_y.csv", "w") as y:
    for out in (f, g): out.write("key,b,a,colour,y\n")
    for i, r in enumerate(new):
        key = '"Müller, ""K."""' if i == 4 else f"00{i}"
        f.write(f"{key},{r[2]:.4f},{r[0]:.4f},{r[1]},{i}.50\n")
        g.write(f"{key},{r[2]:.4f},{'NA' if i in (0, 29) else f'{r[0]:.4f}'},{'' if i in (7, 29) else r[1]},{i}.50\n")
        b.write(f"k{i},{r[0]:.4f},{r[2]:.4f}\n")
        y.write(f"{r[0]:.4f},{r[2]:.4f},{i}.50,k{i}\n")
P
expect 0 "train" train train.csv -o m.nysel --threads 1
expect 0 "without" predict m.nysel new.csv -o none.csv
expect 0 "--id NAME" predict m.nysel new.csv --id key -o id.csv --json id.json
check "is the first column, its text unchanged" python3 - <<'P'
import csv, json
rows = list(csv.reader(open("id.csv", encoding="utf-8")))
keys = [r[0] for r in csv.reader(open("new.csv", encoding="utf-8"))]
assert [r[0] for r in rows] == keys and rows[5][0] == 'Müller, "K."', rows[:6]
assert [r[1] for r in rows] == open("none.csv").read().split(), "predictions differ"
j = json.load(open("id.json"))
assert j["id"] == keys[1:] and len(j["prediction"]) == 30
P
expect 0 "--id INDEX" predict m.nysel new.csv --id 1 -o index.csv
check "is the same" cmp id.csv index.csv
expect 0 "--id of an input" predict m.nysel new.csv --id a -o input.csv
check "carries it as it was written" python3 - <<'P'
import csv
rows, new = list(csv.DictReader(open("input.csv"))), list(csv.DictReader(open("new.csv")))
assert [r["a"] for r in rows] == [r["a"] for r in new] and [r["prediction"] for r in rows] == open("none.csv").read().split()[1:]
P
expect 0 "--id of a category" predict m.nysel new.csv --id colour -o category.csv
check "carries it" sh -c "cut -d, -f2 category.csv | cmp - none.csv"
expect 0 "--id of the target" predict m.nysel new.csv --id y -o target.csv
check "carries it as it was written, 3.50" grep -q '^3\.50,' target.csv
expect 2 "--id of no column" predict m.nysel new.csv --id nosuch
check "names the columns" says err 'new.csv has no column "nosuch"; its columns are key, b, a, colour, y'
printf '1 1:2 2:3\n-1 1:1\n1 2:2 3:1\n-1 1:3 3:1\n' >d.svm
expect 0 "libsvm text" train d.svm -o s.nysel --threads 1 --kernel linear
expect 2 "has no columns" predict s.nysel d.svm --id 1
check "and says so" says err "--id does not apply to libsvm text"

# Files without a header: the column is one more than the model needs, or one of those.
expect 0 "numbers without names" train plain.csv -o p.nysel --threads 1
expect 0 "one column more" predict p.nysel bare.csv --id 1 -o bare.out
expect 0 "two columns more" predict p.nysel bare_y.csv --id 4 -o bare_y.out
check "the same predictions, each with its text" python3 - <<'P'
a, b = (open(n).read().splitlines() for n in ("bare.out", "bare_y.out"))
assert a == b and a[0] == "id,prediction" and a[30].startswith("k29,") and len(a) == 31, (a[:3], b[:3])
P
cut -d, -f1-3 bare_y.csv >bare_3.csv
expect 0 "the target" predict p.nysel bare_3.csv --id 3 -o bare_3.out
check "of the same rows" sh -c 'cut -d, -f2 bare_3.out >a; cut -d, -f2 bare.out | cmp - a'
cut -d, -f1-2 bare_y.csv >bare_2.csv
expect 0 "an input" predict p.nysel bare_2.csv --id 1 -o bare_2.out
check "of the same rows" sh -c 'cut -d, -f2 bare_2.out >a; cut -d, -f2 bare.out | cmp - a'
expect 0 "one that could be either" predict p.nysel bare_3.csv --id 1
check "is warned about" says err "taken to have column 1 (--id) beside those that the model needs; if it is one of these, and column 3 the target"

# The training file had weights before its target; the new one has neither weights nor a header, but a column more.
awk -F, '{ print $1 ",1," $2 "," $3 }' plain.csv >weighted.csv
expect 0 "weights and a target" train weighted.csv --weight-column 2 -o w.nysel --threads 1
expect 0 "a target before the column" predict w.nysel bare_y.csv --id 4 -o bare_w.out
check "are told apart" python3 - <<'P'
a, b = (open(n).read().splitlines()[1:] for n in ("bare_w.out", "bare.out"))
for p, q in zip(a, b):
    assert p.split(",")[0] == q.split(",")[0] and abs(float(p.split(",")[1]) - float(q.split(",")[1])) < 0.05, (p, q)
P

# Rows with missing values keep their place.
expect 1 "missing values are refused" predict m.nysel gaps.csv --id key
check "with the place and the remedy" says err 'gaps.csv:2:3: missing value (column "a"), one of 4 in the file'
expect 0 "--missing drop" predict m.nysel gaps.csv --missing drop --id key --interval 0.9 --scores --outside-count -o gaps.out --json gaps.json
check "says how many" says err "gaps.csv: 3 of 30 rows have missing values: their predictions are empty"
check "one line for each row, empty where values are missing" python3 - <<'P'
import csv, json
rows, full = list(csv.reader(open("gaps.out"))), list(csv.reader(open("id.csv")))
assert len(rows) == 31 and rows[0] == ["key", "prediction", "lower", "upper", "noise_sd", "model_sd", "score_1", "outside"]
for i, (r, f) in enumerate(zip(rows[1:], full[1:])):
    assert r[0] == f[0]
    if i in (0, 7, 29): assert r[1:] == [""] * 7, r
    else: assert abs(float(r[1]) - float(f[1])) < 1e-9 and all(r[1:]), (r, f)
j = json.load(open("gaps.json"))
assert [i for i, v in enumerate(j["prediction"]) if v is None] == [0, 7, 29] and j["rows"] == 30 and j["lower"][7] is None
P
head -2 gaps.csv >hole.csv
expect 0 "a file of nothing else" predict m.nysel hole.csv --missing drop -o hole.out
check "has its line" sh -c 'printf "prediction\n\n" | cmp - hole.out'
expect 0 "classes" train classes.csv -o c.nysel --threads 1
expect 0 "with probabilities" predict c.nysel gaps.csv --missing drop --proba -o c.out --json c.json
check "empty too" python3 - <<'P'
import json
lines = open("c.out").read().splitlines()
assert lines[0] == "prediction,p_down,p_up" and lines[8] == ",," and len(lines) == 31 and lines[2].count(",") == 2, lines[:9]
assert json.load(open("c.json"))["proba"][7] == [None, None]
P
expect 0 "test drops the rows" test m.nysel gaps.csv --missing drop --json t.json
check "for good" grep -q '"rows": 27' t.json

# What a model was trained with holds for its predictions.
expect 0 "train with holes" train holes.csv --missing mean -o h.nysel --threads 1
expect 0 "predict with holes" predict h.nysel gaps.csv -o auto.out
expect 0 "the same in words" predict h.nysel gaps.csv --missing mean -o mean.out
check "gives every row a number" sh -c 'cmp auto.out mean.out && ! grep -q "^$" auto.out'
expect 0 "test with holes" test h.nysel gaps.csv
expect 1 "unless told otherwise" predict h.nysel gaps.csv --missing error
expect 0 "train without the rows" train holes.csv --missing drop -o d.nysel --threads 1
expect 0 "predict without the rows" predict d.nysel gaps.csv -o drop.out
check "leaves their predictions empty" sh -c 'test $(grep -c "^$" drop.out) -eq 3'
expect 1 "train refuses as ever" train holes.csv -o x.nysel
finish
