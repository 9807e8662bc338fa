#!/usr/bin/python3
"""LIBSVM tuned as a competent user would: rbf, C and gamma (regression: and the tube) by cross-validation.

    libsvm.py FOLDER PROCESSES all [quick]

reads train.svm, test.svm, split.json; writes result.json, prediction.txt.

svm-grid's own grid, log2 C -5, -3 .. 15 and log2 gamma 3, 1 .. -15, 5 folds (regression: each with a tube of 0.05 and
0.2 deviations of the target). Up to 1500 training rows: on all of them. Above: on a stratified sample of 1500, then the
best 9 points on 4000 rows, then the best 3 on 12000 (3 folds), and the winner on all rows. A point that takes more than
8 seconds of processor time on 1500 rows of up to 20 values is given up, with all greater C beside it; the note says how many.
Standard library only, so that peak memory is that of svm-train.
"""
import concurrent.futures
import random
import re
import resource
import shutil
import subprocess

import peer

GRID_C, GRID_G, TUBES = range(-5, 16, 2), range(3, -16, -2), (0.05, 0.2)
STAGES = [(1500, 5, None), (4000, 5, 9), (12000, 3, 3)]  # rows, folds, points that come this far
FEWER = {"mnist": 4000}  # the largest sample to tune on
LIMIT = 8  # seconds of a point on 1500 rows or fewer; grows with the square of the rows and the values of a row


def sample(lines, rows, classes):
    """`rows` of the lines, each class with its share (at least one row)."""
    if rows >= len(lines):
        return lines
    rng = random.Random(1)
    groups = {}
    for line in lines:
        groups.setdefault(line.split(None, 1)[0] if classes else "", []).append(line)
    taken = [line for group in groups.values()
             for line in rng.sample(group, min(len(group), max(1, round(rows * len(group) / len(lines)))))]
    rng.shuffle(taken)
    return taken


def svm_train(classes, point, *more, limit=None):
    """Standard output of svm-train at a point (C, gamma, tube), None when it took too long."""
    c, g, tube = point
    kind = [] if classes else ["-s", "3", "-p", str(tube)]
    done = subprocess.run(["svm-train", "-q", "-m", "1000", "-c", str(2.0 ** c), "-g", str(2.0 ** g), *kind,
                           *map(str, more)], capture_output=True, text=True,
                          preexec_fn=limit and (lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))))
    if done.returncode == 0:
        return done.stdout
    if limit and done.returncode < 0:
        return None
    raise RuntimeError(f"svm-train: exit {done.returncode}\n{done.stderr}")


def cross_validate(classes, point, folds, path, limit):
    """Share of wrong labels or mean squared error held out; None: took too long."""
    out = svm_train(classes, point, "-v", folds, path, limit=limit)
    if out is None:
        return None
    if classes:
        return 1 - float(re.search(r"Accuracy = ([\d.]+)%", out).group(1)) / 100
    value = float(re.search(r"squared error = (\S+)", out).group(1))
    return value if value == value else None


def line_of(classes, points, folds, path, limit):
    """{point: error} for points that differ in C only, small C first: what is too slow stays so with greater C."""
    found = {}
    for point in sorted(points):
        value = cross_validate(classes, point, folds, path, limit)
        if value is None:
            break
        found[point] = value
    return found


def stage(folder, lines, classes, points, rows, folds, pool):
    """{point: error} on a sample; points given up are not there."""
    path = folder / "sample.svm"
    part = sample(lines, rows, classes)
    path.write_text("".join(part))
    columns = {}
    for c, g, tube in points:
        columns.setdefault((g, tube), []).append((c, g, tube))
    width = sum(line.count(":") for line in part) / len(part)
    limit = round(LIMIT * max(1, len(part) / 1500) ** 2 * max(1, width / 20))
    found = {}
    for errors in pool.map(lambda column: line_of(classes, column, folds, path, limit), columns.values()):
        found.update(errors)
    return found


def tune(folder, lines, classes, largest, processes, quick):
    """The best point, and what was done, as text."""
    step = 3 if quick else 1
    points = [(c, g, tube) for c in GRID_C[::step] for g in GRID_G[::step] for tube in ((0,) if classes else TUBES)]
    done, cut, log = 0, 0, []
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        for rows, folds, keep in STAGES:
            rows = min(rows, len(lines))
            if rows == done or rows > largest:
                break
            points = points[:keep]
            errors = stage(folder, lines, classes, points, rows, folds, pool)
            cut += len(points) - len(errors)
            if not errors:
                break
            log.append(f"{len(points)} on {rows}")
            # Ties: the smoother machine, that is smaller gamma, then smaller C.
            points = sorted(errors, key=lambda p: (errors[p], p[1], p[0]))
            done, value = rows, errors[points[0]]
    c, g, tube = points[0]
    chosen = f"C=2^{c} gamma=2^{g}" + ("" if classes else f" p={tube}") + f" cv={value:.5g}"
    return points[0], chosen, "points: " + ", ".join(log) + (f"; {cut} given up" if cut else "")


def main():
    folder, processes, _, quick = peer.arguments()
    if not shutil.which("svm-train"):
        peer.absent("svm-train (libsvm-tools)")
    about = peer.about(folder)
    classes = about["task"] == "classes"
    lines = (folder / "train.svm").read_text().splitlines(keepends=True)
    point, chosen, note = tune(folder, lines, classes, FEWER.get(about["set"], len(lines)), processes, quick)
    del lines
    svm_train(classes, point, folder / "train.svm", folder / "svm.model")
    predict = ["svm-predict", "-q", folder / "test.svm", folder / "svm.model", folder / "prediction.txt"]
    peer.finish(folder, lambda: subprocess.run(predict, check=True) and None,
                "C-SVC rbf" if classes else "epsilon-SVR rbf", chosen, note)


if __name__ == "__main__":
    main()
