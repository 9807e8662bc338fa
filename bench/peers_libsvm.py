#!/usr/bin/python3
"""nysel against LIBSVM on the same rows: time and test error.

    peers_libsvm.py BINARY [--repeats N] [--splits N] [--refresh] [--no-grid] [--out FILE]

Time:  `nysel train`, all defaults, from CSV to saved model (selection included), against ONE `svm-train -v 5` with
       LIBSVM's defaults: a single point of the grid that a LIBSVM user would search. Both by turns, best of N.
Error: on the test rows; nysel with defaults, LIBSVM with C and gamma chosen by 5-fold cross-validation over
       log2 C = -1, 1 .. 9, log2 gamma = -9, -7 .. -1 (30 points), extended while the best lies on an edge. Results
       are kept in results/libsvm_grid.csv and used again while the rows are the same: --refresh makes them anew.
Scaling for LIBSVM is done here (mean 0, deviation 1, from the training rows), so it has the same as nysel's default.
"""
import argparse
import concurrent.futures
import datetime
import hashlib
import math
import pathlib
import re
import tempfile
import time

import common

np = common.need_numpy()
GRID_FILE = common.RESULTS / "libsvm_grid.csv"
GRID_C, GRID_G = range(-1, 10, 2), range(-9, 0, 2)
GRID_NAME = "C -1:9:2 g -9:-1:2 extended v 5"
GRID_COLUMNS = ["set", "split", "rows_hash", "grid", "points", "log2c", "log2g", "cv_error", "test_error",
                "grid_seconds", "date"]


def splits(name, count):
    """(label, header, training rows, test rows) of every split."""
    path = common.data_file(name)
    if not path:
        return
    header, rows = common.read_rows(path)
    if name == "satimage":
        test = common.data_file("satimage.t")
        if test:
            yield "supplied", header, rows, common.read_rows(test)[1]
        return
    for seed in range(count):
        yield (str(seed), header, *common.random_split(rows, seed))


def write_libsvm(path, X, labels):
    with open(path, "w") as file:
        for label, x in zip(labels, X):
            file.write(label + "".join(f" {j + 1}:{v:.10g}" for j, v in enumerate(x) if v != 0) + "\n")


def standardised(train, test):
    X, T = (np.array([row[:-1] for row in rows], float) for rows in (train, test))
    mean, sd = X.mean(0), X.std(0)
    sd[sd == 0] = np.inf
    return (X - mean) / sd, (T - mean) / sd


def write_files(folder, header, train, test):
    common.write_rows(folder / "train.csv", header, train)
    common.write_rows(folder / "test.csv", header, test)
    X, T = standardised(train, test)
    write_libsvm(folder / "train.svm", X, [row[-1] for row in train])
    write_libsvm(folder / "test.svm", T, [row[-1] for row in test])


def accuracy(text, what):
    return float(re.search(what + r" = ([\d.]+)%", text).group(1)) / 100


def cv_error(folder, c, g):
    out = common.run(["svm-train", "-q", "-v", 5, "-c", 2.0 ** c, "-g", 2.0 ** g, "-m", 400, folder / "train.svm"]).out
    return 1 - accuracy(out, "Cross Validation Accuracy")


def libsvm_test_error(folder, c, g):
    common.run(["svm-train", "-q", "-c", 2.0 ** c, "-g", 2.0 ** g, "-m", 400, folder / "train.svm",
                folder / "svm.model"])
    out = common.run(["svm-predict", folder / "test.svm", folder / "svm.model", folder / "svm.out"]).out
    return 1 - accuracy(out, "Accuracy")


def search(folder):
    """The best (C, gamma) and all errors, by point. A best on the edge moves that edge out, at most four times."""
    C, G, errors = list(GRID_C), list(GRID_G), {}
    for _ in range(5):
        new = [(c, g) for c in C for g in G if (c, g) not in errors]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            errors.update(zip(new, pool.map(lambda p: cv_error(folder, *p), new)))
        c, g = best = min(errors, key=errors.get)
        edges = [c == C[0], c == C[-1], g == G[0], g == G[-1]]
        if not any(edges):
            break
        C = [C[0] - 2] * edges[0] + C + [C[-1] + 2] * edges[1]
        G = [G[0] - 2] * edges[2] + G + [G[-1] + 2] * edges[3]
    return best, errors


