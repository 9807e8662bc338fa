#!/usr/bin/python3
"""Do two builds give the same models? For changes of the house that must not change a number.

    same.py OLD NEW [--only SET,...] [--rows N]

Trains both with defaults, one thread and one seed on the first rows of twelve real sets, and compares kernel, bandwidth,
C, criterion and every byte of the predictions for the rows after them; then predicts with the NEW program from the OLD
program's model. Exit status 1 where anything differs.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import common

SETS = ["mpg", "housing", "pima_diabetes", "concrete", "raetsch_banana", "raetsch_image", "abalone", "spambase", "satimage",
        "cpusmall", "letter", "magic04"]


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def one(binary, folder, who):
    model = folder / f"{who}.nysel"
    record = json.loads(run(binary, "train", folder / "train.csv", "-o", model, "--threads", 1, "--seed", 1, "--quiet",
                            "--json", "-"))
    chosen = [record["kernel"], record["bandwidth"], record["C"], record["criterion"]]
    return model, chosen, run(binary, "predict", model, folder / "fresh.csv", "--scores")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default=",".join(SETS))
    parser.add_argument("--rows", type=int, default=6000, help="rows to train with at most")
    args = parser.parse_args()
    differ = 0
    for name in args.only.split(","):
        found = common.read_all(name)
        if not found:
            print(f"{name}: skipped, the data are not there")
            continue
        header, rows = found
        random.Random(1).shuffle(rows)
        count = min(args.rows, 3 * len(rows) // 4)
        with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
            folder = pathlib.Path(where)
            common.write_rows(folder / "train.csv", header, rows[:count])
            common.write_rows(folder / "fresh.csv", header, rows[count:count + 1000])
            model, chosen, said = one(args.old, folder, "old")
            _, again, told = one(args.new, folder, "new")
            same = chosen == again and said == told
            read = run(args.new, "predict", model, folder / "fresh.csv", "--scores") == said
            differ += not (same and read)
            print(f"{name} ({count} rows): {'the same' if same else 'DIFFERENT'}; the old model "
                  f"{'predicts the same' if read else 'predicts OTHER numbers'}; {chosen[0]}, bandwidth {chosen[1]}, "
                  f"C {chosen[2]}, criterion {chosen[3]['value']}", flush=True)
            if chosen != again:
                print(f"  new: {again}")
    sys.exit(1 if differ else 0)


main()
