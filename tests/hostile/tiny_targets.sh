#!/usr/bin/env bash
# Targets whose squares leave the range of numbers are learnt as well as any others, and their errors are printed.
. "$(dirname "$0")/../cli/lib.inc"

cat >make.py <<'EOF'
import math, random, sys
r = random.Random(1)
rows = [(r.uniform(-3, 3), r.gauss(0, 0.1)) for _ in range(120)]
for name in ("1", "1e-200", "1e-300", "1e140"):
    with open(name + ".csv", "w") as f:
        f.write("x,target\n")
        for x, e in rows:
            f.write(f"{x!r},{(math.sin(x) + e) * float(name)!r}\n")
EOF
python3 make.py
cat >same.py <<'EOF'
import json, sys
unit = float(sys.argv[1])
a, b = (json.load(open(n))["criterion"] for n in ("1.json", sys.argv[1] + ".json"))
close = lambda x, y: abs(x / y / unit - 1) < 1e-3
ok = all(close(b[k], a[k]) for k in ("error", "stderr", "error_lower", "error_upper"))
ok &= close(b["baseline"]["error"], a["baseline"]["error"]) and abs(b["r2"] - a["r2"]) < 1e-3
ok &= b["value"] is None or b["value"] > 0
f = lambda n: [float(line.split(",")[0]) for line in open(n).read().split("\n")[1:-1]]
p, q = f("1.out"), f(sys.argv[1] + ".out")
ok &= all(abs(y / unit - x) < 1e-3 for x, y in zip(p, q)) and len(p) == len(q) == 120
sys.exit(not ok)
EOF
for unit in 1 1e-200 1e-300 1e140; do
    expect 0 "targets of $unit" train $unit.csv -o $unit.nysel --json $unit.json --threads 1
    check "the error is not 0" bash -c '! grep -qE "RMSE +0[ ,]" out'
    expect 0 "predictions of $unit" predict $unit.nysel $unit.csv -o $unit.out
    expect 0 "test of $unit" test $unit.nysel $unit.csv
    check "its RMSE is not 0" bash -c '! grep -qE "RMSE +(0|undefined)$" out'
    check "the same as targets of 1, in their units" python3 same.py $unit
done
expect 0 "in passes" train 1e-200.csv -o p.nysel --json p.json --stream yes
check "the error is a small number" python3 -c '
import json; c = json.load(open("p.json"))["criterion"]; assert 1e-202 < c["error"] < 1e-200 and c["stderr"] > 0'
finish
