#!/usr/bin/python3
"""Instructions that three small fixed runs execute, against those kept in bench/guard/counts.csv.

    guard.py NYSEL [--keep] [--limit PERCENT]

The runs: `train` with defaults (banana, 200 rows), `train --machine svm` (twonorm, 150 rows), `predict` (waveform, 2000
rows). Counted by valgrind's callgrind with one thread, a fixed seed and OpenBLAS's Haswell code (which any processor
with AVX2 can run), so that neither load nor clock matter. Counts differ between compilers and versions of the
libraries: the file says which compiler it was made with.

Prints old and new counts, the change, and for each run the five functions that changed most. Exit status 1 when a run
takes more than PERCENT (3) more instructions than before. --keep makes what was counted the new standard.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

COUNTS = pathlib.Path(__file__).resolve().parent / "counts.csv"
SMALLEST = 0.002  # share of a run's instructions from which on a function is kept in the file
TOTAL = "all"
# name: (demo set, rows, what comes before and is not counted, the run)
RUNS = {
    "train": ("banana", 200, None, ["train", "DATA", "-o", "MODEL"]),
    "train svm": ("twonorm", 150, None, ["train", "DATA", "-o", "MODEL", "--machine", "svm"]),
    "predict": ("waveform", 2000, ["train", "DATA", "-o", "MODEL", "--landmarks", "200", "--search", "none"],
                ["predict", "MODEL", "DATA", "-o", "OUT"]),
}


def command(binary, folder, words):
    """The run with its files; every command has one thread."""
    files = {"DATA": folder / "data.csv", "MODEL": folder / "m.nysel", "OUT": folder / "out.csv"}
    return [binary, *(files.get(w, w) for w in words), "--threads", "1", "--quiet", "--progress", "never"]


def by_function(out):
    """{function: instructions of its own} and the total, from a callgrind file."""
    lines = common.run(["callgrind_annotate", "--threshold=100", "--show=Ir", out]).out.splitlines()
    found = {}
    for line in lines:
        match = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+(.*)", line)
        if not match:
            continue
        count, rest = int(match[1].replace(",", "")), match[2]
        if rest.startswith("PROGRAM TOTALS"):
            found[TOTAL] = count
        else:
            name = re.sub(r" \[.*\]$", "", rest).rsplit(":", 1)[-1]
            found[name] = found.get(name, 0) + count
    return found


def count(binary, name):
    """{function: instructions} of one run."""
    demo, rows, before, words = RUNS[name]
    with tempfile.TemporaryDirectory(prefix="nysel_guard_") as where:
        folder = pathlib.Path(where)
        common.run([binary, "demo", demo, "--rows", rows, "--seed", 1, "--write", folder / "data.csv"])
        if before:
            common.run(command(binary, folder, before))
        out = folder / "callgrind.out"
        common.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                    *command(binary, folder, words)])
        return by_function(out)


def load():
    """{run: {function: instructions}} of the file."""
    counts = {}
    for row in common.load(COUNTS):
        counts.setdefault(row["run"], {})[row["function"]] = int(row["instructions"])
    return counts


def keep(counts):
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    rows = [{"run": name, "function": f, "instructions": n} for name, found in counts.items()
            for f, n in sorted(found.items(), key=lambda item: -item[1]) if n >= SMALLEST * found[TOTAL]]
    common.save(COUNTS, rows, compiler)


def compare(name, old, new):
    """Prints both; the change of the total in percent."""
    change = (new[TOTAL] / old[TOTAL] - 1) * 100
    print(f"{name}: {old[TOTAL]:,} before, {new[TOTAL]:,} now, {change:+.2f}%")
    moved = {f: new.get(f, 0) - old.get(f, 0) for f in {*old, *new} - {TOTAL}
             if f in old or new[f] >= SMALLEST * new[TOTAL]}
    for f in sorted(moved, key=lambda f: -abs(moved[f]))[:5]:
        if moved[f]:
            print(f"    {moved[f] / old[TOTAL] * 100:+7.2f}%  {moved[f]:+16,}  {f}")
    return change


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--keep", action="store_true", help="make what is counted now the new standard")
    parser.add_argument("--limit", type=float, default=3, help="percent more that are allowed")
    args = parser.parse_args()
    missing = [tool for tool in ("valgrind", "callgrind_annotate") if not shutil.which(tool)]
    if missing:
        sys.exit(f"{missing[0]} is missing: install valgrind (make deps-bench)")
    os.environ.update(OPENBLAS_CORETYPE="Haswell", OMP_NUM_THREADS="1", LC_ALL="C")
    old, new = load(), {}
    worst = 0.0
    for name in RUNS:
        new[name] = count(args.binary, name)
        if name in old:
            worst = max(worst, compare(name, old[name], new[name]))
        else:
            print(f"{name}: {new[name][TOTAL]:,} now, none kept in {COUNTS.name}")
    if args.keep:
        keep(new)
    elif worst > args.limit:
        sys.exit(f"up by more than {args.limit:g}%: find out why, or accept it with --keep")


main()
