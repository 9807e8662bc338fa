#!/usr/bin/python3
"""Test results of fixed-size LS-SVM (De Brabanter et al. 2010, tables 8, 10 and 12; times: 9, 11 and 13) and nysel's
with the same number of landmarks.

    debrabanter.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

Random splits of the paper's sizes, seeds 0 ..: 10 for sets below 6000 rows, 3 for the others (the paper: 10), inputs
standardised. Each with `--kernel rbf`, as the paper, and with the default kernel; the rest is nysel's default
(leave-one-out, landmarks by --landmark-method auto) unless --extra says otherwise. letter with one-vs-one has one split
and rbf only: its 325 decompositions of 1500 x 1500 take minutes. Rows of one-vs-all stand beside the
better one of the paper's two codings.

accuracy is the percentage of right labels. For regression the paper normalises the inputs and says nothing of the
target; an L2 of 0.13 for Boston housing makes sense with a standardised target only, so L2 is the mean squared error
over the variance of the training targets, L1 and Linf the mean and the largest absolute error over their deviation.
in_se is the difference to the paper in standard errors (of both means); above 0 is better than the paper. Seconds are
those of the whole `nysel train`, reading and selection included; the paper's include 160 evaluations and the test.

adult: rows with missing values dropped, both files joined; categories become one input each (the paper counts 14
attributes). covtype_part is a 16 % part of the Forest Covertype data: 62,000 rows for training where the paper has
531,012. satimage, optdigits, pendigits: both files joined.
"""
import math
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402

common.need_numpy()
SMALL, SPLITS_SMALL, SPLITS_LARGE, PAPER_SPLITS = 6000, 10, 3, 10
# name: prototypes, training and test rows; {coding or measure: (value, sd)}; {coding: seconds}
SETS = {
    "housing": (200, 338, 168, {"L2": (0.13, 0.02), "L1": (0.24, 0.02), "Linf": (1.90, 0.50)}, {"": 74}),
    "pima_diabetes": (150, 512, 256, {"": (76.7, 3.43)}, {"": 30.1}),
    "concrete": (120, 687, 343, {"L2": (0.17, 0.02), "L1": (0.30, 0.03), "Linf": (1.22, 0.42)}, {"": 94}),
    "spambase": (200, 3068, 1533, {"": (92.5, 0.67)}, {"": 249}),
    "magic04": (1000, 13000, 6020, {"": (86.6, 0.51)}, {"": 9985}),
    "adult": (500, 33000, 12222, {"": (85.21, 0.21)}, {"": 7344}),
    "covtype_part": (500, 62000, 30000, {"": (81.8, 0.52)}, {"": 122290}),
    "optdigits": (420, 3750, 1870, {"moc": (96.87, 0.70), "ovo": (98.14, 0.10)}, {"moc": 4892, "ovo": 623}),
    "satimage": (330, 4435, 2000, {"moc": (91.83, 0.43), "ovo": (91.93, 0.3)}, {"moc": 2159, "ovo": 739}),
    "pendigits": (250, 7328, 3664, {"moc": (99.44, 0.17), "ovo": (99.57, 0.10)}, {"moc": 2221, "ovo": 514}),
    "letter": (1500, 13667, 6333, {"moc": (89.14, 0.22), "ovo": (95.65, 0.17)}, {"moc": 105930, "ovo": 10380}),
    "shuttle": (175, 43500, 14500, {"moc": (99.87, 0.03), "ovo": (99.84, 0.03)}, {"moc": 5908, "ovo": 2734}),
}


def read(name):
    data = common.read_all(name)
    if data and name == "adult":
        data = data[0], [row for row in data[1] if "?" not in row]
    if data and name == "covtype_part":
        data = data[0], [row[:-1] + ["2" if row[-1] == "2" else "other"] for row in data[1]]
    return data


def line(name, measure, coding, paper_coding, kernel, trials):
    prototypes, _, _, paper, seconds = SETS[name]
    if measure == "accuracy":
        values, best, sign = [100 * (1 - t.metrics["error"]) for t in trials], paper[paper_coding], 1
    else:
        values, best, sign = [t.metrics[measure] for t in trials], paper[measure], -1
    mean, sd = common.mean_sd(values)
    error = math.sqrt(sd ** 2 / len(values) + best[1] ** 2 / PAPER_SPLITS)
    return {"set": name, "rows": trials[0].record["data"]["rows"], "prototypes": prototypes, "measure": measure,
            "coding": coding, "kernel": kernel, "splits": len(values), "paper_coding": paper_coding,
            "paper": best[0], "paper_sd": best[1], "nysel": f"{mean:.4g}", "nysel_sd": common.text(sd, ".2g"),
            "in_se": common.text(sign * (mean - best[0]) / error, "+.1f"),
            "seconds": f"{statistics.mean(t.seconds for t in trials):.3f}", "paper_seconds": seconds[paper_coding]}


def run_set(args, name, refused):
    data = read(name)
    if not data:
        return []
    header, rows = data
    prototypes, train, test, paper, _ = SETS[name]
    count = args.splits or (SPLITS_SMALL if len(rows) < SMALL else SPLITS_LARGE)
    splits = [lambda seed=seed: common.random_split(rows, seed, train, test) for seed in range(count)]
    codings = ["ova", "ovo", "moc"] if "moc" in paper else [""]
    variants = {(coding, kernel): ["--landmarks", prototypes, "--kernel", kernel,
                                   *(["--multiclass", coding] if coding else [])]
                for coding in codings for kernel in ("rbf", "auto") if (name, coding) != ("letter", "ovo")}
    found = common.compare(args, header, splits, variants, refused)
    if name == "letter" and not args.quick:
        slow = {("ovo", "rbf"): ["--landmarks", prototypes, "--kernel", "rbf", "--multiclass", "ovo"]}
        found |= common.compare(args, header, splits[:1], slow, refused)
    lines = []
    for (coding, kernel), trials in found.items():
        for measure in ["L2", "L1", "Linf"] if "L2" in paper else ["accuracy"]:
            peer = max(paper, key=paper.get) if coding == "ova" else coding
            lines.append(line(name, measure, coding, peer, kernel, trials))
    return lines


def main():
    args, refused = common.comparison_options(__doc__, "debrabanter.csv", SETS), set()
    common.run_sets(args, "nysel with the paper's number of landmarks", lambda name: run_set(args, name, refused))


main()
