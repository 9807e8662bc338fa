#!/usr/bin/python3
"""Default training on 13 known sets, liquidSVM's figures beside.

    sets.py BINARY [--splits N] [--only NAME,...] [--out FILE]

Sets with a supplied or published split use it; the others are split at random, two thirds for training, with N seeds
(0 ..), and mean and spread over the seeds are given. liquidSVM's figures (10 x 10 grid, 5 folds, 2 threads, an idle
2-core machine, selection and training included) were measured once, on one such split, so a difference within the
spread says nothing. Errors are shares of wrong labels; for regression mean squared errors. Short runs are repeated, the
best counts; then the median over the splits.

That machine and this one differ, so there is a yardstick: `svm-train -v 5` with defaults took 3.7 s there on the rows of
spambase and 3.6 s on those of satimage. `machine` is the mean quotient (geometric) of these and its times here, on
inputs of mean 0 and deviation 1, which is how we read "the same rows"; empty where LIBSVM is not installed. liquidSVM is
taken to gain as much from a faster machine: `times` is liquidsvm_seconds / seconds, `times_evened` that over `machine`.
"""
import argparse
import math
import pathlib
import shutil
import statistics
import tempfile

import common

common.need_numpy()
# name: rows of the training set in file order, "supplied" or "random"; liquidSVM's error and seconds
SETS = {
    "pima_diabetes": ("random", 0.258, 0.63),
    "raetsch_banana": (400, 0.117, 0.23),
    "raetsch_image": (1300, 0.018, 1.3),
    "raetsch_german": (700, 0.197, 0.69),
    "spambase": ("random", 0.069, 4.6),
    "satimage": ("supplied", 0.083, 16.7),
    "pendigits": ("supplied", 0.029, 42.6),
    "magic04": ("random", 0.132, 69.8),
    "letter": ("random", 0.040, 271),
    "housing": ("random", 9.0, 0.16),
    "concrete": ("random", 30.4, 0.63),
    "abalone": ("random", 4.24, 5.0),
    "cpusmall": ("random", 12.9, 10.7),
}


YARDSTICK = {"spambase": 3.7, "satimage": 3.6}


def yardstick():
    """How many times as fast as liquidSVM's machine this one is; None where it cannot be known."""
    np = common.need_numpy()
    quotients = []
    for name, theirs in YARDSTICK.items() if shutil.which("svm-train") else ():
        for _, rows, _ in splits(name, SETS[name][0], 1):
            X = np.array([row[:-1] for row in rows], float)
            X = (X - X.mean(0)) / np.maximum(X.std(0), 1e-300)
            with tempfile.NamedTemporaryFile("w", suffix=".svm") as file:
                for row, x in zip(rows, X):
                    file.write(row[-1] + "".join(f" {j + 1}:{v:.8g}" for j, v in enumerate(x) if v) + "\n")
                file.flush()
                ours = min(common.run(["svm-train", "-q", "-v", "5", file.name]).seconds for _ in range(2))
            quotients.append(theirs / ours)
    return math.prod(quotients) ** (1 / len(quotients)) if quotients else None


def timed(binary, data, model):
    """Seconds of the best of a few trainings, and the record."""
    done = []
    while not done or (len(done) < 7 and sum(seconds for seconds, _ in done) < 2):
        run, record = common.train(binary, data, model)
        done.append((run.seconds, record))
    return min(seconds for seconds, _ in done), record


def splits(name, how, count):
    path = common.data_file(name)
    if not path:
        return
    header, rows = common.read_rows(path)
    if how == "random":
        for seed in range(count):
            yield (header, *common.random_split(rows, seed))
    elif how == "supplied":
        test = common.data_file(name + ".t")
        if test:
            yield header, rows, common.read_rows(test)[1]
    else:
        yield header, rows[:how], rows[how:]


def run_set(binary, name, count, machine):
    how, peer_error, peer_seconds = SETS[name]
    errors, seconds = [], []
    for header, train, test in splits(name, how, count):
        with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
            folder = pathlib.Path(where)
            common.write_rows(folder / "train.csv", header, train)
            common.write_rows(folder / "test.csv", header, test)
            best, record = timed(binary, folder / "train.csv", folder / "m.nysel")
            metrics = common.test(binary, folder / "m.nysel", folder / "test.csv")
        seconds.append(best)
        errors.append(metrics["mse"] if "mse" in metrics else metrics["error"])
    if not errors:
        return None
    times = peer_seconds / statistics.median(seconds)
    return {"set": name, "rows": len(train), "split": how if isinstance(how, str) else "file order",
            "splits": len(errors), "landmarks": record["landmarks"], "measure": "mse" if "mse" in metrics else "error",
            "error": f"{statistics.mean(errors):.5g}",
            "spread": f"{statistics.stdev(errors):.2g}" if len(errors) > 1 else "",
            "seconds": f"{statistics.median(seconds):.3f}", "liquidsvm_error": peer_error,
            "liquidsvm_seconds": peer_seconds, "times": f"{times:.2f}", "machine": f"{machine:.2f}" if machine else "",
            "times_evened": f"{times / machine:.2f}" if machine else ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--only", default=",".join(SETS))
    parser.add_argument("--out", default=common.RESULTS / "sets.csv")
    args = parser.parse_args()
    rows, machine = [], yardstick()
    for name in args.only.split(","):
        row = run_set(args.binary, name, args.splits, machine)
        if row:
            rows.append(row)
            print(f"{name}: {row['measure']} {row['error']} ({row['liquidsvm_error']}), "
                  f"{row['seconds']} s ({row['liquidsvm_seconds']}): {row['times']} times as fast, "
                  f"{row['times_evened'] or '?'} if the machines were the same", flush=True)
    if not rows:
        return
    common.show(rows, list(rows[0]))
    common.save(args.out, rows, "nysel defaults; liquidSVM 10 x 10 grid, 5 folds, one split")


main()
