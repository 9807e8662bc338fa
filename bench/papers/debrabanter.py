#!/usr/bin/python3
"""Test results of fixed-size LS-SVM (De Brabanter et al. 2010, tables 8, 10 and 12; times: 9, 11 and 13) and nysel's
with the same number of landmarks.

    debrabanter.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

Random splits of the paper's sizes, seeds 0 ..: 10 for sets below 6000 rows, 3 for the others (the paper: 10), inputs
standardised. Each with `--kernel rbf`, as the paper, with the default kernel, and linear where the paper has it; the
rest is nysel's default (leave-one-out, landmarks by --landmark-method auto) unless --extra says otherwise. letter with
one-vs-one and rbf has one split, and none with the default kernel: its 325 decompositions of 1500 x 1500 take minutes.
Rows of one-vs-all stand beside the better one of the paper's two codings.

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
# the linear kernel; coding: accuracy, deviation, seconds
LINEAR = {
    "pima_diabetes": {"": (77.6, 0.78, 19.8)}, "spambase": {"": (90.9, 0.75, 72)}, "magic04": {"": (77.8, 0.23, 1298)},
    "adult": {"": (83.9, 0.17, 1404)}, "covtype_part": {"": (75.61, 0.35, 5615)},
    "optdigits": {"ovo": (97.18, 0.35, 282), "moc": (78.62, 0.32, 942)},
    "satimage": {"ovo": (85.71, 0.77, 153), "moc": (74.35, 0.26, 409)},
    "pendigits": {"ovo": (96.67, 0.35, 156), "moc": (68.21, 0.36, 279)},
    "letter": {"ovo": (84.87, 0.49, 2792), "moc": (18.20, 0.46, 44457)},
    "shuttle": {"ovo": (96.82, 0.18, 501), "moc": (84.78, 0.33, 645)},
}
KERNELS = ("rbf", "auto", "linear")


def paper_coding(name, coding):
    """The paper has no one-vs-all: the better one of its codings."""
    paper = SETS[name][3]
    return max(paper, key=paper.get) if coding == "ova" else coding


def paper_result(name, coding, measure="accuracy", kernel="rbf"):
    """Value, deviation and seconds that the paper has."""
    coding = paper_coding(name, coding)
    if kernel == "linear":
        return LINEAR[name][coding]
    _, _, _, paper, seconds = SETS[name]
    return (*paper[coding if measure == "accuracy" else measure], seconds[coding])


def read(name):
    data = common.read_all(name)
    if data and name == "adult":
        data = data[0], [row for row in data[1] if "?" not in row]
    if data and name == "covtype_part":
        data = data[0], [row[:-1] + ["2" if row[-1] == "2" else "other"] for row in data[1]]
    return data


def line(name, measure, coding, kernel, trials):
    paper, paper_sd, seconds = paper_result(name, coding, measure, kernel)
    if measure == "accuracy":
        values, sign = [100 * (1 - t.metrics["error"]) for t in trials], 1
    else:
        values, sign = [t.metrics[measure] for t in trials], -1
    mean, sd = common.mean_sd(values)
    error = math.sqrt(sd ** 2 / len(values) + paper_sd ** 2 / PAPER_SPLITS)
    return {"set": name, "rows": trials[0].record["data"]["rows"], "prototypes": SETS[name][0], "measure": measure,
            "coding": coding, "kernel": kernel, "splits": len(values), "paper_coding": paper_coding(name, coding),
            "paper": paper, "paper_sd": paper_sd, "nysel": f"{mean:.4g}", "nysel_sd": common.text(sd, ".2g"),
            "in_se": common.text(sign * (mean - paper) / error, "+.1f"),
            "seconds": f"{statistics.mean(t.seconds for t in trials):.3f}", "paper_seconds": seconds}


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
                for coding in codings for kernel in KERNELS
                if kernel == "linear" and coding in LINEAR.get(name, ()) or
                kernel != "linear" and (name, coding) != ("letter", "ovo")}
    found = common.compare(args, header, splits, variants, refused)
    if name == "letter" and not args.quick and "rbf" in KERNELS:
        slow = {("ovo", "rbf"): ["--landmarks", prototypes, "--kernel", "rbf", "--multiclass", "ovo"]}
        found |= common.compare(args, header, splits[:1], slow, refused)
    lines = []
    for (coding, kernel), trials in found.items():
        for measure in ["L2", "L1", "Linf"] if "L2" in paper else ["accuracy"]:
            lines.append(line(name, measure, coding, kernel, trials))
    return lines


def main():
    args, refused = common.comparison_options(__doc__, "debrabanter.csv", SETS), set()
    common.run_sets(args, "nysel with the paper's number of landmarks", lambda name: run_set(args, name, refused))


if __name__ == "__main__":
    main()
