#!/usr/bin/python3
"""Which probabilities are better: --proba-method calibration or posterior, on random splits of classification sets.

    calibration.py BINARY [--splits N] [--only NAME,...] [--out FILE]

log_loss, brier and error on the test rows, means over the splits; expected is the error that training promised. gap is
the mean difference between the probability of the predicted class and how often it is right, over tenths of that
probability weighted by their rows (all splits together): 0 is perfectly calibrated. The tenths themselves go to
..._bins.csv.
"""
import pathlib
import statistics

import common

common.need_numpy()
SETS = ["raetsch_heart", "pima_diabetes", "raetsch_german", "raetsch_banana", "raetsch_image", "ionosphere", "sonar",
        "spambase", "crabs", "satimage", "optdigits", "pendigits", "magic04"]
METHODS = {m: ["--proba-method", m] for m in ("calibration", "posterior")}
LARGEST = 4000  # rows for training; the machines are the same for both methods


def run_set(args, name, bins):
    data = common.read_all(name)
    if not data:
        return []
    header, rows = data
    take = min(LARGEST, len(rows) * 2 // 3)
    splits = [lambda seed=seed: common.random_split(rows, seed, take, 4000) for seed in range(args.splits)]
    table = []
    for method, trials in common.compare(args, header, splits, METHODS, set()).items():
        tenths = {}
        for t in trials:
            for b in t.metrics["reliability"]:
                old = tenths.setdefault((b["from"], b["to"]), [0, 0, 0])
                for k, v in enumerate((1, b["predicted"], b["observed"])):
                    old[k] += b["rows"] * v
        count = sum(n for n, _, _ in tenths.values())
        bins += [{"set": name, "method": method, "from": a, "to": b, "rows": n, "predicted": f"{p / n:.4f}",
                  "observed": f"{o / n:.4f}"} for (a, b), (n, p, o) in sorted(tenths.items())]
        mean = {k: statistics.mean(t.metrics[k] for t in trials) for k in ("log_loss", "brier", "error")}
        table.append({"set": name, "rows": take, "classes": len(trials[0].record["data"]["classes"]), "method": method,
                      "splits": len(trials), **{k: f"{v:.4f}" for k, v in mean.items()},
                      "expected": f"{statistics.mean(t.record['criterion']['error'] for t in trials):.4f}",
                      "gap": f"{sum(abs(p - o) for _, p, o in tenths.values()) / count:.4f}"})
    return table


def main():
    args = common.comparison_options(__doc__, "calibration.csv", SETS, splits=5, jobs=2)
    bins = []

    def one_set(name):
        table = run_set(args, name, bins)
        if args.out and bins:
            common.save(pathlib.Path(str(args.out).replace(".csv", "_bins.csv")), bins, "tenths of all splits together")
        return table

    common.run_sets(args, "nysel defaults, the same splits", one_set)


main()