def grid_of(name, split, folder, refresh):
    """The tuned LIBSVM machine: the kept result when it is of these very rows, else the grid is run now."""
    digest = hashlib.sha1((folder / "train.svm").read_bytes() + (folder / "test.svm").read_bytes()).hexdigest()[:12]
    kept = common.load(GRID_FILE)
    for row in kept:
        if not refresh and [row[k] for k in GRID_COLUMNS[:4]] == [name, split, digest, GRID_NAME]:
            return row
    print(f"{name} {split}: LIBSVM's grid ...", flush=True)
    start = time.perf_counter()
    best, errors = search(folder)
    seconds = time.perf_counter() - start
    row = {"set": name, "split": split, "rows_hash": digest, "grid": GRID_NAME, "points": len(errors),
           "log2c": best[0], "log2g": best[1], "cv_error": f"{errors[best]:.5f}",
           "test_error": f"{libsvm_test_error(folder, *best):.5f}", "grid_seconds": f"{seconds:.1f}",
           "date": datetime.date.today().isoformat()}
    kept = [r for r in kept if [r["set"], r["split"]] != [name, split]] + [row]
    GRID_FILE.parent.mkdir(parents=True, exist_ok=True)
    with open(GRID_FILE, "w", newline="") as file:
        out = common.csv.DictWriter(file, GRID_COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(kept)
    return row


def compare(args, name, split, header, train, test):
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        write_files(folder, header, train, test)
        ours, theirs = [], []
        for _ in range(args.repeats):
            done, record = common.train(args.binary, folder / "train.csv", folder / "m.nysel")
            ours.append(done)
            theirs.append(common.run(["svm-train", "-q", "-v", 5, folder / "train.svm"]))
        error = common.test(args.binary, folder / "m.nysel", folder / "test.csv")["error"]
        tuned = {} if args.no_grid else grid_of(name, split, folder, args.refresh)
    t, u = min(r.seconds for r in ours), min(r.seconds for r in theirs)
    return {"set": name, "split": split, "rows": len(train), "landmarks": record["landmarks"],
            "nysel_s": f"{t:.3f}", "svmtrain_cv_s": f"{u:.3f}", "ratio": f"{t / u:.3f}",
            "nysel_cpu_s": f"{min(r.cpu for r in ours):.3f}", "svmtrain_cpu_s": f"{min(r.cpu for r in theirs):.3f}",
            "nysel_error": f"{error:.5f}",
            "libsvm_error": tuned.get("test_error", ""), "libsvm_grid_s": tuned.get("grid_seconds", ""),
            "nysel_expected": f"{record['criterion']['error']:.5f}"}


def summary(rows):
    """Mean difference of the errors and its standard error over the splits, per set."""
    for name in dict.fromkeys(row["set"] for row in rows):
        mine = [row for row in rows if row["set"] == name]
        ratio = np.mean([float(row["ratio"]) for row in mine])
        text = f"{name}: time ratio {ratio:.3f}"
        pairs = [(float(r["nysel_error"]), float(r["libsvm_error"])) for r in mine if r["libsvm_error"]]
        if pairs:
            d = np.array([a - b for a, b in pairs])
            text += f", error {np.mean([a for a, _ in pairs]):.2%} against {np.mean([b for _, b in pairs]):.2%}"
            text += f", difference {d.mean() * 100:+.2f} points"
            if len(d) > 1:
                text += f" +- {d.std(ddof=1) / math.sqrt(len(d)) * 100:.2f} (standard error, {len(d)} splits)"
        print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--splits", type=int, default=5, help="random splits of spambase")
    parser.add_argument("--refresh", action="store_true")
    parser.add_argument("--no-grid", action="store_true")
    parser.add_argument("--out", default=common.RESULTS / "peers_libsvm.csv")
    args = parser.parse_args()
    rows = [compare(args, name, *split) for name in ("spambase", "satimage") for split in splits(name, args.splits)]
    if not rows:
        return
    common.show(rows, list(rows[0]))
    summary(rows)
    common.save(args.out, rows, f"nysel defaults; svm-train -v 5 defaults; tuned {GRID_NAME}; best of {args.repeats}")


if __name__ == "__main__":
    main()
