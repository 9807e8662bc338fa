#!/usr/bin/python3
"""nysel and its peers on the same splits: test error, time with selection, processor time, peak memory.

    run.py NYSEL [--quick] [--only SET,...] [--programs NAME,...] [--add] [--splits K] [--out FOLDER]

Sets and scaling are data.py's. Programs: nysel (defaults; adult needs --missing mean, mnist has --scale none, because
the peers get its pixels without further scaling, too), libsvm (tuned, the yardstick), svmtrain (one
`svm-train -v 5` with LIBSVM's defaults: a single point of its grid, no test error), liblinear, svc_grid, svc_halving,
krr_grid, krr_halving, nystroem_ridge, nystroem_logistic (scikit-learn), kernlab. Each has two threads or processes
(--processes) and is one line in peers.csv for each split, kept as soon as it is known. Seconds: from the files to the
machine, selection included, test rows excluded, libraries' start-up included. peak_mb: the largest process.
OpenBLAS has the code for this processor with every program: nysel sees to that itself, for the others it is done here.
Lines are merged into the file by (set, split, program) with --add, or where --only, --which or --programs asks for a
part. A set with too many rows for a program is left out (PROGRAMS); what is not installed or fails is said and left
out.
Which test rows were wrong is kept in peers_rows.csv for nysel and libsvm where the test set is supplied (packed bits,
compressed, base64). against_libsvm.csv is made from both files at the end: difference of the errors with its standard
error, over the splits, or over the test rows of a supplied set; verdict: whether it is at most one standard error.
"""
import argparse
import base64
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common
import data
import peer

np = common.need_numpy()
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
# what is started with FOLDER PROCESSES WAY, tasks it can do, training rows above which it is left out
Program = collections.namedtuple("Program", "script way tasks most", defaults=[None, ("classes", "numbers"), 10 ** 9])
PROGRAMS = {
    "nysel": Program(None),
    "libsvm": Program("libsvm.py"),
    "svmtrain": Program("svmtrain.py", most=20000),
    "liblinear": Program("liblinear.py"),
    "svc_grid": Program("sklearn_svc.py", "grid", ("classes",), 5000),
    "svc_halving": Program("sklearn_svc.py", "halving", ("classes",), 20000),
    "krr_grid": Program("sklearn_krr.py", "grid", ("numbers",), 6000),
    "krr_halving": Program("sklearn_krr.py", "halving", ("numbers",), 6000),
    "nystroem_ridge": Program("sklearn_nystroem.py", "ridge"),
    "nystroem_logistic": Program("sklearn_nystroem.py", "logistic", ("classes",)),
    "kernlab": Program("kernlab.R", most=8000),
}
QUICK = ["pima_diabetes", "housing"]
KEY = ["set", "split", "program"]
Used = collections.namedtuple("Used", "seconds cpu peak_mb")


class Failed(RuntimeError):
    """One line that says why."""


# ---- running ---------------------------------------------------------------------------------------------------------

def measured(command, limit, processes, core=""):
    """Time, processor time of all its processes and memory of the largest one. Ended when it takes too long. core: what
    OpenBLAS is to take the processor for."""
    command = [shutil.which(str(command[0])) or str(command[0]), *map(str, command[1:])]
    done = subprocess.run([PYTHON, "-S", "-E", HERE / "launch.py", str(limit), *command], capture_output=True,
                          text=True, env=peer.environment(processes) | ({"OPENBLAS_CORETYPE": core} if core else {}))
    if done.returncode != 0:
        raise Failed(done.stderr.strip().split("\n")[-1])
    used = json.loads(done.stdout)
    said = done.stderr.strip().split("\n")[-1]
    if used["status"] == -signal.SIGKILL and used["seconds"] >= limit:
        raise Failed(f"more than {limit} s")
    if used["status"] == peer.ABSENT:
        raise Failed(f"skipped: {said}")
    if used["status"] != 0:
        raise Failed(f"exit {used['status']}: {said}")
    return Used(used["seconds"], used["cpu"], used["peak_mb"])


def run_nysel(args, folder, name):
    """What was used, predictions as texts, machine, chosen, note."""
    model, record = folder / "m.nysel", folder / "m.json"
    options = [*data.SETS[name].options, *args.extra.split()]
    used = measured([args.binary, "train", folder / "train.csv", "-o", model, "--json", record, "--quiet", "--progress",
                     "never", "--threads", args.processes, *options], args.limit, args.processes)
    missing = ["--missing", "mean"] if "--missing" in options else []
    out = common.run([args.binary, "predict", model, folder / "test.csv", "--quiet", *missing]).out
    said = json.loads(record.read_text())
    C = said["C"] if isinstance(said["C"], list) else [said["C"]]
    chosen = f"{said['kernel']} C={min(C):.3g}" + (f"..{max(C):.3g}" if len(C) > 1 else "")
    if said["bandwidth"]:
        chosen += f" bandwidth={said['bandwidth']:.4g}"
    chosen += f" landmarks={said['landmarks']} expected={said['criterion']['error']:.5g}"
    found = [line.split(",")[0].strip('"') for line in out.split("\n")[1:-1]]
    return used, found, said["options"]["machine"], chosen, " ".join(options)


