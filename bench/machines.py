#!/usr/bin/python3
"""Every machine with all else automatic, against ONE cross-validation by LIBSVM on the same rows: time and test error.

    machines.py BINARY [--only NAME,...] [--splits N] [--repeats N] [--extra "OPTIONS"] [--quick] [--out FILE]

`nysel train --machine M`, from CSV to saved model with its selection, beside one `svm-train -v 5` (cpusmall: -s 3) with
LIBSVM's defaults on rows standardised as nysel does, by turns, best of N (2). N (3) splits, satimage has its own; they
are those of peers/run.py, and tuned LIBSVM's error comes from its results (peers.csv), where they are there.
"""
import pathlib
import sys
import tempfile

import common

sys.path.insert(0, str(common.ROOT / "bench" / "peers"))
import data

CLASSIFIERS = ["svm", "l2svm", "logistic", "lssvm"]
SETS = {"spambase": CLASSIFIERS, "satimage": CLASSIFIERS, "cpusmall": ["svr", "lssvm"]}


def tuned_error(split):
    """Of LIBSVM on the same split; nothing where it is not known, or a mean squared error."""
    return next((r["error"] for r in common.load(common.RESULTS / "peers.csv") if r["measure"] == "error" and
                 [r["set"], r["split"], r["program"]] == [split.set, split.name, "libsvm"]), "")


def compare(args, split):
    """A line for each machine on one split."""
    name, regression = split.set, split.task == "numbers"
    theirs, ours, records, metrics = [], {m: [] for m in SETS[name]}, {}, {}
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        data.prepare(folder, split)
        for _ in range(args.repeats):
            for machine in SETS[name]:
                done, records[machine] = common.train(args.binary, folder / "train.csv", folder / f"{machine}.nysel",
                                                      "--machine", machine, *args.extra.split())
                ours[machine].append(done.seconds)
            theirs.append(common.run(["svm-train", "-q", *(["-s", 3] if regression else []), "-v", 5,
                                      folder / "train.svm"]).seconds)
        for machine in SETS[name]:
            metrics[machine] = common.test(args.binary, folder / f"{machine}.nysel", folder / "test.csv")
    return [{"set": name, "split": split.name, "rows": len(split.train), "machine": machine,
             "landmarks": records[machine]["landmarks"], "kernel": records[machine]["kernel"],
             "nysel_s": f"{min(ours[machine]):.3f}", "svmtrain_cv_s": f"{min(theirs):.3f}",
             "ratio": f"{min(ours[machine]) / min(theirs):.3f}", "measure": "rmse" if regression else "error",
             "error": f"{metrics[machine]['rmse' if regression else 'error']:.5f}",
             "expected": f"{records[machine]['criterion']['error']:.5f}",
             "libsvm_error": tuned_error(split)} for machine in SETS[name]]


def run_set(args, name):
    return [line for split in data.splits(name, args.splits) for line in compare(args, split)]


def main():
    args = common.comparison_options(__doc__, "machines.csv", SETS, splits=3, more=[
        ("--repeats", 2, "runs, the best of which counts")])
    args.jobs = 1  # times: one at a time
    if args.quick:
        args.only, args.repeats = "spambase", 1
    common.run_sets(args, f"svm-train -v 5 defaults, best of {args.repeats}", lambda name: run_set(args, name))


main()
