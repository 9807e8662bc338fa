#!/usr/bin/python3
"""What the benchmark scripts share: data, splits, running programs, results as CSV with commit, machine and date.

    common.py keep FILE [OPTIONS-TEXT]     standard input (CSV of a bench program) -> FILE with those columns added
"""
import argparse
import collections
import concurrent.futures
import csv
import datetime
import gzip
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = pathlib.Path(os.environ.get("NYSEL_RESULTS") or ROOT / "bench" / "results")
STAMP = ["commit", "cpu", "cores", "date", "options"]


def need_numpy():
    """numpy, or the same script again under Debian's Python, which has it (a pyenv python may come first in PATH)."""
    try:
        import numpy
        return numpy
    except ImportError:
        debian = "/usr/bin/python3"
        if os.environ.get("NYSEL_REEXEC") or not os.path.exists(debian):
            sys.exit("numpy is missing: install python3-numpy (make deps-peers)")
        os.environ["NYSEL_REEXEC"] = "1"
        os.execv(debian, [debian, *sys.argv])


def blas_core(binary):
    """What nysel makes OpenBLAS take this processor for (cli/main.c), for programs that do not look after it: Debian's
    OpenBLAS takes processors younger than itself for a Prescott. Empty: unknown."""
    said = subprocess.run([binary, "--version"], env={**os.environ, "OPENBLAS_VERBOSE": "2"}, capture_output=True,
                          text=True).stderr
    return ([line.split()[1] for line in said.splitlines() if line.startswith("Core: ")] or [""])[-1]


# ---- data ------------------------------------------------------------------------------------------------------------

def data_dir():
    return pathlib.Path(os.environ.get("NYSEL_DATA") or ROOT.parent / "shared" / "data")


def data_file(name, kind="csv"):
    """Path of the set, or None (said once) when it is not there."""
    path = data_dir() / f"{name}.{kind}.gz"
    if path.exists():
        return path
    print(f"skipped: {path} is not there (NYSEL_DATA names the folder)", file=sys.stderr)
    return None


def read_rows(path):
    """Header and rows of a CSV as texts, so that what is written again is what was read."""
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    return rows[0], rows[1:]


def write_rows(path, header, rows):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def read_all(name):
    """Header and rows of a set, those of its supplied test set after them; None when it is not there."""
    path = data_file(name)
    if not path:
        return None
    header, rows = read_rows(path)
    more = data_dir() / f"{name}.t.csv.gz"
    return header, rows + (read_rows(more)[1] if more.exists() else [])


def read_sparse(name, width=0):
    """Header and rows of a set in LIBSVM's format, zeros written out, `width` columns or more; None when it is not
    there."""
    path = data_file(name, "svm")
    if not path:
        return None
    with gzip.open(path, "rt") as file:
        lines = [(line.split()[0], dict(pair.split(":") for pair in line.split()[1:])) for line in file]
    columns = [str(j + 1) for j in range(max(width, max(int(j) for _, values in lines for j in values)))]
    return (["x" + j for j in columns] + ["target"],
            [[values.get(j, "0") for j in columns] + [label] for label, values in lines])


def random_split(rows, seed, train=None, test=None):
    """The first two thirds (or `train`) of a random order, and the rest (or `test` of it)."""
    import numpy as np
    order = np.random.RandomState(seed).permutation(len(rows))
    cut = train or len(rows) * 2 // 3
    end = cut + test if test else len(rows)
    return [rows[i] for i in order[:cut]], [rows[i] for i in order[cut:end]]


def raetsch_splits(name, rows, train, test, count):
    """Functions that return training and test rows: the published partitions as far as there are any, then random."""
    path = data_dir() / f"raetsch_{name}.splits.csv.gz"
    published = [[int(i) - 1 for i in column] for column in zip(*read_rows(path)[1])] if path.exists() else []

    def one(k):
        if k >= len(published):
            return random_split(rows, k, train, test)
        chosen = set(published[k])
        return [rows[i] for i in published[k]], [row for i, row in enumerate(rows) if i not in chosen]

    return [lambda k=k: one(k) for k in range(count)]


# ---- programs --------------------------------------------------------------------------------------------------------

Run = collections.namedtuple("Run", "seconds cpu out")  # wall clock, processor time of all its threads, stdout


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Refused(RuntimeError):
    """The program does not know an option or a value (exit status 2)."""


