#!/usr/bin/python3
"""The time that the plan predicts against the time taken.

    time_prediction.py BINARY [--most ROWS] [--out FILE]

Twelve sets from 1000 to a million rows, defaults, one thread, so that the processor time of the run is what a machine
without other work would take; the prediction is the record's predicted_seconds, with what the plan added on the way.
The goal is a ratio within 0.5 .. 2.
"""
import argparse
import json
import pathlib
import tempfile

import common

SETS = [("banana", 1000), ("sinc", 1400), ("raetsch_image", 0), ("spambase", 0), ("sinc", 5000), ("cpusmall", 0),
        ("mixture", 10000), ("letter", 0), ("waveform", 50000), ("sinc", 100000), ("ringnorm", 300000),
        ("sinc", 1000000)]


def one_set(binary, folder, name, rows):
    data = common.data_file(name) if rows == 0 else folder / f"{name}.csv"
    if not data:
        return None
    if rows:
        common.run([binary, "demo", name, "--write", data, "--rows", rows, "-q"])
    before = common.cpu_of_children()
    record = folder / "record.json"
    common.run([binary, "train", data, "-q", "--threads", 1, "--json", record])
    seconds = common.cpu_of_children() - before
    told = json.loads(record.read_text())
    return {"set": name + (" (generated)" if rows else ""), "rows": told["data"]["rows"],
            "predicted": round(told["predicted_seconds"], 2), "taken": round(seconds, 2),
            "ratio": round(told["predicted_seconds"] / seconds, 2)}


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("binary")
parser.add_argument("--most", type=int, default=10**9, help="leave out sets with more rows")
parser.add_argument("--out", type=pathlib.Path)
args = parser.parse_args()
results = []
with tempfile.TemporaryDirectory() as folder:
    for name, rows in SETS:
        if rows > args.most:
            continue
        row = one_set(args.binary, pathlib.Path(folder), name, rows)
        if row:
            results.append(row)
            print(row, flush=True)
            if args.out:
                common.save(args.out, results, quiet=True)
print(sum(0.5 <= row["ratio"] <= 2 for row in results), "of", len(results), "within a factor of 2")
