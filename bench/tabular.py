#!/usr/bin/python3
"""nysel and its rivals on tables of data: test error, processor time with selection, peak memory; who wins where.

    tabular.py [BINARY] [--nysel NAME=OPTIONS]... [--methods NAME,...] [--only SET,...] [--splits 0,1,2] [--max-rows N]
               [--add] [--limit SECONDS] [--out FILE]
    tabular.py --report [--max-rows N] [--methods NAME,...] [--splits development|report|0,1,...]

Sets: tables/table_sets.py, more than a hundred of up to 50,000 rows, 17 of them generated, whose least possible error
is known (column `best`). Splits: two thirds train; five of each set, those above 10,000 rows have three (0, 1, 3).
Splits 0 to 2 are for development, 3 and 4 for the report. --max-rows N: two thirds of N rows train, the rest tests, up
to 5000 rows of it; which rows is fixed by set and split, so that rows of the same --max-rows are always comparable.

Methods: nysel:NAME for each --nysel (options of `nysel train`; none: nysel:default), called as a user would, CSV in,
`train`, `predict`, with --task, with --missing mean where values are missing; histgb (scikit-learn's boosted trees,
default), histgb_tuned (default and 39 random points, 5-fold cross-validation), forest, extratrees (200 trees),
svm_tuned (SVC or SVR, Gaussian kernel, grid of 25 or 75 points, 5 folds, up to 6000 training rows), knn (10, scaled
inputs), linear (ridge, logistic; penalty selected), lightgbm, xgboost, catboost with their defaults, xrfm (8 settings
by a held-out fifth, up to 6000). tables/install.sh gets what is not there; what is missing or fails is said and left
out. Categories go as such to histgb, lightgbm and catboost, as 0/1 inputs to others; missing values as they are to
histgb, lightgbm, xgboost and catboost, others get the mean. One thread each.

cpu_seconds: nysel: the whole process from CSV to model file; others: from arrays in memory to the trained machine.
peak_mb: of the whole process, Python and libraries included. One line for (set, split, method) is appended to
tabular.csv, the loss of each test row (of the first ones; packed) to tabular_losses.csv: so any two methods can be compared
later, row by row, without being run together. Of several lines of the same the last counts. --add leaves out what is
there with the same version of the program (nysel: a hash of the binary and its options).
"""
import argparse
import atexit
import csv
import fcntl
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import common

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "tables"))
np = common.need_numpy()
import table_generated
import table_losses
import table_peer
import table_report
import table_sets

TABLES = pathlib.Path(__file__).resolve().parent / "tables"
LAUNCH = TABLES.parent / "peers" / "launch.py"
VENV = common.ROOT / "build" / "venv-tabular" / "bin" / "python"
MOST = {"svm_tuned": 6000, "xrfm": 6000}  # training rows
KEY = table_losses.KEY
COLUMNS = [*KEY, "version", "task", "train_rows", "test_rows", "inputs", "error", "best", "cpu_seconds",
           "peak_mb", "chosen", *common.STAMP]


class Failed(RuntimeError):
    """One line that says why."""


# ---- a split as every method needs it --------------------------------------------------------------------------------

def codes(texts, levels):
    return np.array([levels.get(t, np.nan) for t in texts])


def coded(train, test):
    """One column of both parts, one below the other: as raw numbers or codes, whether these are categories, unscaled
    with 0/1 inputs for categories, and how this is scaled (bench/peers/data.py)."""
    both = table_sets.data.numbers([*train, *test])
    scaled = np.vstack(table_sets.data.column(train, test))
    if both is None:
        levels = {t: i for i, t in enumerate(sorted(set(train) - table_sets.MISSING))}
        return codes([*train, *test], levels), True, (scaled > 0).astype(float), scaled
    return both, False, both[:, None], scaled


