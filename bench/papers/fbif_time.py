#!/usr/bin/python3
"""Processor time of the selections of Liu et al. 2018, table 2, for kernel ridge regression, with the errors that they lead
to: cross-validation by retraining, as the paper has it, nysel's in closed form, and FBIF.

    fbif_time.py PROGRAM [--splits N] [--repeats N] [--only NAME,...] [--quick] [--add] [--out FILE]

PROGRAM: BUILD/bench/fbif_time, whose source says what each way is. N (8) splits as in liu.py, --repeats (3) of each by
turns in one process: seconds is the median over splits of the medians. abalone and cpusmall (2924 and 5734 rows) have one
split, one repetition and a part of the grid, LARGE; a share of it says nothing of the errors, so they have none.
"""
import csv
import math
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
import liu  # noqa: E402

LARGE = {"abalone": (1, 16), "cpusmall": (1, 4)}  # sigmas, lambdas


def one_split(args, name, header, train, test, folds):
    """{way: row of the program}."""
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        files = [pathlib.Path(where) / part for part in ("train.csv", "test.csv")]
        for file, rows in zip(files, (train, test)):
            common.write_rows(file, header, rows)
        part = [1, *LARGE[name]] if name in LARGE else [1 if args.quick else args.repeats]
        return {r["way"]: r for r in csv.DictReader(common.run([args.binary, *files, folds, *part]).out.splitlines())}


def run_set(args, name):
    data = liu.read(name)
    if not data:
        return []
    header, rows = data
    n, unit = round(0.7 * len(rows)), liu.SETS[name][1]
    lines = []
    for folds in (5, 10):
        found = [one_split(args, name, header, *common.random_split(rows, seed, n), folds)
                 for seed in range(1 if name in LARGE else args.splits)]
        printed = [liu.printed(name, f"{folds}-{way}") for way in ("CV", "FBIF")]
        for way in found[0]:
            judged = name not in LARGE and way != "low"
            mean, sd = common.mean_sd([float(f[way]["test_mse"]) / unit for f in found]) if judged else (math.nan, math.nan)
            lines.append({"set": name, "rows": n, "folds": folds, "way": way, "splits": len(found),
                          "seconds": f"{statistics.median(float(f[way]['seconds']) for f in found):.4g}",
                          "mse": common.text(mean, ".4g"), "sd": common.text(sd, ".3g"),
                          "unit": unit, "paper_cv": printed[0].value, "paper_fbif": printed[1].value,
                          "paper_ratio": f"{printed[0].seconds / printed[1].seconds:.3g}",
                          "grid": "all" if name not in LARGE else f"{LARGE[name][0]} x {LARGE[name][1]}"})
    return lines


def main():
    args = common.comparison_options(__doc__, "fbif_time.csv", liu.KRR, splits=8, more=[
        ("--repeats", 3, "repetitions of each way on each split")])
    os.environ["OPENBLAS_CORETYPE"] = common.blas_core(pathlib.Path(args.binary).resolve().parent.parent / "nysel")
    common.run_sets(args, "the paper's grid, 70 % for training, one thread, processor time", lambda name: run_set(args, name))


main()
