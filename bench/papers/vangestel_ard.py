#!/usr/bin/python3
"""Input selection on the sinc data of Van Gestel et al. (2002, section 4.1): mean squared test errors, and nysel's.

    vangestel_ard.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

200 training and 1000 test rows, N (10) times drawn anew: x1 uniform in [-0.5, 0.5], x2 = x1 + noise of deviation 0.05,
x3 noise of deviation 0.5, y = sinc(2 pi x1) + noise of variance 0.01, the least error there is. Sets: 50 landmarks, or
all 200 rows. Ways: one bandwidth for all inputs, a scale for each (--ard), and without the inputs that are not needed
(--select-inputs); rbf kernel, everything by the evidence, as in the paper. x2_gone, x3_gone: in how many of the runs
these were dropped. The paper has one run.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402

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


def run_set(args, name):
    landmarks, paper = SETS[name]
    splits = [lambda seed=seed: split(seed) for seed in range(args.splits)]
    variants = {way: ["--kernel", "rbf", "--criterion", "evidence", "--landmarks", landmarks, *options]
                for way, options in WAYS.items()}
    lines = []
    for way, trials in common.compare(args, ["x1", "x2", "x3", "y"], splits, variants, set()).items():
        mean, sd = common.mean_sd([t.metrics["mse"] for t in trials])
        gone = [sum(not (t.record["inputs"] or 3 * [{"kept": True}])[k]["kept"] for t in trials) for k in range(3)]
        lines.append({"landmarks": name, "way": way, "runs": len(trials), "paper": paper[way], "nysel": f"{mean:.4f}",
                      "nysel_sd": common.text(sd, ".1g"), "x1_gone": gone[0], "x2_gone": gone[1], "x3_gone": gone[2],
                      "seconds": f"{np.mean([t.seconds for t in trials]):.2f}"})
    return lines


def main():
    args = common.comparison_options(__doc__, "vangestel_ard.csv", SETS, splits=10)
    common.run_sets(args, "--kernel rbf --criterion evidence", lambda name: run_set(args, name))


main()
