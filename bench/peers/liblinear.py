#!/usr/bin/python3
"""LIBLINEAR: the linear machine with C (regression: and the tube) chosen by its own search, `-C`, 5 folds. One process:
it has no other way.

    liblinear.py FOLDER PROCESSES all      reads train.svm, test.svm, split.json; writes result.json, prediction.txt
"""
import re
import shutil
import subprocess

import peer


def main():
    folder, _, _, _ = peer.arguments()
    if not shutil.which("liblinear-train"):
        peer.absent("liblinear-train (liblinear-tools)")
    classes = peer.about(folder)["task"] == "classes"
    train = ["liblinear-train", "-s", "2" if classes else "11", "-B", "1"]
    out = subprocess.run([*train, "-C", "-v", "5", folder / "train.svm"], capture_output=True, text=True,
                         check=True).stdout
    best = dict(re.findall(r"(\w) = (\S+)", out.strip().split("\n")[-1]))  # Best C = 1 [Best p = 0.1] CV ...
    options = [text for name in ("C", "p") if name in best for text in (f"-{name.lower()}", best[name])]
    subprocess.run([*train, "-q", *options, folder / "train.svm", folder / "linear.model"], check=True)
    predict = ["liblinear-predict", "-q", folder / "test.svm", folder / "linear.model", folder / "prediction.txt"]
    peer.finish(folder, lambda: subprocess.run(predict, check=True, stdout=subprocess.DEVNULL) and None,
                "L2-loss SVC linear" if classes else "L2-loss SVR linear", " ".join(options), "1 process")


if __name__ == "__main__":
    main()
