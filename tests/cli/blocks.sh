#!/usr/bin/env bash
# predict goes through its file in blocks: the same lines as row by row, warnings once, nothing half-written.
. "$(dirname "$0")/lib.inc"

python3 - <<'P'
import random
random.seed(1)
with open("train.csv", "w") as f:
    f.write("a,colour,y\n")
    for i in range(200):
        x, c = random.gauss(0, 1), random.choice(["red", "blue"])
        f.write(f"{x:.6f},{c},{'p' if x + (c == 'red') > 0.5 else 'q'}\n")
with open("many.csv", "w") as f:  # three blocks
    f.write("a,colour,y\n")
    for i in range(45000):
        c = "green" if i % 10000 == 9 else "red"
        y = "" if i % 20000 == 50 else "p"
        f.write(f"{random.gauss(0, 1):.6f},{c},{y}\n")
lines = open("many.csv").read().splitlines()
open("late.csv", "w").write("\n".join(lines[:44000] + ["oops,red,p"] + lines[44001:]) + "\n")
lines[30000] = ",red,p"
lines[40001] = ",blue,p"
open("gaps.csv", "w").write("\n".join(lines) + "\n")
for k in range(3):  # the same rows in three files
    open(f"part{k}.csv", "w").write("\n".join([lines[0]] + open("many.csv").read().splitlines()[1:][k * 15000:(k + 1) * 15000]) + "\n")
P
expect 0 "train" train train.csv -o m.nysel --landmarks 50
expect 0 "predict a large file" predict m.nysel many.csv -o out.csv --proba --scores --json out.json
cp err warnings
for k in 0 1 2; do "$nysel" predict m.nysel "part$k.csv" --proba --scores 2>/dev/null >"part$k.out" || fail "part $k"; done
check "as three files" python3 - <<'P'
rows = [l.split(",") for l in open("out.csv").read().splitlines()]
parts = [l.split(",") for k in range(3) for l in open(f"part{k}.out").read().splitlines()[1:]]
assert len(rows) == 45001 and len(parts) == 45000, (len(rows), len(parts))
for a, b in zip(rows[1:], parts):
    assert a[0] == b[0] and all(abs(float(p) - float(q)) < 1e-9 for p, q in zip(a[1:], b[1:])), (a, b)
P
check "JSON has the same rows" python3 - <<'P'
import json
j = json.load(open("out.json"))
rows = [l.split(",") for l in open("out.csv").read().splitlines()[1:]]
assert j["rows"] == 45000 and len(j["proba"]) == len(j["scores"]) == len(j["prediction"]) == 45000
assert j["prediction"] == [r[0] for r in rows] and j["classes"] == ["p", "q"]
assert all([float(v) for v in r[1:3]] == p for r, p in zip(rows, j["proba"]))
assert all([float(r[3])] == s for r, s in zip(rows, j["scores"]))
P
check "each warning once, about all rows" python3 - <<'P'
lines = open("warnings").read().splitlines()
assert len(lines) == 2, lines
assert lines[0].endswith("many.csv:52:3: the target is missing (3 rows in all): read without a target"), lines
assert ": 5 values are of categories" in lines[1], lines
P
expect 1 "a mistake in a late row" predict m.nysel late.csv -o late.out
check "is told with its line" grep -q "late.csv:44001:1: 'oops' is not a number" err
check "and leaves nothing behind" sh -c '! ls | grep -q "^late.out"'
expect 1 "missing values in late rows" predict m.nysel gaps.csv -o gaps.out
check "are counted over the file" grep -q 'gaps.csv:30001:1: missing value (column "a"), one of 2 in the file' err
expect 0 "dropped rows" predict m.nysel gaps.csv --missing drop -o gaps.out
check "are counted once" grep -q 'gaps.csv: 2 of 45000 rows have missing values: their predictions are empty' err
check "and keep their lines" sh -c 'test $(wc -l <gaps.out) -eq 45001 && test "$(grep -n "^$" gaps.out | tr "\n" " ")" = "30001: 40002: "'
"$nysel" predict m.nysel - <many.csv 2>/dev/null >piped.out
check "standard input" sh -c '"$0" predict m.nysel many.csv 2>/dev/null | cmp - piped.out' "$nysel"
finish
