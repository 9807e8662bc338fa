#!/bin/bash
# The exact machine of numbers chooses bandwidth and C for itself: no neighbour of its choice may be much better by the
# same leave-one-out error, and the choice of the low-rank machine (few landmarks want a wide kernel) is not good enough.
. "$(dirname "$0")/../cli/lib.inc"

python3 - <<'P'
import math, random
r = random.Random(4)
for name, rows in (("train.csv", 2600), ("new.csv", 2000)):
    with open(name, "w") as f:
        print("a,b,c,d,y", file=f)
        for _ in range(rows):
            x = [r.gauss(0, 1) for _ in range(4)]
            y = math.sin(4 * x[0]) * math.cos(3 * x[1]) + 0.5 * math.copysign(x[3], x[2] * x[3]) + 0.1 * r.gauss(0, 1)
            print(*x, y, sep=",", file=f)
P
expect 0 "the default" train train.csv -o m.nysel --json m.json
expect 0 "test" test m.nysel new.csv --json t.json
check "is exact, and its error is that of fresh rows" python3 -c '
import json; j = json.load(open("m.json")); e, t = j["criterion"]["error"], json.load(open("t.json"))["metrics"]["rmse"]
assert j["solver"]["name"] == "cg" and 0.85 < e / t < 1.15, (e, t)'
# neighbours LIMIT JSON: no machine around the one chosen has an error below LIMIT times its own.
neighbours() {
    local limit=$1 kernel bandwidth C error
    read -r kernel bandwidth C error < <(python3 -c '
import json, sys; j = json.load(open(sys.argv[1])); C = j["C"]
print(j["kernel"], j["bandwidth"], C[0] if isinstance(C, list) else C, j["criterion"]["error"])' "$2")
    for octave in -0.5 0 0.5; do
        for step in 0.25 1 4; do
            b=$(python3 -c "print($bandwidth * 2 ** $octave)") c=$(python3 -c "print($C * $step)")
            expect 0 "$kernel, bandwidth $b, C $c" train train.csv --kernel "$kernel" --bandwidth "$b" --C "$c" \
                --search none --solver cg --solver-tol 1e-3 --landmarks 300 -o n.nysel --json n.json
            check "is not much better" python3 -c "
import json; e = json.load(open('n.json'))['criterion']['error']; assert e > $limit * $error, (e, $error)"
        done
    done
}
expect 0 "one kernel" train train.csv --kernel matern32 -o k.nysel --json k.json
neighbours 0.98 k.json
# Of a separable kernel few landmarks know little: its C is a hundred times theirs, and the way there leaves no
# iterations for another bandwidth.
neighbours 0.95 m.json
finish
