#!/bin/bash
# 20,000 rows x 100,000 inputs with 100 non-zeros each (0.1%): 16 GB if it were dense. Training with 200 landmarks stays
# in proportion to the two million non-zeros: the model's own record of its peak is below 600 MB. A small run has 4,000
# rows.
. "$(dirname "$0")/lib.inc"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
rows=20000 peak=600e6
[ -n "$small" ] && rows=4000
[ -n "$sanitizer" ] && peak=inf && skip "the peak: the sanitizer's own memory would count"

# Class 1 draws four of five indices from the first half; each of the 100 entries has its own band of 1000 inputs, so
# indices ascend.
awk -v rows=$rows 'BEGIN {
    srand(7)
    for (i = 0; i < rows; i++) {
        plus = rand() < 0.5
        printf plus ? "1" : "-1"
        for (k = 0; k < 100; k++) {
            low = (rand() < 0.8) == plus
            printf " %d:%.3f", 1000 * k + int(500 * rand()) + (low ? 1 : 501), 0.5 + rand()
        }
        print ""
    }
}' >big.svm
check "the file has $rows rows" test "$(wc -l <big.svm)" -eq $rows
expect 0 "train" train big.svm --landmarks 200 -o big.nysel --json big.json
check "peak memory below $peak bytes, 100,000 inputs, a useful model" python3 - $rows $peak <<'P'
import json, sys
rows, peak = int(sys.argv[1]), float(sys.argv[2])
r = json.load(open("big.json"))
print(r["peak_bytes"], r["criterion"]["error"])
assert r["data"]["rows"] == rows and (99000 if rows == 20000 else 97000) < r["data"]["inputs"] <= 100000, r["data"]
assert 10e6 < r["peak_bytes"] < peak, r["peak_bytes"]
assert r["criterion"]["error"] < 0.3, r["criterion"]
P
head -1000 big.svm >some.svm
expect 0 "test" test big.nysel some.svm --json
check "it predicts what it has seen" python3 -c '
import json; t = json.load(open("out")); assert t["rows"] == 1000 and t["metrics"]["error"] < 0.3, t["metrics"]'
finish
