#!/usr/bin/python3
"""Test results of fixed-size LS-SVM (De Brabanter et al. 2010, tables 1, 8, 10 and 12; times: 9, 11 and 13), and nysel's.

    debrabanter.py BINARY [--splits N] [--splits-large N] [--only NAME,...] [--ways paper,default] [--extra "OPTIONS"]
                   [--jobs N] [--quick] [--add] [--out FILE]

Random splits of the paper's sizes, seeds 0 ..: N (10) for sets below 6000 rows, --splits-large (3) for the others (the
paper: 10), inputs standardised. housing-landmarks is table 1: housing with 30 splits. Ways:
    paper    the protocol of section 8.2: the paper's number of prototypes, chosen by entropy (Algorithms 1 and 2),
             10-fold cross-validation of the count of errors (numbers: of the squared error), 90 evaluations by coupled
             simulated annealing and 70 by a simplex (Algorithm 6); the bias penalised as in (7), with LS-SVMlab's features,
             which are sqrt(m) times ours: --bias-penalty m, and its gamma is C / m; each machine of one-vs-one and of
             minimum output coding has prototypes, bandwidth and gamma of its own
    default  `nysel train` without options: the same figure stands beside all lines of a set
letter: a pair has about 1050 rows, so 1500 prototypes for each are impossible; the printed time fits 2 m / k = 115 for a
pair of k = 26 classes, which are used. Five machines of 1500 prototypes would train for 20 minutes with 160 evaluations,
so minimum output coding is searched by nysel's profile search there; `note` says so.

accuracy is the percentage of right labels. For regression the paper normalises the inputs and says nothing of the
target; an L2 of 0.13 for Boston housing makes sense with a standardised target only, so L2 is the mean squared error
over the variance of the training targets, L1 and Linf the mean and the largest absolute error over their deviation.
Seconds are those of the whole `nysel train`, reading and selection included; the paper's include 160 evaluations and
the test.

adult: rows with missing values dropped, both files joined; categories become one input each (the paper counts 14
attributes). covtype_part is a 16 % part of the Forest Covertype data: 62,000 rows for training where the paper has
531,012. satimage, optdigits, pendigits: both files joined. satimage is printed with 7 classes, the data have 6.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
from lines import Printed, row  # noqa: E402

common.need_numpy()
SMALL, PAPER_SPLITS = 6000, 10
# name: prototypes, training and test rows; {coding or measure: (value, sd)}; {coding: seconds}
SETS = {
    "housing": (200, 338, 168, {"L2": (0.13, 0.02), "L1": (0.24, 0.02), "Linf": (1.90, 0.50)}, {"": 74}),
    "housing-landmarks": (200, 338, 168, {"entropy": (0.1293, 0.0246), "random": (0.1433, 0.0323)}, {"": ""}),
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
TABLE1, LETTER_PAIR, PROFILE = "housing-landmarks", 115, ("letter", "rbf", "moc")


def printed_lines(name):
    """{(kernel, coding or measure): what the paper has} of a set."""
    _, _, _, paper, seconds = SETS[name]
    found = {}
    for key, (value, sd) in paper.items():
        if name == TABLE1:
            found["rbf", key] = Printed("1", f"L2, {key} landmarks", value, sd, 30, "", "less", "L2")
        elif key[:1] == "L":
            found["rbf", key] = Printed("12, 13", f"{key}, rbf", value, sd, PAPER_SPLITS, seconds[""], "less", key)
        else:
            found["rbf", key] = Printed("10, 11" if key else "8, 9", f"rbf {key}".strip(), value, sd, PAPER_SPLITS,
                                        seconds[key], "more", "accuracy %")
    for key, (value, sd, time) in LINEAR.get(name, {}).items():
        found["linear", key] = Printed("10, 11" if key else "8, 9", f"linear {key}".strip(), value, sd, PAPER_SPLITS,
                                       time, "more", "accuracy %")
    return found


def read(name):
    data = common.read_all(name.removesuffix("-landmarks"))
    if data and name == "adult":
        data = data[0], [row for row in data[1] if "?" not in (field.strip() for field in row)]
    if data and name == "covtype_part":
        data = data[0], [row[:-1] + ["2" if row[-1] == "2" else "other"] for row in data[1]]
    return data


def protocol(name, kernel, key):
    """Options of section 8.2 for one line; key: the coding, the measure, or how landmarks are chosen."""
    m = LETTER_PAIR if (name, key) == ("letter", "ovo") else SETS[name][0]
    options = ["--landmarks", m, "--landmark-method", "uniform" if key == "random" else "entropy", "--criterion", "cv",
               "--folds", 10, "--kernel", kernel, "--search", "profile" if (name, kernel, key) == PROFILE else "csa",
               "--bias", "penalised", "--bias-penalty", m]
    if SETS[name][3].keys() & {"", "moc"}:
        options += ["--select-on", "error"]
    return options + (["--multiclass", key, "--machines-share", "no"] if key in ("ovo", "moc") else [])


def values(printed, trials):
    if printed.unit == "accuracy %":
        return [100 * (1 - t.metrics["error"]) for t in trials]
    return [t.metrics[printed.unit] for t in trials]


def note(name, kernel, key):
    if (name, kernel, key) == PROFILE:
        return "profile search instead of CSA"
    return f"{LETTER_PAIR} prototypes for a pair" if (name, key) == ("letter", "ovo") else ""


def run_set(args, name, refused):
    data = read(name)
    if not data:
        return []
    header, rows = data
    _, train, test, _, _ = SETS[name]
    count = args.splits if len(rows) < SMALL else args.splits_large
    if name == TABLE1 and not args.quick:
        count *= 3
    splits = [lambda seed=seed: common.random_split(rows, seed, train, test) for seed in range(count)]
    printed = printed_lines(name)
    variants = {}
    for (kernel, key) in printed if "paper" in args.ways else ():
        shared = ("rbf", "L2") if key in ("L1", "Linf") else (kernel, key)  # one machine has three measures
        variants.setdefault(shared, protocol(name, *shared))
    if "default" in args.ways:
        variants["default"] = []
    found = common.compare(args, header, splits, variants, refused)
    lines = []
    for (kernel, key), line in printed.items():
        for way, trials in (("paper", found.get(("rbf", "L2") if key in ("L1", "Linf") else (kernel, key))),
                            ("default", found.get("default"))):
            if trials:
                lines.append(row(name, train, line, way, values(line, trials), [t.seconds for t in trials],
                                 note=note(name, kernel, key) if way == "paper" else ""))
    return lines


def main():
    args, refused = common.comparison_options(__doc__, "debrabanter.csv", SETS, splits=10, more=[
        ("--splits-large", 3, f"random splits of sets with {SMALL} rows or more")], ways="paper,default"), set()
    args.splits_large = min(args.splits, args.splits_large)
    common.run_sets(args, "paper: section 8.2 as printed; default: nysel train",
                    lambda name: run_set(args, name, refused))


if __name__ == "__main__":
    main()
