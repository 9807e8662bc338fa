#!/bin/bash
# 2,400,000 rows x 21 columns of .npy, 400 MB, trained with --memory 40M: a tenth of the file. The peak of the process
# stays within it. The same rows as text are read in passes too and give the same model as in memory. A small run has an
# eighth of the rows.
. "$(dirname "$0")/lib.inc"
export OMP_WAIT_POLICY=passive
rows=2400000 peak=$((40 * 1024 * 1024)) times=9
[ -n "$small" ] && rows=300000 times=1
[ -n "$sanitizer" ] && peak=inf && skip "the peak: the sanitizer's own memory would count"

python3 - $rows <<'P'
import array, math, random, struct, sys
rows, block = int(sys.argv[1]), 20000
random.seed(5)
part = array.array("d")
for _ in range(block):
    x = [random.gauss(0, 1) for _ in range(20)]
    part.extend(x + [math.sin(2 * x[0]) + 0.5 * x[1] * x[2] + 0.3 * random.gauss(0, 1)])
header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 21), }" % rows
header += " " * (-(11 + len(header)) % 64) + "\n"
with open("big.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for _ in range(rows // block):
        part.tofile(file)
with open("some.csv", "w") as file:
    for i in range(3000):
        file.write(",".join(repr(v) for v in part[21 * i : 21 * i + 21]) + "\n")
P
check "the file is $times times the memory or more" test "$(stat -c %s big.npy)" -ge $((times * 40 * 1024 * 1024))
expect 0 "train in 40 MB" train big.npy --memory 40M --landmarks 50 --kernel rbf --bandwidth 4 --search none -o big.nysel \
    --json big.json
check "the peak is within the memory, all rows were used" python3 - $rows $peak <<'P'
import json, sys
rows, peak = int(sys.argv[1]), float(sys.argv[2])
r = json.load(open("big.json"))
print(r["peak_bytes"], r["criterion"])
assert r["data"]["rows"] == rows and r["landmarks"] == 50, r["data"]
assert r["peak_bytes"] <= peak, r["peak_bytes"]
assert r["criterion"]["name"] == "cv" and 0.3 < r["criterion"]["error"] < 1.0, r["criterion"]
P
rm big.npy

for stream in yes no; do
    expect 0 "train --stream $stream" train some.csv --header no --task regression --stream $stream --landmarks 80 \
        --landmark-method uniform --criterion cv -o $stream.nysel --json $stream.json
    expect 0 "predict" predict $stream.nysel some.csv -o $stream.csv
done
check "passes and memory give the same model" python3 - <<'P'
import csv, json
a, b = (json.load(open(f"{s}.json")) for s in ("yes", "no"))
assert a["bandwidth"] == b["bandwidth"] and a["C"] == b["C"], (a["bandwidth"], b["bandwidth"], a["C"], b["C"])
assert abs(a["criterion"]["value"] - b["criterion"]["value"]) < 1e-9 * b["criterion"]["value"]
p, q = ([float(r["prediction"]) for r in csv.DictReader(open(f"{s}.csv"))] for s in ("yes", "no"))
assert len(p) == 3000 and max(abs(x - y) for x, y in zip(p, q)) < 1e-8
P
expect 2 "what needs memory is refused" train some.csv --header no --stream yes --bound
check "with the remedy" says err "--stream no"
finish
