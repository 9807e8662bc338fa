#!/bin/bash
# What is written stands in its own row and column, to the last digit; and the small rules of a command line.
. "$(dirname "$0")/lib.inc"

"$nysel" demo sinc --write train.csv --rows 150 -q || fail "demo --write"
"$nysel" demo sinc --write new.csv --rows 120 --seed 2 -q || fail "demo --write"
fixed=(--kernel rbf --bandwidth 1 --C 10 --landmarks 40 --threads 1)
expect 0 "train" train train.csv "${fixed[@]}" --posterior yes -o model.nysel
expect 0 "predict" predict model.nysel new.csv --interval 0.9 --scores -o new.out
expect 0 "predict --json" predict model.nysel new.csv --interval 0.9 --scores --json new.json
check "rows and columns are those of the JSON" python3 - <<'P'
import csv, json
rows, j = list(csv.DictReader(open("new.out"))), json.load(open("new.json"))
assert len(rows) == 120
for name in ("prediction", "lower", "upper", "noise_sd", "model_sd"):
    assert [float(r[name]) for r in rows] == j[name], name
assert [[float(r["score_1"])] for r in rows] == j["scores"]
assert len({r["model_sd"] for r in rows}) == 120  # so that a shifted column would show
P
check "an interval is around its own prediction" python3 - <<'P'
import csv
for r in csv.DictReader(open("new.out")):
    f, a, b, noise, model = (float(r[k]) for k in ("prediction", "lower", "upper", "noise_sd", "model_sd"))
    assert abs((a + b) / 2 - f) < 1e-12, (a, f, b)
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open("new.out"))]
width = {round((r["upper"] - r["lower"]) / (r["noise_sd"] ** 2 + r["model_sd"] ** 2) ** 0.5, 9) for r in rows}
assert len(width) == 1, width  # the same number of deviations everywhere
P
check "numbers have the digits that tell them from their neighbours" python3 - <<'P'
import csv
texts = [r["prediction"] for r in csv.DictReader(open("new.out"))]
assert all(float(repr(float(t))) == float(t) for t in texts)
digits = [len(t.split("e")[0].replace("-", "").replace(".", "").lstrip("0")) for t in texts]
assert max(digits) == 17 and sum(d >= 16 for d in digits) > 60, digits  # of numbers at random 9 in 10 need more than 15
P

cp train.csv -- -x.csv
expect 0 "a file whose name begins with a minus" train "${fixed[@]}" -o minus.nysel -- -x.csv
check "is read after --" test -s minus.nysel
expect 2 "and is an option before" train -x.csv
cp train.csv before.csv
ln train.csv other.csv
expect 2 "-o that is the data" train train.csv "${fixed[@]}" -o train.csv
check "is refused" says err "would overwrite 'train.csv'"
expect 2 "-o that is the data under another name" train other.csv "${fixed[@]}" -o train.csv
check "the data are as they were" cmp train.csv before.csv
expect 2 "an option that is not there" train train.csv --landmark 40
check "the nearest one is named" says err "did you mean '--landmarks'?"
expect 2 "another" train train.csv --tread 1
check "the nearest one is named" says err "did you mean '--threads'?"
"$nysel" train train.csv --kernel rbf --search grid --bandwidth -2:2:1 -o p.nysel --progress always >out 2>err
check "progress ends at 100%, and never beyond" python3 - <<'P'
import re
percent = [int(p) for p in re.findall(r"(\d+)%", open("err").read())]
assert percent and max(percent) == 100, percent
P
expect 3 "a search of minutes with a limit of a second" train train.csv --kernel rbf --landmarks all --search grid \
    --bandwidth -8:8:0.002 --C -5:15:0.1 --time-limit 1 -o stopped.nysel
check "is stopped, and its model is there" test -s stopped.nysel
finish
