"""test errors are within 3 points of a tuned LIBSVM machine (mean of 3 splits)"""
import concurrent.futures
import re
import shutil
import subprocess

import numpy as np
from sklearn.datasets import dump_svmlight_file

import peer

GRID = [(c, g) for c in (-1, 2, 5, 8) for g in (-9, -6, -3, 0)]


def svm(folder, *command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=folder, check=True)
    found = re.search(r"Accuracy = ([\d.]+)%", done.stdout)
    return 1 - float(found.group(1)) / 100 if found else None


def libsvm_error(folder):
    def cv(point):
        return svm(folder, "svm-train", "-q", "-v", 5, "-c", 2.0 ** point[0], "-g", 2.0 ** point[1], "train.svm")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        errors = list(pool.map(cv, GRID))
    c, g = GRID[int(np.argmin(errors))]
    svm(folder, "svm-train", "-q", "-c", 2.0 ** c, "-g", 2.0 ** g, "train.svm", "svm.model")
    return svm(folder, "svm-predict", "test.svm", "svm.model", "svm.out")


def run(tool, results):
    if not shutil.which("svm-train"):
        return results.skip("LIBSVM", "svm-train is not installed (make deps-peers)")
    for name in ("breast_cancer", "wine", "heart_scale", "german.numer"):
        found = peer.labelled(name)
        if not found:
            results.skip(name, f"not in {peer.DATA}")
            continue
        known = sorted(set(found[1]))
        ours, theirs = [], []
        for seed in range(3):
            X, labels, T, truth = peer.split(*found, len(found[1]) * 2 // 3, seed)
            Z, S = peer.standardise(X, T)
            dump_svmlight_file(Z, [known.index(k) for k in labels], str(tool.folder / "train.svm"), zero_based=False)
            dump_svmlight_file(S, [known.index(k) for k in truth], str(tool.folder / "test.svm"), zero_based=False)
            tool.write("train.csv", X, labels)
            tool.write("test.csv", T, truth)
            tool.train("train.csv")
            ours.append(tool.test("test.csv")["metrics"]["error"])
            theirs.append(libsvm_error(tool.folder))
        difference = 100 * (np.mean(ours) - np.mean(theirs))
        results.check(f"{name}", difference <= 3,
                      f"nysel {np.mean(ours):.2%}, LIBSVM {np.mean(theirs):.2%}, {difference:+.2f} points")
