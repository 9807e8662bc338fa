#!/usr/bin/python3
"""What cross-validation of svm and svr costs over one grid: a Newton step for each fold against training without it.

    newton.py BINARY [--only NAME,...] [--rows N] [--landmarks M] [--repeats N] [--extra "OPTIONS"] [--quick]
              [--out FILE]

7 bandwidths x 7 C, 5 folds, rbf, M (300) uniform landmarks, the same rows and folds for
    newton   --criterion newton: one machine for each point of the grid, one Newton step for each fold
    bif      --criterion bif: the same to first order (Liu et al. 2018)
    cv       --criterion cv: every fold trained to the end, from the machine of all rows
    plain    every fold trained from nothing (--search none): measured for each point of the grid on four fifths of the
             rows, times 5. --criterion bif --folds 2, the cheapest, is part of each, for a training must have one
seconds: of the selection alone, without reading, landmarks and (svr) the noise; newton, bif and cv by turns, best of N
(2). ratio: to newton. cv_value: the exact cross-validated loss at the point that was chosen, best_cv the least of the
grid; off: median over the grid of |value / exact value - 1|. error: of the machine on the test rows, percent or RMSE.
a2a has its supplied test rows, the others a third.
"""
import pathlib
import statistics
import sys
import tempfile

import common

common.need_numpy()
REGRESSION = ["--task", "regression"]  # whole targets of few rows look like classes
# name: machine, log2 bandwidth, log2 C, more options
SETS = {
    "spambase": ("svm", range(0, 7), range(-4, 9, 2), []),
    "abalone": ("svr", range(-1, 6), range(-4, 9, 2), REGRESSION),
    "a2a": ("svm", range(1, 8), range(-6, 7, 2), []),
    "cpusmall": ("svr", range(-1, 6), range(2, 15, 2), REGRESSION),
}
CRITERIA = ["newton", "bif", "cv"]
FOLDS = 5


def rows_of(name):
    """Header, training and test rows; None when they are not there."""
    if name == "a2a":
        train, test = common.read_sparse("a2a", 123), common.read_sparse("a2a.t", 123)
        return (*train, test[1]) if train and test else None
    data = common.read_all(name)
    return (data[0], *common.random_split(data[1], 0)) if data else None


def plain(args, folder, base, grid):
    """Seconds of 5 cold trainings on four fifths of the rows at every point of the grid."""
    seconds = 0
    for bandwidth, C in grid:
        _, record = common.train(args.binary, folder / "part.csv", folder / "p.nysel", *base, "--search", "none",
                                 "--bandwidth", 2.0 ** bandwidth, "--C", 2.0 ** C, "--criterion", "bif", "--folds", 2)
        seconds += FOLDS * record["seconds"]["select"]
    return seconds


def off(record, exact):
    """Median over the grid of the relative difference to the exact values."""
    return statistics.median(abs(e["value"] / x["value"] - 1)
                             for e, x in zip(record["evaluations"], exact["evaluations"]))


def at_choice(record, exact):
    """The exact value at the point that `record` chose."""
    return min(exact["evaluations"], key=lambda e: abs(e["bandwidth"] / record["bandwidth"] - 1)
               + abs(e["C"] / record["C"] - 1))["value"]


def run_set(args, name):
    data = rows_of(name)
    if not data:
        return []
    header, train, test = data
    train = train[:args.rows]
    machine, bandwidths, Cs, more = SETS[name]
    base = ["--machine", machine, "--kernel", "rbf", "--landmarks", args.landmarks, "--landmark-method", "uniform",
            *more, *args.extra.split()]
    grid = ["--search", "grid", "--folds", FOLDS, "--bandwidth", f"{bandwidths[0]}:{bandwidths[-1]}:{bandwidths.step}",
            "--C", f"{Cs[0]}:{Cs[-1]}:{Cs.step}"]
    seconds, records, errors = {c: [] for c in CRITERIA}, {}, {}
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        common.write_rows(folder / "train.csv", header, train)
        common.write_rows(folder / "part.csv", header, train[:len(train) * (FOLDS - 1) // FOLDS])
        common.write_rows(folder / "test.csv", header, test)
        for repeat in range(args.repeats):
            for criterion in CRITERIA:
                _, records[criterion] = common.train(args.binary, folder / "train.csv", folder / "m.nysel", *base,
                                                     *grid, "--criterion", criterion)
                seconds[criterion].append(records[criterion]["seconds"]["select"])
                if repeat == 0:
                    errors[criterion] = common.test(args.binary, folder / "m.nysel", folder / "test.csv")
                print(f"{name} {criterion}: {seconds[criterion][-1]:.2f} s", file=sys.stderr, flush=True)
        cold = plain(args, folder, base, [(b, c) for b in bandwidths for c in Cs])
    times = {**{c: min(s) for c, s in seconds.items()}, "plain": cold}
    lines = []
    for way, time in times.items():
        r, exact = records[way if way != "plain" else "cv"], records["cv"]
        metrics = errors[way if way != "plain" else "cv"]
        lines.append({"set": name, "machine": machine, "rows": len(train), "landmarks": r["landmarks"],
                      "points": len(r["evaluations"]), "way": way, "seconds": f"{time:.3f}",
                      "ratio": f"{time / times['newton']:.2f}", "bandwidth": f"{r['bandwidth']:g}", "C": f"{r['C']:g}",
                      "value": f"{r['criterion']['value']:.5g}", "cv_value": f"{at_choice(r, exact):.5g}",
                      "best_cv": f"{min(e['value'] for e in exact['evaluations']):.5g}", "off": f"{off(r, exact):.2g}",
                      "measure": "error" if "error" in metrics else "rmse",
                      "error": f"{100 * metrics['error']:.2f}" if "error" in metrics else f"{metrics['rmse']:.4g}"})
    return lines


def main():
    args = common.comparison_options(__doc__, "newton.csv", SETS, more=[
        ("--rows", None, "training rows at most"), ("--landmarks", 300, "uniform landmarks"),
        ("--repeats", 2, "runs, the best of which counts")])
    args.jobs = 1  # times: one at a time
    if args.quick:
        args.rows, args.landmarks, args.repeats = 300, 30, 1
    common.run_sets(args, f"5 folds, 7 x 7 grid, best of {args.repeats}", lambda name: run_set(args, name))


main()