def run_peer(args, folder, name):
    program = PROGRAMS[name]
    interpreter = "Rscript" if program.script.endswith(".R") else PYTHON
    if not shutil.which(interpreter):
        raise Failed(f"skipped: {interpreter} is not installed")
    for left in ("prediction.txt", "result.json"):
        (folder / left).unlink(missing_ok=True)
    way = [program.way or "all"] + ["quick"] * args.quick
    used = measured([interpreter, HERE / program.script, folder, args.processes, *way], args.limit, args.processes,
                    args.core)
    said = json.loads((folder / "result.json").read_text())
    used = used._replace(seconds=used.seconds - said["predict_seconds"], cpu=used.cpu - said["predict_cpu"])
    path = folder / "prediction.txt"
    return used, path.read_text().split() if path.exists() else None, said["machine"], said["chosen"], said["note"]


def losses(split, back, found, ours):
    """The loss of every test row: wrong or not, or squared error in the target's own units."""
    if len(found) != len(split.test):
        raise Failed(f"{len(found)} predictions for {len(split.test)} rows")
    truth = [row[-1] for row in split.test]
    if split.task == "classes":
        names = found if ours else [back["names"][round(float(v))] for v in found]
        return np.array([a != b for a, b in zip(names, truth)], float)
    values = np.array(found, float)
    return ((values if ours else values * back["sd"] + back["mean"]) - np.array(truth, float)) ** 2


def keep_files(to, folder, name, found):
    to.mkdir(parents=True, exist_ok=True)
    (to / f"{name}.txt").write_text("\n".join(found) + "\n")
    model = folder / {"nysel": "m.nysel", "libsvm": "svm.model"}.get(name.split(".")[-1], "none")
    if model.exists():
        shutil.copy(model, to / f"{name}.model")


def run_one(args, folder, split, name):
    """A line of peers.csv, and the row losses (None: no test error)."""
    ours = name == "nysel"
    used, found, machine, chosen, note = (run_nysel(args, folder, split.set) if ours else run_peer(args, folder, name))
    if args.keep and found is not None:
        keep_files(args.keep, folder, f"{split.set}.{split.name}.{name}", found)
    back = json.loads((folder / "split.json").read_text())
    loss = None if found is None else losses(split, back, found, ours)
    line = {"set": split.set, "split": split.name, "program": name, "rows": len(split.train), "machine": machine,
            "error": "" if loss is None else f"{loss.mean():.6g}",
            "measure": "error" if split.task == "classes" else "mse", "seconds": f"{used.seconds:.3f}",
            "cpu_seconds": f"{used.cpu:.3f}", "peak_mb": f"{used.peak_mb:.0f}", "chosen": chosen,
            "note": "; ".join(t for t in (note, args.note) if t)}
    return line, loss


# ---- keeping ---------------------------------------------------------------------------------------------------------

def key(row):
    return tuple(row[c] for c in KEY)


def order(row):
    names, programs = list(data.SETS), list(PROGRAMS)
    return (names.index(row["set"]) if row["set"] in names else len(names), row["split"],
            programs.index(row["program"]) if row["program"] in programs else len(programs))


def keep(path, new, options):
    """Puts the line into the file in place of an older one of the same set, split and program. The others keep their
    stamp."""
    if not path:
        return
    rows = [r for r in common.load(path) if key(r) != key(new)] + [{**new, **common.stamp(options)}]
    common.save(path, sorted(rows, key=order), quiet=True)


def pack(wrong):
    return base64.b64encode(zlib.compress(np.packbits(wrong.astype(bool)).tobytes(), 9)).decode()


def unpack(row):
    bits = np.frombuffer(zlib.decompress(base64.b64decode(row["wrong"])), np.uint8)
    return np.unpackbits(bits)[:int(row["test_rows"])].astype(float)


# ---- against LIBSVM --------------------------------------------------------------------------------------------------

