#!/usr/bin/python3
"""Time and memory of `nysel train` against rows, landmarks, inputs, classes, folds, values of C and threads.

    scale.py NYSEL [--quick] [--only SWEEP,...] [--add] [--most ROWS] [--extra OPTIONS]

Every sweep but `search` is one training at a fixed kernel and bandwidth (--search none): C, landmarks and the criterion
are part of it, the search is not. `search` is the whole default selection against rows, `search300` the same with the
300 landmarks of the others. Ten million rows have --memory 2G: they are read in passes. Data are generated, in a
temporary folder (1.7 GB for ten million rows; NYSEL_TMP says where): inputs near a subspace of three dimensions,
the class is that whose smooth random function on it is largest, plus noise. Short runs are repeated, the best counts.

Prints each result with its test error on 10,000 fresh rows, then the exponent of a line through the logarithms of the
upper half of each sweep, where the constant cost is gone, beside what theory says. --add keeps what the file has of the
other sweeps. syrk_seconds: what the bare product G G' (landmarks x rows) takes at the speed that numpy's BLAS has now.
"""
import argparse
import collections
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

if len(sys.argv) > 1 and os.access(sys.argv[1], os.X_OK):
    os.environ.setdefault("OPENBLAS_CORETYPE", common.blas_core(sys.argv[1]))  # before numpy loads it
np = common.need_numpy()
CHUNK, TEST_ROWS, LATENT, WAVES, NOISE = 2_000_000, 10_000, 3, 30, 0.05  # CHUNK: numbers in memory at a time
Sweep = collections.namedtuple("Sweep", "what theory limit values quick case")
Case = collections.namedtuple("Case", "rows inputs classes landmarks options", defaults=[20, 2, 300, []])


def memory(rows):
    return ["--memory", "2G"] if rows >= 10 ** 7 else []


def steps(count):
    """--C with so many values between 2^-5 and 2^15."""
    return ["--C", "1" if count == 1 else f"-5:15:{20 / (count - 1) - 1e-9!r}"]


ROWS, FEW_ROWS = [10 ** k for k in range(3, 8)], [1000, 5000, 20000]
# case(value) is what to train; limit is the exponent that must not be exceeded (seconds; 0.05 for noise).
SWEEPS = {
    "rows": Sweep("rows", "n^1", 1.05, ROWS, FEW_ROWS, lambda v: Case(v, options=memory(v))),
    "search300": Sweep("rows, default search, 300 landmarks", "n^1", 1.05, ROWS, FEW_ROWS,
                       lambda v: Case(v, landmarks=300, options=["--search", "profile", *memory(v)])),
    "search": Sweep("rows, default search", "n^1 at most: landmarks fall as rows grow", 1.05, ROWS, FEW_ROWS,
                    lambda v: Case(v, landmarks="auto", options=["--search", "profile", *memory(v)])),
    "landmarks": Sweep("landmarks", "m^2 to m^3", 3.0, [100, 200, 500, 1000, 2000, 5000], [100, 200, 400, 800],
                       lambda v: Case(20000, landmarks=v)),
    "inputs": Sweep("inputs", "d^1 at most", 1.05, [2, 5, 10, 20, 50, 100, 200, 500, 1000], [2, 20, 100, 200],
                    lambda v: Case(20000, v)),
    "classes": Sweep("classes", "flat while classes x values of C are few beside landmarks", 0.3,
                     [2, 3, 5, 8, 12, 18, 26], [2, 5, 10, 26], lambda v: Case(20000, classes=v, landmarks=1000)),
    "folds": Sweep("folds (--criterion cv)", "flat while folds x landmarks are few beside rows", 0.1,
                   [2, 5, 10, 20, 50], [2, 5, 10], lambda v: Case(400000, options=["--criterion", "cv", "--folds", v])),
    "C": Sweep("values of C", "flat while they are few beside landmarks", 0.1, [1, 2, 5, 10, 20, 50], [1, 5, 20],
               lambda v: Case(50000, landmarks=1000, options=steps(v))),
    "threads": Sweep("threads", "1/threads at best", -0.5, sorted({1, 2, len(os.sched_getaffinity(0))}), [1, 2],
                     lambda v: Case(100000, landmarks=500, options=["--threads", v])),
}


