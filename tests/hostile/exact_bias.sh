#!/bin/bash
# A wide kernel and a huge C: the bias of the exact machine is a difference of large numbers. What the machine is said to
# be worth, it is worth on fresh rows, and "exact" is said only of machines that are.
. "$(dirname "$0")/../cli/lib.inc"

python3 - <<'P'
import math, random
r = random.Random(1)
rows = []
for _ in range(3600):
    a, b = r.gammavariate(1, 1), r.gammavariate(2, 1)
    x = [a, b, r.randrange(24), r.randrange(7), r.randrange(4)] + [r.gauss(0, 1) for _ in range(8)]
    rows.append(x + [math.log(1 + 3 * a + 5 * b)])
mean = sum(x[-1] for x in rows) / len(rows)
sd = math.sqrt(sum((x[-1] - mean) ** 2 for x in rows) / len(rows))
for name, part in (("train.csv", rows[:2400]), ("new.csv", rows[2400:])):
    with open(name, "w") as f:
        print(",".join(f"x{i}" for i in range(13)) + ",y", file=f)
        for x in part:
            print(*x[:-1], (x[-1] - mean) / sd, sep=",", file=f)
P
for tol in 1e-3 1e-6; do
    expect 0 "a wide kernel at --solver-tol $tol" train train.csv --kernel rbf --search none --bandwidth 30 --C 5e8 --solver cg \
        --solver-tol $tol --landmarks 300 -o m.nysel --json m.json
    expect 0 "test" test m.nysel new.csv --json t.json
    check "the expected error is that of fresh rows" python3 -c '
import json; e = json.load(open("m.json"))["criterion"]["error"]; t = json.load(open("t.json"))["metrics"]["rmse"]
assert json.load(open("m.json"))["solver"]["name"] == "cg" and t < 0.25 and 0.6 < e / t < 1.7, (e, t)'
done
expect 0 "the default with equal weights" train train.csv --metric none -o m.nysel --json m.json
expect 0 "test" test m.nysel new.csv --json t.json
check "the expected error is that of fresh rows" python3 -c '
import json; e = json.load(open("m.json"))["criterion"]["error"]; t = json.load(open("t.json"))["metrics"]["rmse"]
assert t < 0.25 and 0.6 < e / t < 1.7, (e, t)'
expect 0 "the default" train train.csv -o m.nysel --json m.json # which finds the two inputs that matter
expect 0 "test" test m.nysel new.csv --json t.json
check "the expected error is not below that of fresh rows" python3 -c '
import json; e = json.load(open("m.json"))["criterion"]["error"]; t = json.load(open("t.json"))["metrics"]["rmse"]
assert t < 0.02 and t / 1.7 < e < 0.02, (e, t)'

"$nysel" demo sinc --write sinc.csv --rows 400 -q || fail "demo --write"
wide=(--machine krr --kernel rbf --bandwidth 3 --search none --landmarks all)
expect 0 "a huge C on a matrix of low rank" train sinc.csv "${wide[@]}" --C 1e8 -o m.nysel --json m.json
check "is not called exact" python3 -c '
import json; j = json.load(open("m.json"))
assert not j["exact"] and j["rank"] < 400 and any("not quite the exact machine" in n for n in j["notes"]), (j["exact"], j["notes"])'
expect 0 "a moderate one" train sinc.csv "${wide[@]}" --C 10 -o m.nysel --json m.json
check "is" python3 -c 'import json; j = json.load(open("m.json")); assert j["exact"] and not j["notes"], (j["exact"], j["notes"])'
finish