def prepare(folder, table, train, test):
    common.write_rows(folder / "train.csv", table.header, train)
    common.write_rows(folder / "test.csv", table.header, test)
    a, b = (list(zip(*rows)) for rows in (train, test))
    raw, categorical, hot, scaled = zip(*(coded(list(x), list(t)) for x, t in zip(a[:-1], b[:-1])))
    hot = np.hstack(hot)
    mean = np.nan_to_num(np.nanmean(hot[:len(train)], 0))
    names = sorted(set(a[-1]))
    np.savez(folder / "split.npz", raw=np.column_stack(raw), categorical=np.array(categorical), hot_missing=hot,
             hot=np.where(np.isnan(hot), mean, hot), scaled=np.hstack(scaled), n=len(train), classes=table.task == "classes",
             train_y=[names.index(t) for t in a[-1]] if table.task == "classes" else np.array(a[-1], float))
    return names


# ---- methods ---------------------------------------------------------------------------------------------------------

class Peer:
    """A process that has imported one method and takes splits."""

    def __init__(self, name, limit):
        self.name = name
        python = next(p for p in (VENV, "/usr/bin/python3", sys.executable) if os.path.exists(p))
        one = {k: "1" for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        self.process = subprocess.Popen([python, TABLES / "table_peer.py", name, str(limit)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **one})
        atexit.register(self.process.kill)
        first = self.process.stdout.readline()
        if not first:
            raise Failed(f"skipped: {self.process.stderr.read().strip().splitlines()[-1]}")
        self.version = json.loads(first)["version"]
        self.process.stderr.close()

    def run(self, folder, table, test, names):
        """Losses of the test rows, processor time, peak of memory, what was chosen."""
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline() or '{"error": "the method has ended"}')
        if "error" in said:
            raise Failed(said["error"])
        found = np.load(folder / "prediction.npy")
        if table.task == "classes":
            found = [names[int(v)] for v in found]
        return table_losses.of(table.task, found, [row[-1] for row in test]), said["cpu"], said["peak_mb"], said["chosen"]


class Nysel:
    """The program with some options."""

    def __init__(self, binary, name, options, limit):
        self.name, self.binary, self.options, self.limit = f"nysel:{name}", binary, shlex.split(options), limit
        mark = hashlib.sha1(pathlib.Path(binary).read_bytes() + options.encode()).hexdigest()[:10]
        self.version = f"{common.run([binary, '--version']).out.split(chr(10))[0]} {mark}"

    def run(self, folder, table, test, names):
        missing = ["--missing", "mean"] if table_sets.has_missing(table) else []
        task = "regression" if table.task == "numbers" else "binary" if len(names) == 2 else "multiclass"
        always = ["--quiet", "--threads", "1", *missing]
        train = [self.binary, "train", folder / "train.csv", "-o", folder / "m.nysel", "--json", folder / "m.json",
                 "--progress", "never", "--task", task, *always, *self.options]
        done = subprocess.run([sys.executable, "-S", "-E", LAUNCH, str(self.limit), *map(str, train)],
                              capture_output=True, text=True)
        used = json.loads(done.stdout) if done.returncode == 0 else {"status": done.returncode}
        if used["status"] != 0:
            raise Failed(f"exit {used['status']}: {(done.stderr.strip().splitlines() or [''])[-1]}")
        out = common.run([self.binary, "predict", folder / "m.nysel", folder / "test.csv", *always]).out
        found = [row[0] for row in csv.reader(out.splitlines())][1:]
        said = json.loads((folder / "m.json").read_text())
        chosen = f"{said['kernel']} expected={said['criterion']['error']:.5g}"
        return table_losses.of(table.task, found, [row[-1] for row in test]), used["cpu"], used["peak_mb"], chosen


def methods(args):
    """What can be run of what is asked for."""
    found = []
    for name in args.methods:
        try:
            if name == "nysel":
                found += [Nysel(args.binary, *given.split("=", 1), args.limit) for given in args.nysel or ["default="]]
            else:
                found.append(Peer(name, args.limit))
        except Failed as error:
            print(f"{name}: {error}", file=sys.stderr)
    return found


# ---- the run ---------------------------------------------------------------------------------------------------------

