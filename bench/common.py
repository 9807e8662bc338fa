#!/usr/bin/python3
"""What the benchmark scripts share: data, splits, running programs, results as CSV with commit, machine and date.

    common.py keep FILE [OPTIONS-TEXT]     standard input (CSV of a bench program) -> FILE with those columns added
"""
import collections
import csv
import datetime
import gzip
import json
import os
import pathlib
import resource
import subprocess
import sys
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


# ---- data ------------------------------------------------------------------------------------------------------------

def data_dir():
    return pathlib.Path(os.environ.get("NYSEL_DATA") or ROOT.parent / "shared" / "data")


def data_file(name):
    """Path of the set, or None (said once) when it is not there."""
    path = data_dir() / f"{name}.csv.gz"
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


def random_split(rows, seed):
    """The first two thirds of a random order, and the rest."""
    import numpy as np
    order = np.random.RandomState(seed).permutation(len(rows))
    cut = len(rows) * 2 // 3
    return [rows[i] for i in order[:cut]], [rows[i] for i in order[cut:]]


# ---- programs --------------------------------------------------------------------------------------------------------

Run = collections.namedtuple("Run", "seconds cpu out")  # wall clock, processor time of all its threads, stdout


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command):
    """Runs a program that must succeed. cpu is right only where one runs at a time."""
    start, used = time.perf_counter(), cpu_of_children()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return Run(seconds, cpu_of_children() - used, done.stdout)


def train(binary, data, model, *options):
    """The run and the record (--json) of one `nysel train`."""
    record = pathlib.Path(str(model) + ".json")
    done = run([binary, "train", data, "-o", model, "--json", record, "--quiet", "--progress", "never", *options])
    return done, json.loads(record.read_text())


def test(binary, model, data, *options):
    """Metrics of `nysel test`."""
    return json.loads(run([binary, "test", model, data, "--json", "-", "--quiet", *options]).out)["metrics"]


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


def save(path, rows, options=""):
    """rows: dictionaries with the same keys. Written whole, then renamed."""
    if not rows:
        print(f"nothing to write to {path}", file=sys.stderr)
        return
    mark = stamp(options)
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with open(part, "w", newline="") as file:
        out = csv.DictWriter(file, [*rows[0], *STAMP], lineterminator="\n")
        out.writeheader()
        for row in rows:
            out.writerow({**row, **mark})
    part.rename(path)
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
