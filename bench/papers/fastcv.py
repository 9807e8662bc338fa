#!/usr/bin/python3
"""Fast v-fold cross-validation against the simple implementation for one pair (bandwidth, C): tables 3 and 4 of De
Brabanter et al. 2010, whose times (Matlab, Core 2 Quad) stand beside.

    fastcv.py PROGRAM [--quick] [--out FILE]       PROGRAM: BUILD/bench/fastcv, whose source says what is timed

Both give the same held-out error (the program sees to it), so ratio, simple over fast, is the whole story.
"""
import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402

FOLDS = [5, 10, 20, 30, 40, 50]
# name: {m: (simple, optimized)}, seconds for each number of folds
SETS = {
    "concrete": {
        50: ([0.066, 0.14, 0.29, 0.44, 0.57, 0.71], [0.009, 0.012, 0.015, 0.018, 0.019, 0.021]),
        100: ([0.19, 0.38, 0.75, 1.15, 1.49, 1.86], [0.031, 0.033, 0.035, 0.039, 0.052, 0.058]),
        400: ([3.60, 7.27, 14.51, 21.62, 31.07, 39.12], [0.40, 0.45, 0.53, 0.57, 0.65, 0.76])},
    "magic04": {
        50: ([0.71, 1.51, 2.98, 4.47, 6.05, 7.60], [0.15, 0.16, 0.16, 0.17, 0.19, 0.19]),
        300: ([6.27, 12.80, 25.49, 38.08, 50.94, 64.43], [1.52, 1.57, 1.60, 1.64, 1.66, 1.83]),
        700: ([29.01, 58.56, 117.12, 179.44, 231.59, 290.36], [5.95, 6.06, 6.34, 6.60, 6.94, 7.11])},
}


def run_set(args, name):
    path = common.data_file(name)
    if not path:
        return []
    sizes, folds, repeats = (list(SETS[name])[:1], FOLDS[:2], 1) if args.quick else (SETS[name], FOLDS, 5)
    command = [args.binary, path, ",".join(map(str, sizes)), ",".join(map(str, folds)), repeats]
    lines = []
    for row in csv.DictReader(common.run(command).out.splitlines()):
        simple, fast = (times[FOLDS.index(int(row["folds"]))] for times in SETS[name][int(row["m"])])
        lines.append({"set": name, "m": row["m"], "folds": row["folds"], "simple_s": row["simple_s"],
                      "fast_s": row["fast_s"], "ratio": f"{float(row['simple_s']) / float(row['fast_s']):.1f}",
                      "paper_simple_s": simple, "paper_fast_s": fast, "paper_ratio": f"{simple / fast:.1f}",
                      "rank": row["rank"], "mse": row["mse"], "difference": row["difference"]})
    return lines


def main():
    args = common.comparison_options(__doc__, "fastcv.csv", SETS)
    common.run_sets(args, "median of 5, fewer where one takes seconds", lambda name: run_set(args, name))


main()
