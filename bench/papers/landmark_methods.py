#!/usr/bin/python3
"""Landmark methods side by side: test error with the same number of landmarks on the same random splits, as in table 1
of De Brabanter et al. 2010, which has Boston housing with entropy and random landmarks.

    landmark_methods.py BINARY [--runs N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

N splits (30; at most 10 with many landmarks), two thirds for training; the rows of magic04, letter (6000) and cpusmall
(4000) are drawn anew for each split. `--kernel rbf`, the rest is nysel's default (leave-one-out; the paper: 10 folds).
measure: percentage of wrong labels, or L2, the mean squared error over the variance of the training targets. against is
the mean difference to rpcholesky over the splits, with its standard error: above 0 is worse. By default two splits run
at a time, one thread each, so the seconds compare the methods with each other only.
"""
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402

common.need_numpy()
MANY_RUNS = 10  # splits with many landmarks, at most
# table 1: housing; mean and deviation of the squared error
PAPER = {("housing", "entropy"): (0.1293, 0.0246), ("housing", "uniform"): (0.1433, 0.0323)}
METHODS = ["uniform", "entropy", "kmeans", "rpcholesky"]
# name: landmarks (few, as in the paper, and as many as --landmarks auto starts from), training rows, test rows
SETS = {
    "housing": ((200,), 338, 168),
    "concrete": ((120,), 687, 343),
    "raetsch_image": ((130, 800), 1540, 770),
    "abalone": ((200, 897), 2785, 1392),
    "spambase": ((200, 941), 3068, 1533),
    "satimage": ((330, 1113), 4290, 2145),
    "pendigits": ((250, 1455), 7328, 3664),
    "magic04": ((300, 1075), 4000, 2000),
    "letter": ((500, 1075), 4000, 2000),
    "cpusmall": ((300, 877), 2667, 1333),
}


def error(trial):
    return trial.metrics["L2"] if "L2" in trial.metrics else 100 * trial.metrics["error"]


def run_size(args, name, landmarks, splits, header, refused):
    variants = {method: ["--landmarks", landmarks, "--kernel", "rbf", "--landmark-method", method]
                for method in METHODS}
    found = common.compare(args, header, splits, variants, refused)
    lines = []
    for method, trials in found.items():
        paper, paper_sd = PAPER.get((name, method), ("", ""))
        mean, sd = common.mean_sd([error(t) for t in trials])
        against, spread = common.mean_sd([error(t) - error(r) for t, r in zip(trials, found.get("rpcholesky", trials))])
        lines.append({"set": name, "rows": SETS[name][1], "landmarks": landmarks, "method": method,
                      "splits": len(trials), "measure": "L2" if "L2" in trials[0].metrics else "error %",
                      "paper": paper, "paper_sd": paper_sd, "error": f"{mean:.4g}", "sd": common.text(sd, ".3g"),
                      "against": f"{against:+.3g}",
                      "against_se": common.text(spread / len(trials) ** 0.5, ".2g"),
                      "seconds": f"{statistics.mean(t.seconds for t in trials):.3f}"})
    return lines


def run_set(args, name, refused):
    data = common.read_all(name)
    if not data:
        return []
    header, rows = data
    sizes, train, test = SETS[name]
    splits = [lambda seed=seed: common.random_split(rows, seed, train, test) for seed in range(args.splits)]
    return [line for k, m in enumerate(sizes)
            for line in run_size(args, name, m, splits if k == 0 else splits[:MANY_RUNS], header, refused)]


def main():
    args, refused = common.comparison_options(__doc__, "landmark_methods.csv", SETS, splits=30, jobs=2), set()
    common.run_sets(args, "rbf, leave-one-out, the same splits for all", lambda name: run_set(args, name, refused))


main()
