#!/usr/bin/python3
"""Do intervals hold what they promise? `predict --interval P` on random splits of regression sets.

    intervals.py BINARY [--splits N] [--only NAME,...] [--out FILE]

coverage is the share of test targets inside, over all splits, with the standard error of its mean over the splits;
width the mean width in standard deviations of the target. gaussian is the same for prediction -+ z sqrt(noise_sd^2 +
model_sd^2), the interval that takes the posterior at its word. friedman (10 inputs, noise 1) and sinc are generated,
with 300 rows for training, so the noise is known to be normal there.
"""
import json
import pathlib
import statistics
import tempfile

import common

np = common.need_numpy()
SETS = ["sinc", "friedman", "bodyfat", "mpg", "housing", "concrete", "abalone", "cpusmall"]
LEVELS = [0.5, 0.9, 0.95, 0.99]


def generated(args, name, seed):
    rng = np.random.RandomState(seed)
    if name == "sinc":
        x = rng.uniform(-10, 10, (2300, 1))
        y = np.sinc(x[:, 0] / np.pi) + 0.1 * rng.randn(2300)
    else:
        x = rng.uniform(0, 1, (2300, 10))
        y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
        y += rng.randn(2300)
    rows = [[repr(float(v)) for v in (*a, b)] for a, b in zip(x, y)]
    return [*(f"x{j}" for j in range(x.shape[1])), "y"], rows[:300], rows[300:]


def splits(args, name):
    found = None if name in ("sinc", "friedman") else common.read_all(name)
    for seed in range(args.splits):
        if name in ("sinc", "friedman"):
            yield generated(args, name, seed)
        elif found:
            yield (found[0], *common.random_split(found[1], seed))


def inside(y, f, half):
    return float(np.mean(np.abs(y - f) <= half))


def one_split(args, header, train, test, found):
    y, sd = np.array([float(r[-1]) for r in test]), statistics.pstdev(float(r[-1]) for r in train)
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        common.write_rows(folder / "train.csv", header, train)
        common.write_rows(folder / "test.csv", header, test)
        common.train(args.binary, folder / "train.csv", folder / "m.nysel", "--task", "regression",
                     *args.extra.split())
        for level in LEVELS:
            out = json.loads(common.run([args.binary, "predict", folder / "m.nysel", folder / "test.csv", "--json", "-",
                                         "--interval", level, "--quiet"]).out)
            f, lower, upper = (np.array(out[k]) for k in ("prediction", "lower", "upper"))
            plain = statistics.NormalDist().inv_cdf((1 + level) / 2) * np.hypot(out["noise_sd"], out["model_sd"])
            found[level].append((inside(y, f, (upper - lower) / 2), float(np.mean(upper - lower)) / sd,
                                 inside(y, f, plain), 2 * float(np.mean(plain)) / sd))


def run_set(args, name):
    found, rows = {level: [] for level in LEVELS}, 0
    for header, train, test in splits(args, name):
        rows = len(train)
        one_split(args, header, train, test, found)
    if not rows:
        return []
    table = []
    for level, results in found.items():
        coverage, width, gaussian, gaussian_width = zip(*results)
        mean, spread = common.mean_sd(coverage)
        table.append({"set": name, "rows": rows, "splits": len(results), "level": level, "coverage": f"{mean:.4f}",
                      "se": common.text(spread / len(results) ** 0.5, ".4f"),
                      "width": f"{statistics.mean(width):.3f}", "gaussian": f"{statistics.mean(gaussian):.4f}",
                      "gaussian_width": f"{statistics.mean(gaussian_width):.3f}"})
    return table


def main():
    args = common.comparison_options(__doc__, "intervals.csv", SETS, splits=10)
    common.run_sets(args, "nysel defaults; two thirds for training", lambda name: run_set(args, name))


main()
