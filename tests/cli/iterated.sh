#!/bin/bash
# Machines that take a training for every C look at few points, and must not miss the best for all rows by much.
. "$(dirname "$0")/lib.inc"

python3 - <<'P'
import random
r = random.Random("board0")
with open("board.csv", "w") as f:
    print("x0,x1,x2,y", file=f)
    for _ in range(700):
        x = [r.uniform(-1, 1) for _ in range(3)]
        print(*("%.4f" % v for v in x), "ab"[(int(2 * x[0] + 9) + int(3 * x[1] + 9) + (r.random() < 0.05)) % 2], sep=",", file=f)
P
expect 0 "train" train board.csv --machine svm --seed 1 -o m.nysel --json auto.json
kernel=$(python3 -c 'import json; print(json.load(open("auto.json"))["kernel"])')
for bandwidth in 0.3 0.6 1.2 2.4; do
    expect 0 "--bandwidth $bandwidth" train board.csv --machine svm --kernel "$kernel" --bandwidth $bandwidth --seed 1 -o m.nysel --json $bandwidth.json
done
check "no bandwidth on the way is better by more than 3%" python3 -c '
import json; auto, *given = (json.load(open(f"{b}.json"))["criterion"]["value"] for b in ("auto", 0.3, 0.6, 1.2, 2.4))
assert auto <= 1.03 * min(given), (auto, given)'
finish