# ---- data ------------------------------------------------------------------------------------------------------------

class Source:
    """Rows of `inputs` numbers and a class; the same rows in files of any length."""

    def __init__(self, inputs, classes):
        random = np.random.default_rng([7, inputs, classes])
        latent = min(LATENT, inputs)
        self.inputs, self.chunk = inputs, CHUNK // (inputs + 1)
        self.spread = random.standard_normal((latent, inputs))
        self.wave = random.standard_normal((latent, WAVES))
        self.phase = random.uniform(0, 2 * np.pi, WAVES)
        self.weight = random.standard_normal((WAVES, classes)) / np.sqrt(WAVES)

    def block(self, seed, index, rows):
        """Block `index` of the rows of that seed."""
        random = np.random.default_rng([seed, index])
        hidden = random.standard_normal((rows, len(self.spread)))
        values = np.cos(hidden @ self.wave + self.phase) @ self.weight
        values += NOISE * random.standard_normal(values.shape)
        out = np.empty((rows, self.inputs + 1))
        out[:, :-1] = hidden @ self.spread + 0.3 * random.standard_normal((rows, self.inputs))
        out[:, -1] = values.argmax(axis=1)
        return out

    def write(self, path, seed, rows):
        with open(path, "wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False,
                                                        "shape": (rows, self.inputs + 1)})
            for index, first in enumerate(range(0, rows, self.chunk)):
                self.block(seed, index, min(self.chunk, rows - first)).tofile(file)


# ---- measuring -------------------------------------------------------------------------------------------------------

def syrk_rate():
    """Operations in a second of the bare product A'A, best of three."""
    A = np.random.default_rng(1).standard_normal((20000, 500))
    best = float("inf")
    for _ in range(4):
        start = time.perf_counter()
        A.T @ A
        best = min(best, time.perf_counter() - start)
    return 20000 * 500 * 501 / best


def measure(args, name, value, case, files):
    """One row of the results; a short run is repeated."""
    train_file, test_file, model = files
    options = ["--task", "binary" if case.classes == 2 else "multiclass", "--landmarks", case.landmarks]
    if "--search" not in case.options:
        options += ["--search", "none", "--kernel", "rbf", "--bandwidth", repr(float(case.inputs) ** 0.5)]
    done, spent = [], 0.0
    while not done or (spent < 2 and len(done) < 5):
        run, record = common.train(args.binary, train_file, model, *options, *args.extra.split(), *case.options)
        done.append((run.seconds, run.cpu, record))
        spent += run.seconds
    seconds, cpu = min(d[0] for d in done), min(d[1] for d in done)
    record = done[-1][2]
    n, m = case.rows, record["landmarks"]
    return {"sweep": name, "value": value, "rows": n, "inputs": case.inputs, "landmarks": m,
            "seconds": f"{seconds:.3f}", "cpu_seconds": f"{cpu:.3f}", "peak_mb": f"{record['peak_bytes'] / 1e6:.0f}",
            "error": f"{common.test(args.binary, model, test_file)['error']:.4f}",
            "syrk_seconds": f"{n * m * (m + 1) / args.rate:.3f}"}