def append(path, columns, row):
    """One line at the end of the file, whole, also where two runs share the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        out = csv.DictWriter(file, columns, lineterminator="\n")
        if not file.tell():
            out.writeheader()
        out.writerow(row)


def keep(args, method, table, row, result):
    loss, cpu, peak, chosen = result
    error = np.sqrt(loss.mean()) if table.task == "numbers" else loss.mean()
    row = {**row, "version": method.version, "error": f"{error:.6g}", "cpu_seconds": f"{cpu:.3f}", "peak_mb": f"{peak:.0f}",
           "chosen": chosen}
    append(args.out, COLUMNS, {**row, **common.stamp("one thread")})
    append(table_losses.beside(args.out), table_losses.COLUMNS, table_losses.packed(row, loss))
    print("  ".join(row[c] for c in ("set", "split", "method", "error", "cpu_seconds", "peak_mb", "chosen")), flush=True)


def run_split(args, name, table, split, wanted, best):
    train, test = table_sets.part(table, split, args.max_rows)
    with tempfile.TemporaryDirectory(prefix="nysel_tabular_") as where:
        folder = pathlib.Path(where)
        names = prepare(folder, table, train, test)
        for method in wanted:
            if len(train) > MOST.get(method.name, table_sets.MOST):
                continue
            row = {"set": name, "split": str(split), "method": method.name, "max_rows": str(args.max_rows),
                   "task": table.task, "train_rows": len(train), "test_rows": len(test),
                   "inputs": len(table.header) - 1, "best": best}
            try:
                keep(args, method, table, row, method.run(folder, table, test, names))
            except (Failed, RuntimeError, ValueError) as error:
                why = (str(error).strip().splitlines() or [repr(error)])[-1]
                print(f"FAILED: {name} {split} {method.name}: {why}", file=sys.stderr, flush=True)


def run(args):
    there = {(*(r[c] for c in KEY), r["version"]) for r in common.load(args.out)} if args.add else set()
    asked = methods(args)
    for name in args.only:
        table, best = table_sets.read(name), None
        for split in [k for k in table_sets.splits(table, args.max_rows) if k in args.splits] if table else []:
            wanted = [m for m in asked if (name, str(split), m.name, str(args.max_rows), m.version) not in there]
            if wanted and best is None:
                best = "" if table_generated.best(name) is None else f"{table_generated.best(name):.5g}"
            if wanted:
                run_split(args, name, table, split, wanted, best)


def command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", help="the program; not needed for other methods alone")
    parser.add_argument("--nysel", action="append", metavar="NAME=OPTIONS", help="a variant: 'fast=--effort fast'")
    parser.add_argument("--methods", help=f"comma separated: nysel,{','.join(table_peer.METHODS)}")
    parser.add_argument("--only", help="these sets, comma separated")
    parser.add_argument("--splits", default="development", help="numbers, or development (0,1,2; the default) or report (3,4)")
    parser.add_argument("--max-rows", type=int, default=0, help="rows taken of each set; 0: all")
    parser.add_argument("--limit", type=int, default=3600, help="seconds after which one training is ended")
    parser.add_argument("--add", action="store_true", help="leave out what the file has")
    parser.add_argument("--report", action="store_true", help="print what the file has")
    parser.add_argument("--list", action="store_true", help="print the names of the sets")
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS / "tabular.csv")
    args = parser.parse_args()
    known = {"development": "0,1,2", "report": "3,4"}
    args.splits = [int(k) for k in known.get(args.splits, args.splits).split(",")]
    every = table_sets.names()
    args.only = args.only.split(",") if args.only else every
    if set(args.only) - set(every):
        parser.error(f"unknown set: {', '.join(sorted(set(args.only) - set(every)))}; --list has them")
    if args.report or args.list:
        return args
    args.methods = args.methods.split(",") if args.methods else [*["nysel"] * bool(args.binary), *table_peer.METHODS]
    unknown = set(args.methods) - {"nysel", *table_peer.METHODS}
    if unknown or ("nysel" in args.methods and not args.binary) or any("=" not in v for v in args.nysel or []):
        parser.error(f"unknown method: {', '.join(sorted(unknown))}" if unknown else
                     "nysel needs BINARY, and --nysel NAME=OPTIONS")
    return args


def main():
    args = command_line()
    if args.list:
        print("\n".join(args.only))
    elif args.report:
        table_report.report(args)
    else:
        run(args)


main()
