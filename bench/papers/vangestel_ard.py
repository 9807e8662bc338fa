#!/usr/bin/python3
"""Input selection on the sinc data of Van Gestel et al. (2002, section 4.1): mean squared test errors, and nysel's.

    vangestel_ard.py BINARY [--splits N] [--only NAME,...] [--ways paper,default] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

200 training and 1000 test rows, N (10) times drawn anew: x1 uniform in [-0.5, 0.5], x2 = x1 + noise of deviation 0.05,
x3 noise of deviation 0.5, y = sinc(2 pi x1) + noise of variance 0.01, the least error there is. Sets: 50 landmarks, or
all 200 rows. Ways: one bandwidth for all inputs, a scale for each (--ard), and without the inputs that are not needed
(--select-inputs); rbf kernel, everything by the evidence, as in the paper; `note`: in how many of the runs
these were dropped. The paper has one run. default: `nysel train` without other options
than --ard and --select-inputs.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
from lines import Printed, row  # noqa: E402

np = common.need_numpy()
# name: landmarks; the paper's mean squared errors
SETS = {
    "50": ("50", {"isotropic": 0.0479, "ard": 0.0121, "selected": 0.0103}),
    "all": ("all", {"isotropic": 0.0169, "ard": 0.0102, "selected": 0.0102}),
}
WAYS = {"isotropic": [], "ard": ["--ard"], "selected": ["--select-inputs"]}


def rows_of(rng, count):
    x1 = rng.uniform(-0.5, 0.5, count)
    x2, x3 = x1 + 0.05 * rng.randn(count), 0.5 * rng.randn(count)
    y = np.sinc(2 * np.pi * x1) + 0.1 * rng.randn(count)
    return [[repr(float(v)) for v in row] for row in zip(x1, x2, x3, y)]


def split(seed):
    rng = np.random.RandomState(seed)
    return rows_of(rng, 200), rows_of(rng, 1000)


def printed(name, way):
    return Printed("section 4.1", way, SETS[name][1][way], "", 1, unit="MSE")


def run_set(args, name):
    landmarks = SETS[name][0]
    splits = [lambda seed=seed: split(seed) for seed in range(args.splits)]
    variants = {way: ["--kernel", "rbf", "--criterion", "evidence", "--landmarks", landmarks, *options]
                for way, options in WAYS.items()} if "paper" in args.ways else {}
    if "default" in args.ways:
        variants |= {(way, "default"): options for way, options in WAYS.items()}
    found, lines = common.compare(args, ["x1", "x2", "x3", "y"], splits, variants, set()), []
    for way in WAYS:
        for kind, trials in (("paper", found.get(way)), ("default", found.get((way, "default")))):
            if trials:
                gone = [sum(not (t.record["inputs"] or 3 * [{"kept": True}])[k]["kept"] for t in trials) for k in (1, 2)]
                lines.append(row(f"sinc, 3 inputs, {name}", 200, printed(name, way), kind,
                                 [t.metrics["mse"] for t in trials], [t.seconds for t in trials],
                                 note=f"x2, x3 dropped in {gone[0]}, {gone[1]}" if (way, kind) == ("selected", "paper") else ""))
    return lines


def main():
    args = common.comparison_options(__doc__, "vangestel_ard.csv", SETS, splits=10, ways="paper,default")
    common.run_sets(args, "--kernel rbf --criterion evidence", lambda name: run_set(args, name))


if __name__ == "__main__":
    main()
