#!/usr/bin/python3
"""What the whole regularization path of the l2-SVM costs beside the training of one machine on it.

    path.py BINARY [--only NAME,...] [--repeats N] [--extra "OPTIONS"] [--quick] [--out FILE]

`nysel path --bandwidth zhang` (lambda from 1e7 to 1e-6) against `nysel train --machine l2svm --criterion loo` with the
same kernel and landmarks at C = 2 / lambda for five lambdas, 1e3, 17.8, 0.316, 0.00562, 1e-4; rbf, uniform landmarks.
Both without reading; by turns, the best of N (2). ratio: path over one training, median and largest over the five
lambdas, by wall clock and by processor time (which is of the whole program, and the one to believe on a busy machine).
five: path over all five trainings together. kkt: by how much the conditions for a minimum are violated at worst.
"""
import pathlib
import statistics
import sys
import tempfile

import common

common.need_numpy()
# name: file (.svm: sparse), training rows in the order of the file (None: a random two thirds), landmarks
SETS = {"banana": ("raetsch_banana", 400, [100, 300, "all"]), "german": ("raetsch_german", 700, [300, 600, "all"]),
        "image": ("raetsch_image", 1300, [300, 600, "all"]), "spambase": ("spambase", None, [300, 600, 1200]),
        "ijcnn1": ("ijcnn1.svm", None, [300, 600])}
LAMBDAS = [10 ** (3 - 7 * i / 4) for i in range(5)]


def work(record):
    return record["seconds"]["total"] - record["seconds"]["read"]


def run_set(args, name):
    file, n, landmarks = SETS[name]
    data = common.read_sparse(file[:-4]) if file.endswith(".svm") else common.read_all(file)
    if not data:
        return []
    rows = data[1][:n] if n else common.random_split(data[1], 0)[0]
    lines = []
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        common.write_rows(folder / "train.csv", data[0], rows)
        for m in landmarks[:1] if args.quick else landmarks:
            base = ["--kernel", "rbf", "--bandwidth", "zhang", "--landmarks", m, "--landmark-method", "uniform",
                    *args.extra.split()]
            path, single = [], {lam: [] for lam in LAMBDAS}
            for _ in range(args.repeats):
                done, record = common.path(args.binary, folder / "train.csv", folder / "p.csv", *base)
                path.append((work(record), done.cpu))
                for lam in LAMBDAS:
                    done, one = common.train(args.binary, folder / "train.csv", folder / "m.nysel", *base,
                                             "--machine", "l2svm", "--C", 2 / lam, "--criterion", "loo")
                    single[lam].append((work(one), done.cpu))
            whole = [min(values) for values in zip(*path)]
            each = [[min(values) for values in zip(*single[lam])] for lam in LAMBDAS]
            ratios = [[whole[k] / e[k] for e in each] for k in range(2)]
            lines.append({"set": name, "rows": len(rows), "landmarks": record["landmarks"], "rank": record["rank"],
                          "breakpoints": len(record["rows"]), "kkt": f"{max(p['kkt'] for p in record['rows']):.1e}",
                          "path_s": f"{whole[0]:.3f}", "path_cpu": f"{whole[1]:.3f}",
                          "train_s": f"{statistics.median(e[0] for e in each):.3f}",
                          "train_cpu": f"{statistics.median(e[1] for e in each):.3f}",
                          "ratio": f"{statistics.median(ratios[0]):.1f}", "ratio_most": f"{max(ratios[0]):.1f}",
                          "cpu_ratio": f"{statistics.median(ratios[1]):.1f}",
                          "cpu_ratio_most": f"{max(ratios[1]):.1f}",
                          "five": f"{whole[0] / sum(e[0] for e in each):.1f}"})
            print(f"{name}, {m}: ratio {lines[-1]['ratio']}", file=sys.stderr, flush=True)
    return lines


def main():
    args = common.comparison_options(__doc__, "path.csv", SETS, more=[
        ("--repeats", 2, "runs, the best of which counts")])
    args.jobs = 1  # times: one at a time
    if args.quick:
        args.repeats = 1
    common.run_sets(args, f"rbf, --bandwidth zhang, uniform landmarks, best of {args.repeats}",
                    lambda name: run_set(args, name))


main()