def run_cases(args, cases, keep):
    """Cases of the same data one after the other, so that each file is written once; keep(row) after each."""
    groups = collections.defaultdict(list)
    for name, value, case in cases:
        groups[case.rows, case.inputs, case.classes].append((name, value, case))
    with tempfile.TemporaryDirectory(prefix="nysel_scale_", dir=os.environ.get("NYSEL_TMP")) as where:
        files = [pathlib.Path(where) / f for f in ("train.npy", "test.npy", "m.nysel")]
        for (rows, inputs, classes), mine in sorted(groups.items()):
            source = Source(inputs, classes)
            source.write(files[0], 1, rows)
            source.write(files[1], 2, TEST_ROWS)
            for name, value, case in mine:
                try:
                    keep(measure(args, name, value, case, files))
                except RuntimeError as error:
                    print(f"FAILED: {name} {value}: {str(error).strip().splitlines()[-1]}", file=sys.stderr)


# ---- exponents -------------------------------------------------------------------------------------------------------

def exponent(rows, column):
    """Slope of log(column) by log(value)."""
    x, y = (np.log([max(float(r[c]), 1e-3) for r in rows]) for c in ("value", column))
    return np.polyfit(x, y, 1)[0]


def fits(rows):
    found = []
    for name, sweep in SWEEPS.items():
        mine = [r for r in rows if r["sweep"] == name]
        if len(mine) < 2:
            continue
        upper = mine[len(mine) // 2:] if len(mine) > 3 else mine[-2:]
        by_seconds = exponent(upper, "seconds")
        found.append({"sweep": name, "what": sweep.what, "from": upper[0]["value"], "to": upper[-1]["value"],
                      "exponent": f"{by_seconds:.2f}", "cpu_exponent": f"{exponent(upper, 'cpu_seconds'):.2f}",
                      "memory_exponent": f"{exponent(upper, 'peak_mb'):.2f}", "theory": sweep.theory,
                      "limit": sweep.limit, "holds": "yes" if by_seconds <= sweep.limit else "no"})
    return found


def in_order(rows):
    return sorted(rows, key=lambda r: (list(SWEEPS).index(r["sweep"]), int(r["value"])))


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--quick", action="store_true", help="small sizes; results are kept where NYSEL_RESULTS says")
    parser.add_argument("--only", default=",".join(SWEEPS), help=f"of {', '.join(SWEEPS)}")
    parser.add_argument("--add", action="store_true", help="keep what the file has of the other sweeps")
    parser.add_argument("--most", type=int, default=10 ** 7, help="rows at most")
    parser.add_argument("--extra", default="", help="more options of nysel train, in one text")
    args = parser.parse_args()
    args.only = args.only.split(",")
    unknown = set(args.only) - set(SWEEPS)
    if unknown:
        parser.error(f"unknown sweep: {', '.join(sorted(unknown))}; there are {', '.join(SWEEPS)}")
    part = args.quick or len(args.only) < len(SWEEPS)
    args.keep = args.add or not part or bool(os.environ.get("NYSEL_RESULTS"))
    return args


def main():
    args = options()
    path = common.RESULTS / "scale.csv"
    others = [r for r in common.load(path) if r["sweep"] not in args.only] if args.add else []
    args.rate = syrk_rate()
    cases = [(name, value, SWEEPS[name].case(value)) for name in args.only
             for value in (SWEEPS[name].quick if args.quick else SWEEPS[name].values)]
    cases = [c for c in cases if c[2].rows <= args.most]
    rows = []
    text = "one training, rbf, fixed bandwidth; search: defaults; best of up to 5" + (args.extra and f"; {args.extra}")

    def keep(row):
        rows.append(row)
        print("  ".join(f"{k} {v}" for k, v in row.items()), flush=True)
        everything = in_order(others + rows)
        if args.keep:
            common.save(path, everything, text)
            common.save(common.RESULTS / "scale_fit.csv", fits(everything), text)

    run_cases(args, cases, keep)
    if not rows:
        return
    rows = in_order(rows)
    print()
    common.show(rows, list(rows[0]))
    print(f"\nbare product: {args.rate / 1e9:.1f} Gflop/s\n")
    found = fits(rows)
    if found:
        common.show(found, list(found[0]))


main()
