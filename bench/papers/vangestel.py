#!/usr/bin/python3
"""Bayesian evidence with few landmarks (Van Gestel et al. 2002, tables 1 and 2 and the adult experiment), and nysel's.

    vangestel.py BINARY [--splits N] [--only NAME,...] [--ways paper,default] [--extra "OPTIONS"] [--quick] [--add]
                 [--out FILE]

N (10) data sets (sinc: 200 and 1000 generated rows), random splits of two thirds (crabs, heart) or landmark draws (the
supplied split of ripley_synth). Lines: 10 to 100 % of the rows as uniform landmarks. Ways:
    paper     --criterion evidence-nystrom, the paper's own, with the rbf kernel chooses sigma and gamma (C); then, as in
              the paper, the exact machine is trained there
    evidence  the same with nysel's --criterion evidence
    default   `nysel train` without options
Values are 100 x MSE for sinc, else the percentage right. `note` has log sigma and log gamma, sigma of
exp(-|x-z|^2 / sigma^2) as in the paper, which prints its own in the same place. The paper's deviations are over draws of
landmarks on one data set; so are ours on ripley_synth. On the others ours are over data sets, and the paper's value
counts as one of them.

adult: 33000 of the 45222 rows without missing values, 12222 to test; 100 landmarks; sigma from the paper's grid 2, 4 ..
12; then the exact machine on all rows by conjugate gradients (--solver cg).
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
from lines import Printed, row  # noqa: E402

np = common.need_numpy()
# percentage of landmarks: value, its deviation, log sigma, log gamma
PAPER = {
    "sinc": {100: (1.007, 0, -0.223, 4.084), 75: (1.007, 0, -0.273, 4.087), 50: (1.007, 0, -0.270, 3.931),
             25: (1.008, 0, -0.317, 3.784), 10: (1.012, 0, -0.552, 3.225)},
    "crabs": {100: (95.5, 0, 1.25, 5.79), 75: (95.6, 0.47, 1.15, 5.65), 50: (95.6, 0.63, 1.26, 6.05),
              25: (95.5, 0, 1.60, 4.99), 10: (95.5, 0, 1.57, 4.77)},
    "ripley_synth": {100: (90.6, 0, 0.26, 0.47), 75: (90.6, 0.04, 0.26, 0.50), 50: (90.4, 0.04, 0.69, 0.49),
                     25: (90.5, 0.06, 0.19, 0.55), 10: (90.6, 0.08, 0.20, 0.89)},
    "heart_statlog": {100: (85.6, 0, 0.61, 2.28), 75: (85.6, 0, 2.23, 0.59), 50: (85.6, 0, 2.26, 0.60),
                      25: (85.6, 0, 2.25, 0.62), 10: (85.6, 0, 2.22, 0.64)},
    "adult": {},
}
CRITERIA = ["evidence", "evidence-nystrom"]
SAME_TEST = {"ripley_synth": 1000, "adult": 12222}  # rows of a test set that is the same in all runs


def sinc(seed):
    draw = np.random.RandomState(seed)
    x = draw.uniform(-0.5, 0.5, 1200)
    y = np.sinc(2 * np.pi * x) + 0.1 * draw.normal(size=1200)
    rows = [[repr(float(a)), repr(float(b))] for a, b in zip(x, y)]
    return rows[:200], rows[200:]


def splits_of(name, count):
    """Header and functions that return training and test rows, or None."""
    if name == "sinc":
        return ["x1", "target"], [lambda seed=seed: sinc(seed) for seed in range(count)]
    data = common.read_all(name)
    if not data:
        return None
    header, rows = data
    if name == "crabs":  # the species is not an input
        header, rows = header[:5] + header[6:], [row[:5] + row[6:] for row in rows]
    if name == "ripley_synth":
        return header, [lambda: (rows[:250], rows[250:])] * count
    return header, [lambda seed=seed: common.random_split(rows, seed) for seed in range(count)]


def value(name, trial):
    return 100 * trial.metrics["mse"] if name == "sinc" else 100 * (1 - trial.metrics["error"])


def printed(name, percent):
    """What the paper has: the deviation over draws of landmarks is that of our runs on ripley_synth only."""
    value, sd, _, _ = PAPER[name][percent]
    sd, splits = (sd or "", 10) if name == "ripley_synth" else ("", 1)
    return Printed("1" if name == "sinc" else "2", f"{percent}% landmarks", value, sd, splits,
                   better="less" if name == "sinc" else "more", unit="100 MSE" if name == "sinc" else "accuracy %")


def levels(records, paper):
    """Where the selections ended, and the paper's."""
    sigma = sum(math.log(r["bandwidth"] * math.sqrt(2)) for r in records) / len(records)
    gamma = sum(math.log(r["C"]) for r in records) / len(records)
    return f"log sigma {sigma:.2f}, log gamma {gamma:.2f}; paper {paper[0]:g}, {paper[1]:g}"