def run(command):
    """Runs a program that must succeed. cpu is right only where one runs at a time."""
    start, used = time.perf_counter(), cpu_of_children()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        error = Refused if done.returncode == 2 else RuntimeError
        raise error(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return Run(seconds, cpu_of_children() - used, done.stdout)


def train(binary, data, model, *options):
    """The run and the record (--json) of one `nysel train`."""
    record = pathlib.Path(str(model) + ".json")
    done = run([binary, "train", data, "-o", model, "--json", record, "--quiet", "--progress", "never", *options])
    return done, json.loads(record.read_text())


def path(binary, data, out, *options):
    """The run and the record of one `nysel path`."""
    done = run([binary, "path", data, "-o", out, "--json", f"{out}.json", "--quiet", "--progress", "never", *options])
    return done, json.loads(pathlib.Path(f"{out}.json").read_text())


def test(binary, model, data, *options):
    """Metrics of `nysel test`."""
    return json.loads(run([binary, "test", model, data, "--json", "-", "--quiet", *options]).out)["metrics"]


def fixed(record, landmarks=None):
    """The options of one training with what a search chose."""
    options = ["--search", "none", "--kernel", record["kernel"], "--landmarks",
               landmarks or ("all" if record["exact"] else record["landmarks"])]
    if record["bandwidth"] is not None:
        options += ["--bandwidth", repr(record["bandwidth"])]
    if not isinstance(record["C"], list):
        options += ["--C", repr(record["C"])]
    return options


# ---- several ways to train on the same random splits -----------------------------------------------------------------

Trial = collections.namedtuple("Trial", "seconds record metrics cpu")


def measure(binary, model, test_file, train_rows):
    """Metrics of a model; of a regression also L2, L1 and Linf: mean squared, mean absolute and largest error with the
    target scaled to deviation 1 on the training rows."""
    metrics = test(binary, model, test_file)
    if "mse" in metrics:
        sd = statistics.pstdev(float(row[-1]) for row in train_rows)
        found = run([binary, "predict", model, test_file, "--quiet"]).out.split("\n")[1:-1]
        largest = max(abs(float(f.split(",")[0]) - float(row[-1])) for f, row in zip(found, read_rows(test_file)[1]))
        metrics.update(L2=metrics["mse"] / sd ** 2, L1=metrics["mae"] / sd, Linf=largest / sd)
    return metrics


def try_split(binary, header, train_rows, test_rows, variants, extra, refused):
    """{variant: Trial} on one split. A variant's options may be a function of the trials before it that returns them,
    or None where it cannot be tried."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        write_rows(folder / "train.csv", header, train_rows)
        write_rows(folder / "test.csv", header, test_rows)
        for name, options in variants.items():
            if name in refused:
                continue
            try:
                options = options(found) if callable(options) else options
                if options is None:
                    continue
                done, record = train(binary, folder / "train.csv", folder / "m.nysel", *options, *extra)
                found[name] = Trial(done.seconds, record,
                                    measure(binary, folder / "m.nysel", folder / "test.csv", train_rows), done.cpu)
            except RuntimeError as error:
                if name in refused:  # by another split meanwhile
                    continue
                if isinstance(error, Refused):
                    refused.add(name)
                shown = " ".join(name) if isinstance(name, tuple) else name
                print(f"{'skipped' if name in refused else 'FAILED'}: {shown}: "
                      f"{str(error).strip().splitlines()[-1]}", file=sys.stderr)
    return found


def compare(args, header, splits, variants, refused):
    """{variant: its Trial on every split}. splits: functions that return training and test rows; variants: {name:
    options}; refused: names that the program has refused before, to which this call adds. With --jobs several splits
    at a time, one thread each."""
    extra = args.extra.split() + (["--threads", "1"] if args.jobs > 1 else [])
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda split: try_split(args.binary, header, *split(), variants, extra, refused),
                                splits))
    return {name: [r[name] for r in results] for name in variants if all(name in r for r in results)}


def run_sets(args, options, one_set):
    """Calls one_set(name) for every set asked for; its rows are shown, and kept after each set. A set that fails is
    left out, and said so. With --add the other sets' rows of the file stay, with the commit and date they have."""
    rows = load(args.out) if args.add and args.out else []
    options += f"; {args.jobs} splits at a time" if args.jobs > 1 else ""
    options += f"; {args.extra}" if args.extra else ""
    for name in args.only.split(","):
        try:
            new = one_set(name)
        except RuntimeError as error:
            print(f"FAILED: {name}: {str(error).strip()}", file=sys.stderr)
            continue
        if new:
            show(new, list(new[0]))
            print(flush=True)
            rows = [r for r in rows if r["set"] != name or not measured_again(r, args)] + new
            if args.add:
                rows.sort(key=lambda r: args.sets.index(r["set"]) if r["set"] in args.sets else len(args.sets))
            save(args.out, rows, options)


def measured_again(row, args):
    """Whether a run with these --ways (`paper` and its variants, `default`) replaces the row."""
    ways = getattr(args, "ways", None)
    return not ways or ("default" if row["way"] == "default" else "paper") in ways


def mean_sd(values):
    return statistics.mean(values), statistics.stdev(values) if len(values) > 1 else float("nan")


def z(mean, sd, n, mean2, sd2, n2):
    """Difference of two means of n and n2 values in its standard errors, as text."""
    error = math.sqrt(sd ** 2 / n + sd2 ** 2 / n2)
    return text((mean - mean2) / error if error else 0.0, "+.2f")


def text(value, form):
    """The number as text; nothing where a single split leaves it unknown."""
    return format(value, form) if value == value else ""


def comparison_options(about, name, sets, splits=None, jobs=1, more=(), ways=None):
    """The command line that the scripts of bench/papers have in common. --quick and --only leave the results in
    bench/results alone unless --out or NYSEL_RESULTS says where they should go. more: (name, default, help) of
    further options, whole numbers. ways: what --ways chooses from, all by default."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--splits", "--runs", type=int, default=splits, help="random splits of each set")
    for option, default, about_it in more:
        parser.add_argument(option, type=int, default=default, help=about_it)
    if ways:
        parser.add_argument("--ways", default=ways, help=f"these ways, comma separated ({ways})")
    parser.add_argument("--only", default=",".join(sets), help="these sets, comma separated")
    parser.add_argument("--extra", default="", help="more options of nysel train, in one text")
    parser.add_argument("--jobs", type=int, default=jobs, help="splits at a time, one thread each if more than one")
    parser.add_argument("--quick", action="store_true", help="one split of the two smallest sets")
    parser.add_argument("--add", action="store_true", help="keep what the file has of the other sets")
    parser.add_argument("--out", help=f"default: {RESULTS / name}")
    args = parser.parse_args()
    args.sets = list(sets)
    if ways:
        args.ways = args.ways.split(",")
    part = args.quick or args.only != ",".join(sets)
    if args.quick:
        args.splits = 1
        args.only = ",".join(list(sets)[:2]) if args.only == ",".join(sets) else args.only
    if not args.out and (not part or args.add or os.environ.get("NYSEL_RESULTS")):
        args.out = RESULTS / name
    unknown = set(args.only.split(",")) - set(sets)
    if unknown:
        parser.error(f"unknown set: {', '.join(sorted(unknown))}; there are {', '.join(sets)}")
    return args


# ---- results ---------------------------------------------------------------------------------------------------------

def commit():
    """The commit checked out, read from .git itself."""
    git = ROOT / ".git"
    try:
        if git.is_file():  # a worktree: "gitdir: PATH"
            git = (ROOT / git.read_text().split(":", 1)[1].strip()).resolve()
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head[:12]
        name = head[5:]
        common = git / "commondir"
        base = (git / common.read_text().strip()).resolve() if common.exists() else git
        if (base / name).exists():
            return (base / name).read_text().strip()[:12]
        for line in (base / "packed-refs").read_text().splitlines():
            if line.endswith(" " + name):
                return line.split()[0][:12]
    except OSError:
        pass
    return "unknown"


def stamp(options=""):
    cpu = "unknown"
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                cpu = " ".join(line.split(":", 1)[1].split())
                break
    except OSError:
        pass
    return {"commit": commit(), "cpu": cpu, "cores": len(os.sched_getaffinity(0)),
            "date": datetime.datetime.now().strftime("%Y-%m-%d"), "options": options}


def save(path, rows, options="", quiet=False):
    """rows: dictionaries with the same keys; those read from a file keep their stamp. Written whole, then renamed. No
    path: not kept."""
    if not path:
        return
    if not rows:
        print(f"nothing to write to {path}", file=sys.stderr)
        return
    mark = stamp(options)
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with open(part, "w", newline="") as file:
        columns = dict.fromkeys([*(c for row in rows for c in row if c not in STAMP), *STAMP])  # of old and of new rows
        out = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        out.writeheader()
        for row in rows:
            out.writerow({**mark, **row})
    part.rename(path)
    if not quiet:
        print(f"written: {path}", file=sys.stderr)


def load(path):
    if not pathlib.Path(path).exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def show(rows, columns):
    """A plain table on standard output."""
    table = [columns] + [[str(row.get(c, "")) for c in columns] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(columns))]
    for line in table:
        print("  ".join(text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(line, widths))))


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "keep":
        sys.exit(__doc__)
    save(sys.argv[2], list(csv.DictReader(sys.stdin)), sys.argv[3] if len(sys.argv) > 3 else "")
