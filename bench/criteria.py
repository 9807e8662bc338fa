#!/usr/bin/python3
"""Default training with each criterion on the same random splits: test error, and time beside that of `loo`.

    criteria.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

N (3) splits, two thirds for training; the criteria are tried one after the other on each, so that the ratio (median
over splits) is of runs close in time. error: percentage wrong, or MSE; sd over splits.
"""
import statistics

import common

common.need_numpy()
SETS = ["magic04", "spambase", "satimage", "raetsch_image", "pima_diabetes", "housing", "concrete", "abalone", "cpusmall"]
CRITERIA = ["loo", "cv", "gcv", "evidence", "evidence-nystrom"]


def run_set(args, name):
    data = common.read_all(name)
    if not data:
        return []
    header, rows = data
    splits = [lambda seed=seed: common.random_split(rows, seed) for seed in range(args.splits)]
    found = common.compare(args, header, splits, {c: ["--criterion", c] for c in CRITERIA}, set())
    lines = []
    for criterion, trials in found.items():
        measure = "mse" if "mse" in trials[0].metrics else "error"
        errors = [t.metrics["mse"] if measure == "mse" else 100 * t.metrics["error"] for t in trials]
        ratios = [t.seconds / base.seconds for t, base in zip(trials, found["loo"])]
        mean, sd = common.mean_sd(errors)
        lines.append({"set": name, "rows": trials[0].record["data"]["rows"], "splits": len(trials), "measure": measure,
                      "criterion": criterion, "error": f"{mean:.3g}", "sd": common.text(sd, ".2g"),
                      "seconds": f"{statistics.mean(t.seconds for t in trials):.3f}",
                      "ratio": f"{statistics.median(ratios):.2f}"})
    return lines


def main():
    args = common.comparison_options(__doc__, "criteria.csv", SETS, splits=3)
    common.run_sets(args, "defaults", lambda name: run_set(args, name))


main()
