#!/usr/bin/python3
"""Where debrabanter.py finds nysel below the paper: what more landmarks bring, and a landmark set and a bandwidth for
every binary machine as the paper has them.

    more_landmarks.py BINARY [--splits N] [--only NAME,...] [--quick] [--out FILE]

3 random splits of the paper's sizes. `shared`: one `nysel train`, its landmarks serve all outputs. `own`: one binary
`nysel train --kernel rbf` for every pair (votes decide, then margins) or every bit of the label less 1 (the paper's
codes; the least squared loss decides).
"""
import csv
import itertools
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
import debrabanter  # noqa: E402

np = common.need_numpy()
# name: training rows, test rows; [(coding, ways, landmarks of nysel train)]
SETS = {
    "satimage": (4435, 2000, [("ovo", "own", "330"), ("ovo", "shared", "grow"), ("moc", "own", "330"),
                              ("moc", "own", "2000")]),
    "pendigits": (7328, 3664, [("moc", "shared", "auto")]),
    "shuttle": (43500, 14500, [("ova", "shared", "auto"), ("moc", "shared", "auto")]),
    "covtype_part": (62000, 30000, [("", "shared", "2000")]),
}


def scores(args, header, train, test, positive, landmarks):
    """Outputs for the test rows of the machine that tells the labels of `positive` from the others of `train`."""
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        for name, rows in (("train", train), ("test", test)):
            common.write_rows(folder / f"{name}.csv", header,
                              [row[:-1] + ["p" if row[-1] in positive else "m"] for row in rows])
        common.train(args.binary, folder / "train.csv", folder / "m.nysel", "--kernel", "rbf", "--landmarks", landmarks)
        out = common.run([args.binary, "predict", folder / "m.nysel", folder / "test.csv", "--scores", "--quiet"]).out
        return np.array([float(row["score_1"]) for row in csv.DictReader(out.splitlines())])


def own_machines(args, header, train, test, coding, landmarks):
    """Percentage of right labels."""
    labels = sorted({row[-1] for row in train})
    total = np.zeros((len(labels), len(test)))
    if coding == "ovo":
        for i, j in itertools.combinations(range(len(labels)), 2):
            pair = [row for row in train if row[-1] in (labels[i], labels[j])]
            f = scores(args, header, pair, test, {labels[j]}, landmarks)
            margin = np.clip(f, -1, 1) / (2 * len(labels))
            total[j] += (f > 0) + margin
            total[i] += (f <= 0) - margin
    else:
        codes = [int(label) - 1 for label in labels]
        for bit in range(max(codes).bit_length()):
            ones = {label for label, code in zip(labels, codes) if code >> bit & 1}
            f = scores(args, header, train, test, ones, landmarks)
            for k, label in enumerate(labels):
                total[k] += f if label in ones else -f
    found = np.array(labels)[total.argmax(axis=0)]
    return 100 * np.mean([a == row[-1] for a, row in zip(found, test)])


def run_set(args, name):
    data = debrabanter.read(name)
    if not data:
        return []
    header, rows = data
    train, test, ways = SETS[name]
    splits = [lambda seed=seed: common.random_split(rows, seed, train, test) for seed in range(args.splits)]
    lines = []
    for coding, way, landmarks in ways:
        paper, seconds = debrabanter.paper_result(name, coding), ""
        if way == "own":
            values = [own_machines(args, header, *split(), coding, landmarks) for split in splits]
        else:
            options = ["--landmarks", landmarks, *(["--multiclass", coding] if coding else [])]
            trials = common.compare(args, header, splits, {way: options}, set())[way]
            values, landmarks = [100 * (1 - t.metrics["error"]) for t in trials], trials[0].record["landmarks"]
            seconds = f"{statistics.mean(t.seconds for t in trials):.3f}"
        mean, sd = common.mean_sd(values)
        lines.append({"set": name, "rows": train, "coding": coding, "way": way, "landmarks": landmarks,
                      "splits": len(values), "paper": paper[0], "paper_sd": paper[1], "nysel": f"{mean:.2f}",
                      "nysel_sd": common.text(sd, ".2g"), "seconds": seconds, "paper_seconds": paper[2]})
    return lines


def main():
    args = common.comparison_options(__doc__, "more_landmarks.csv", SETS, splits=3)
    common.run_sets(args, "accuracy in percent", lambda name: run_set(args, name))


main()
