#!/usr/bin/python3
"""Not a time: how far the value that the search ends with depends on the seed and on the order of the rows.

    seeds.py BINARY [--seeds N] [--most ROWS] [--only SET,...] [--extra OPTIONS] [--out FILE]

Defaults, N seeds, each with an order of the rows of its own. spread is the largest value of the criterion less the
smallest; se its standard error (of regression from the record; of classes from the squared errors of fresh rows). The
aim is `in_se`, their ratio, up to 1. test_spread is that of the errors on fresh rows.
"""
import argparse
import math
import pathlib
import random
import statistics
import tempfile

import common

REAL = ["mpg", "housing", "pima_diabetes", "concrete", "raetsch_image", "abalone", "cpusmall", "spambase", "satimage",
        "magic04"]


def sinc(rng):
    """A curve in one input and six that tell nothing."""
    x = rng.uniform(-3, 3)
    return [x, *(rng.gauss(0, 1) for _ in range(6)), math.sin(math.pi * x) / (math.pi * x) + 0.1 * rng.gauss(0, 1)]


def friedman(rng):
    """Friedman 1991: five inputs of ten."""
    x = [rng.random() for _ in range(10)]
    y = 10 * math.sin(math.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4] + rng.gauss(0, 1)
    return [*x, y]


GENERATED = {"sinc_400": (sinc, 400), "sinc_1500": (sinc, 1500), "friedman_400": (friedman, 400),
             "friedman_1000": (friedman, 1000), "friedman_3000": (friedman, 3000)}


def split(name, most):
    """Header, rows to train with (up to `most`), and up to 1000 fresh ones."""
    rng = random.Random(name)
    if name in GENERATED:
        make, count = GENERATED[name]
        rows = [list(map(repr, make(rng))) for _ in range(count + 1000)]
        return [f"x{j}" for j in range(len(rows[0]) - 1)] + ["target"], rows[:count], rows[count:]
    found = common.read_all(name)
    if not found:
        return None
    header, rows = found
    rng.shuffle(rows)
    fresh = min(1000, len(rows) // 4)
    return header, rows[fresh:][:most], rows[:fresh]


def squared_errors(binary, model, fresh_file, fresh):
    """Of each fresh row: the mean over the outputs, whose targets are -1 and 1."""
    lines = common.run([binary, "predict", model, fresh_file, "--scores", "--quiet"]).out.split("\n")[1:-1]
    said = [(line.split(",")[0], list(map(float, line.split(",")[1:]))) for line in lines]
    place = {label: scores.index(max(scores)) if len(scores) > 1 else scores[0] > 0 for label, scores in said}

    def target(label, j, outputs):
        return (1 if place.get(label) == j else -1) if outputs > 1 else (1 if place.get(label) else -1)

    return [statistics.mean((s - target(row[-1], j, len(scores))) ** 2 for j, s in enumerate(scores))
            for (_, scores), row in zip(said, fresh)]


def one_set(args, name):
    parts = split(name, args.most)
    if not parts:
        return None
    header, train, fresh = parts
    values, errors, kernels, se = [], [], [], 0
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        common.write_rows(folder / "fresh.csv", header, fresh)
        for seed in range(args.seeds):
            order = train[:]
            random.Random(seed).shuffle(order)
            common.write_rows(folder / "train.csv", header, order)
            _, record = common.train(args.binary, folder / "train.csv", folder / "m.nysel", "--seed", seed,
                                     *args.extra.split())
            c = record["criterion"]
            values.append(c["value"])
            kernels.append(record["kernel"])
            metrics = common.test(args.binary, folder / "m.nysel", folder / "fresh.csv")
            errors.append(metrics.get("rmse", metrics.get("error")))
            if "rmse" in metrics:
                se = max(se, 2 * c["error"] * c["stderr"])  # of the mean square
            elif not se:
                losses = squared_errors(args.binary, folder / "m.nysel", folder / "fresh.csv", fresh)
                se = c["value"] * statistics.stdev(losses) / statistics.mean(losses) / math.sqrt(len(train))
    spread = max(values) - min(values)
    return {"set": name, "rows": len(train), "inputs": len(header) - 1, "seeds": args.seeds,
            "kernels": "+".join(f"{kernels.count(k)}x{k}" for k in sorted(set(kernels))), "least": f"{min(values):.5g}",
            "most": f"{max(values):.5g}", "spread_percent": f"{100 * spread / min(values):.2f}",
            "se_percent": f"{100 * se / min(values):.2f}", "in_se": f"{spread / se:.2f}",
            "test_least": f"{min(errors):.4g}", "test_most": f"{max(errors):.4g}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*GENERATED, *REAL]
    parser.add_argument("binary")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--most", type=int, default=20000, help="rows to train with")
    parser.add_argument("--only", default=",".join(names))
    parser.add_argument("--extra", default="", help="more options of nysel train, in one text")
    parser.add_argument("--quick", action="store_true", help="three seeds of two small sets")
    parser.add_argument("--out", default=common.RESULTS / "seeds.csv")
    args = parser.parse_args()
    if args.quick:
        args.seeds, args.only = 3, "sinc_400,mpg"
    rows = []
    for name in args.only.split(","):
        row = one_set(args, name)
        if row:
            rows.append(row)
            print(f"{name}: spread {row['spread_percent']}%, {row['in_se']} standard errors", flush=True)
            common.save(args.out, rows, f"--most {args.most} {args.extra}".strip(), quiet=True)
    if rows:
        common.show(rows, list(rows[0]))


main()
