#!/usr/bin/python3
"""Every machine with all else automatic, against ONE cross-validation by LIBSVM on the same rows: time and test error.

    machines.py BINARY [--only NAME,...] [--splits N] [--repeats N] [--extra "OPTIONS"] [--quick] [--out FILE]

`nysel train --machine M`, from CSV to saved model with its selection, beside one `svm-train -v 5` (cpusmall: -s 3) with
LIBSVM's defaults on rows standardised as nysel does, by turns, best of N (2). N (5) splits, satimage has its own; they
and tuned LIBSVM's error (not for regression, nor with --quick) are those of peers_libsvm.py.
"""
import pathlib
import tempfile

import common
import peers_libsvm

CLASSIFIERS = ["svm", "l2svm", "logistic", "lssvm"]
SETS = {"spambase": CLASSIFIERS, "satimage": CLASSIFIERS, "cpusmall": ["svr", "lssvm"]}


def compare(args, name, split, header, train, test):
    """A line for each machine on one split."""
    regression = name == "cpusmall"
    theirs, ours, records, metrics = [], {m: [] for m in SETS[name]}, {}, {}
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        peers_libsvm.write_files(folder, header, train, test)
        for _ in range(args.repeats):
            for machine in SETS[name]:
                done, records[machine] = common.train(args.binary, folder / "train.csv", folder / f"{machine}.nysel",
                                                      "--machine", machine, *args.extra.split())
                ours[machine].append(done.seconds)
            theirs.append(common.run(["svm-train", "-q", *(["-s", 3] if regression else []), "-v", 5,
                                      folder / "train.svm"]).seconds)
        for machine in SETS[name]:
            metrics[machine] = common.test(args.binary, folder / f"{machine}.nysel", folder / "test.csv")
        tuned = {} if args.quick or regression else peers_libsvm.grid_of(name, split, folder, False)
    return [{"set": name, "split": split, "rows": len(train), "machine": machine,
             "landmarks": records[machine]["landmarks"], "kernel": records[machine]["kernel"],
             "nysel_s": f"{min(ours[machine]):.3f}", "svmtrain_cv_s": f"{min(theirs):.3f}",
             "ratio": f"{min(ours[machine]) / min(theirs):.3f}", "measure": "rmse" if regression else "error",
             "error": f"{metrics[machine]['rmse' if regression else 'error']:.5f}",
             "expected": f"{records[machine]['criterion']['error']:.5f}",
             "libsvm_error": tuned.get("test_error", "")} for machine in SETS[name]]


def run_set(args, name):
    return [line for split in peers_libsvm.splits(name, args.splits) for line in compare(args, name, *split)]


def main():
    args = common.comparison_options(__doc__, "machines.csv", SETS, splits=5, more=[
        ("--repeats", 2, "runs, the best of which counts")])
    args.jobs = 1  # times: one at a time
    if args.quick:
        args.only, args.repeats = "spambase", 1
    common.run_sets(args, f"svm-train -v 5 defaults, best of {args.repeats}", lambda name: run_set(args, name))


main()
