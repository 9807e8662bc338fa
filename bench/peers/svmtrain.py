#!/usr/bin/python3
"""One `svm-train -v 5` with LIBSVM's defaults: a single point of the grid that its user would search. A yardstick of
time, without a machine and a test error; one process.

    svmtrain.py FOLDER PROCESSES all      reads train.svm, split.json; writes result.json
"""
import shutil
import subprocess

import peer


def main():
    folder, _, _, _ = peer.arguments()
    if not shutil.which("svm-train"):
        peer.absent("svm-train (libsvm-tools)")
    classes = peer.about(folder)["task"] == "classes"
    kind = [] if classes else ["-s", "3"]
    subprocess.run(["svm-train", "-q", *kind, "-v", "5", folder / "train.svm"], check=True, stdout=subprocess.DEVNULL)
    peer.finish(folder, lambda: None, "C-SVC rbf" if classes else "epsilon-SVR rbf", "defaults",
                "1 process, one point, no test error")


if __name__ == "__main__":
    main()