def selections(train, percent):
    """{criterion: options, (criterion, "exact"): options of the exact machine at the point found}."""
    ways = {}
    for criterion in CRITERIA:
        ways[criterion] = ["--kernel", "rbf", "--criterion", criterion, "--landmark-method", "uniform",
                           "--landmarks", "all" if percent == 100 else round(train * percent / 100)]
        ways[criterion, "exact"] = lambda t, c=criterion: common.fixed(t[c].record, "all")
    return ways


def run_set(args, name):
    if name == "adult":
        return run_adult(args)
    found = splits_of(name, args.splits)
    if not found:
        return []
    header, splits = found
    train = len(splits[0]()[0])
    default = common.compare(args, header, splits, {"default": []}, set()).get("default") \
        if "default" in args.ways else None
    lines = []
    for percent, paper in PAPER[name].items():
        line = printed(name, percent)
        ways = selections(train, percent) if "paper" in args.ways else {}
        trials = [common.try_split(args.binary, header, *split(), ways, [*args.extra.split(), "--seed", seed + 1], set())
                  for seed, split in enumerate(splits)]  # a draw of landmarks for each
        for criterion, way in (("evidence-nystrom", "paper"), ("evidence", "evidence")) if ways else ():
            lines.append(row(name, train, line, way, [value(name, t[criterion, "exact"]) for t in trials],
                             [t[criterion].seconds + t[criterion, "exact"].seconds for t in trials],
                             test_rows=SAME_TEST.get(name, ""), note=levels([t[criterion].record for t in trials], paper[2:])))
        if default:
            lines.append(row(name, train, line, "default", [value(name, t) for t in default],
                             [t.seconds for t in default], test_rows=SAME_TEST.get(name, "")))
    return lines


def run_adult(args):
    data = common.read_all("adult")
    if not data:
        return []
    rows = [row for row in data[1] if "?" not in (field.strip() for field in row)]
    low, high = math.log2(2 / math.sqrt(2)), math.log2(12 / math.sqrt(2))
    ways = {"paper": ["--kernel", "rbf", "--criterion", "evidence-nystrom", "--landmark-method", "uniform", "--landmarks",
                      "100", "--search", "grid", "--bandwidth", f"{low}:{high}:0.5", "--solver", "cg"],
            "default": []}
    found = common.compare(args, data[0], [lambda: common.random_split(rows, 0, 33000, 12222)],
                           {way: options for way, options in ways.items() if way in args.ways}, set())
    line = Printed("adult", "100 landmarks", 84.5, "", 1, better="more", unit="accuracy %")
    return [row("adult", 33000, line, way, [value("adult", t) for t in trials], [t.seconds for t in trials],
                test_rows=SAME_TEST["adult"], note=levels([t.record for t in trials], (math.log(6), math.log(2.44))) if way == "paper" else "")
            for way, trials in found.items()]


def main():
    args = common.comparison_options(__doc__, "vangestel.csv", PAPER, splits=10, ways="paper,default")
    common.run_sets(args, "the paper's kernel, uniform landmarks", lambda name: run_set(args, name))


if __name__ == "__main__":
    main()