def pair(name, rows, wrong):
    """The line of one set in against_libsvm.csv, None where one of the two is not there."""
    by = {(r["split"], r["program"]): float(r["error"]) for r in rows if r["set"] == name and r["error"]}
    both = [s for s, program in by if program == "nysel" and (s, "libsvm") in by]
    if not both:
        return None
    a, b = (np.array([by[s, program] for s in both]) for program in ("nysel", "libsvm"))
    d, error, how = a - b, float("nan"), "splits"
    if len(both) > 1:
        error = d.std(ddof=1) / len(both) ** 0.5
    elif (name, both[0], "nysel") in wrong and (name, both[0], "libsvm") in wrong:
        rowwise = wrong[name, both[0], "nysel"] - wrong[name, both[0], "libsvm"]
        error, how = rowwise.std(ddof=1) / len(rowwise) ** 0.5, "test rows"
    verdict = "" if error != error else "holds" if d.mean() <= error else "above"
    (m, s), (m2, s2) = common.mean_sd(list(a)), common.mean_sd(list(b))
    return {"set": name, "measure": next(r["measure"] for r in rows if r["set"] == name), "splits": len(both),
            "nysel": f"{m:.6g}", "nysel_sd": common.text(s, ".3g"), "libsvm": f"{m2:.6g}",
            "libsvm_sd": common.text(s2, ".3g"), "difference": f"{d.mean():+.4g}", "stderr": common.text(error, ".3g"),
            "in_stderr": common.text(d.mean() / error if error else float(np.sign(d.mean())), "+.2f"), "over": how,
            "verdict": verdict}


def against_libsvm(folder):
    rows = common.load(folder / "peers.csv")
    wrong = {key(r): unpack(r) for r in common.load(folder / "peers_rows.csv")}
    table = [line for line in (pair(name, rows, wrong) for name in data.SETS) if line]
    if table:
        common.show(table, list(table[0]))
        common.save(folder / "against_libsvm.csv", table, "from peers.csv and peers_rows.csv")


# ---- main ------------------------------------------------------------------------------------------------------------

def command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--only", default="", help="these sets, comma separated, in this order")
    parser.add_argument("--programs", default="", help="these programs, comma separated")
    parser.add_argument("--splits", type=int, default=3, help="random splits of each set that has no test set")
    parser.add_argument("--which", default="", help="these splits only (file, supplied, 1, 2 ..)")
    parser.add_argument("--processes", type=int, default=2, help="threads or processes of each program")
    parser.add_argument("--limit", type=int, default=7200, help="seconds after which a program is ended")
    parser.add_argument("--extra", default="", help="more options of nysel train, in one text")
    parser.add_argument("--note", default="", help="put into every line")
    parser.add_argument("--quick", action="store_true", help=f"one split of {', '.join(QUICK)}")
    parser.add_argument("--add", action="store_true", help="keep what the file has of other sets, splits, programs")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for predictions and models")
    parser.add_argument("--out", type=pathlib.Path, help=f"folder, default: {common.RESULTS}")
    args = parser.parse_args()
    args.core = common.blas_core(args.binary)
    args.part = bool(args.quick or args.only or args.programs or args.which)
    args.sets = args.only.split(",") if args.only else QUICK if args.quick else list(data.SETS)
    args.names = args.programs.split(",") if args.programs else list(PROGRAMS)
    args.which = args.which.split(",") if args.which else None
    if args.quick:
        args.splits, args.limit = 1, min(args.limit, 60)
    for given, known in ((args.sets, data.SETS), (args.names, PROGRAMS)):
        unknown = set(given) - set(known)
        if unknown:
            parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if not args.out and (not args.quick or args.add or os.environ.get("NYSEL_RESULTS")):
        args.out = common.RESULTS
    return args


def run_split(args, split, options):
    with tempfile.TemporaryDirectory(prefix="nysel_peers_") as where:
        folder = pathlib.Path(where)
        data.prepare(folder, split)
        for name in args.names:
            program = PROGRAMS[name]
            if split.task not in program.tasks or len(split.train) > program.most:
                continue
            try:
                line, loss = run_one(args, folder, split, name)
            except (Failed, RuntimeError) as error:
                print(f"{split.set} {split.name} {name}: {error}", file=sys.stderr, flush=True)
                continue
            print("  ".join(str(line[c]) for c in (*KEY, "error", "seconds", "cpu_seconds", "peak_mb", "chosen")),
                  flush=True)
            if args.out:
                keep(args.out / "peers.csv", line, options)
                if split.name == "supplied" and name in ("nysel", "libsvm"):
                    keep(args.out / "peers_rows.csv", {**{c: line[c] for c in KEY}, "test_rows": len(loss),
                                                       "wrong": pack(loss)}, options)


def main():
    args = command_line()
    if args.out and not args.add and not args.part:
        for name in ("peers.csv", "peers_rows.csv"):
            (args.out / name).unlink(missing_ok=True)
    options = f"{args.processes} threads or processes" + (f"; {args.extra}" if args.extra else "")
    for name in args.sets:
        count = 1 if args.quick else args.splits
        for split in data.splits(name, count, args.which):
            run_split(args, split, options)
    if args.out:
        against_libsvm(args.out)


if __name__ == "__main__":
    main()
