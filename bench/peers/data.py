"""The sets, their splits, and the one numeric scaled pair of files that every peer reads.

prepare(folder, split) writes into the folder
    train.csv, test.csv      the rows as they are in the source: nysel reads these, scaling is its job
    train.npy, test.npy      inputs, float64: columns of numbers with mean 0 and deviation 1 on the training rows;
                             a column of categories as one 0/1 input for each level of the training rows, divided by the
                             root of the sum of their variances (nysel's coding but for the centring, which no distance
                             notices, and which would make LIBSVM's rows dense); a missing category is all zeros, a
                             missing number the mean; a constant column is 0. Pixels are only divided by 255
    train.y, test.y          one number for each row: number of the class, or the target standardised on training rows
    train.svm, test.svm      both in LIBSVM's format
    split.json               task, and what turns numbers into classes or targets again
"""
import collections
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

np = common.need_numpy()
MISSING = {"", "?", "NA", "nan"}
# task; how it is split: "supplied" (test set in a file of its own), "random", "first N" (training rows, the others are
# the test set), or N: that as split "file" and random splits of the same sizes; options that nysel needs
Set = collections.namedtuple("Set", "task how options", defaults=[()])
SETS = {
    "pima_diabetes": Set("classes", "random"),
    "housing": Set("numbers", "random"),
    "raetsch_banana": Set("classes", 400),
    "raetsch_image": Set("classes", 1300),
    "raetsch_german": Set("classes", 700),
    "spambase": Set("classes", "random"),
    "satimage": Set("classes", "supplied"),
    "pendigits": Set("classes", "supplied"),
    "magic04": Set("classes", "random"),
    "letter": Set("classes", "random"),
    "concrete": Set("numbers", "random"),
    "abalone": Set("numbers", "random"),
    "cpusmall": Set("numbers", "random"),
    "spirals": Set("classes", "random"),
    "friedman1": Set("numbers", "random"),
    "shuttle": Set("classes", "first 43500"),
    "adult": Set("classes", "supplied", ("--missing", "mean")),
    "mnist": Set("classes", "supplied", ("--scale", "none")),
}
PIXELS = {"mnist"}
Split = collections.namedtuple("Split", "set name task header train test")


# ---- generated sets --------------------------------------------------------------------------------------------------

def spirals(rows=2000, noise=0.12):
    """Two arms of one and three quarter turns, Gaussian noise on both coordinates."""
    rng = np.random.RandomState(7)
    t = np.sqrt(rng.uniform(0.02, 1, rows)) * 3.5 * math.pi
    side = np.where(np.arange(rows) % 2, 1, -1)
    X = np.c_[t * np.cos(t), t * np.sin(t)] / math.pi * side[:, None] + rng.normal(0, noise * 2, (rows, 2))
    return [f"x{j + 1}" for j in range(2)], X, side


def friedman1(rows=5000):
    """Friedman's first: 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + noise of variance 1, ten inputs."""
    rng = np.random.RandomState(7)
    X = rng.uniform(size=(rows, 10))
    y = 10 * np.sin(math.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return [f"x{j + 1}" for j in range(10)], X, y + rng.normal(size=rows)


GENERATED = {"spirals": spirals, "friedman1": friedman1}


def generated(name):
    header, X, y = GENERATED[name]()
    return header + ["target"], [[f"{v:.6g}" for v in x] + [f"{t:.6g}"] for x, t in zip(X, y)]


# ---- splits ----------------------------------------------------------------------------------------------------------

def read(name):
    """Header and rows of a set, None when it is not there."""
    if name in GENERATED:
        return generated(name)
    path = common.data_file(name)
    return common.read_rows(path) if path else None


def split_names(name, count):
    how = SETS[name].how
    seeds = [str(seed) for seed in range(1, count + 1)]
    if how == "random":
        return seeds
    return ["file"] + seeds if isinstance(how, int) else ["supplied"]


def parts_of(name, label, rows):
    """Training and test rows of one split, None where the test set is not there."""
    how = SETS[name].how
    if how == "supplied":
        test = common.data_file(name + ".t")
        return (rows, common.read_rows(test)[1]) if test else None
    if label in ("supplied", "file"):
        cut = int(str(how).removeprefix("first "))
        return rows[:cut], rows[cut:]
    return common.random_split(rows, int(label), None if how == "random" else how)


def splits(name, count, only=None):
    """Split by split: the one that was published or supplied, then `count` at random (seeds 1, 2 ..)."""
    found = read(name)
    if not found:
        return
    header, rows = found
    for label in split_names(name, count):
        parts = parts_of(name, label, rows) if not only or label in only else None
        if parts:
            yield Split(name, label, SETS[name].task, header, *parts)


# ---- numbers ---------------------------------------------------------------------------------------------------------

def numbers(texts):
    """The column as numbers, missing ones nan; None when it holds categories."""
    try:
        return np.array([math.nan if t in MISSING else float(t) for t in texts])
    except ValueError:
        return None


def column(train, test):
    """The inputs of one column, scaled, of both parts."""
    a = numbers(train)
    if a is not None:
        b, mean, sd = numbers(test), np.nanmean(a), np.nanstd(a)
        return [np.nan_to_num((v - mean) / (sd or math.inf), nan=0.0)[:, None] for v in (a, b)]
    levels = sorted(set(train) - MISSING)
    a, b = (np.array([[t == level for level in levels] for t in texts], float) for texts in (train, test))
    return [v / (math.sqrt(a.var(0).sum()) or 1) for v in (a, b)]


def inputs(split):
    train, test = (list(zip(*rows))[:-1] for rows in (split.train, split.test))
    if split.set in PIXELS:
        return [np.array(part, float).T / 255 for part in (train, test)]
    return [np.hstack(parts) for parts in zip(*(column(a, b) for a, b in zip(train, test)))]


def targets(split):
    """Targets of both parts as numbers, and the record that turns predictions back."""
    train, test = ([row[-1] for row in rows] for rows in (split.train, split.test))
    if split.task == "classes":
        names = sorted(set(train) | set(test))
        return [np.array([names.index(t) for t in part], float) for part in (train, test)], {"names": names}
    train, test = (np.array(part, float) for part in (train, test))
    return ([(part - train.mean()) / train.std() for part in (train, test)],
            {"mean": train.mean(), "sd": train.std()})


def write_libsvm(path, X, y):
    with open(path, "w") as file:
        for label, x in zip(y, X):
            file.write(f"{label:.10g}" + "".join(f" {j + 1}:{x[j]:.8g}" for j in np.flatnonzero(x)) + "\n")


def prepare(folder, split):
    common.write_rows(folder / "train.csv", split.header, split.train)
    common.write_rows(folder / "test.csv", split.header, split.test)
    y, back = targets(split)
    for part, X, t in zip(("train", "test"), inputs(split), y):
        np.save(folder / f"{part}.npy", np.ascontiguousarray(X))
        (folder / f"{part}.y").write_text("".join(f"{v:.10g}\n" for v in t))
        write_libsvm(folder / f"{part}.svm", X, t)
    (folder / "split.json").write_text(json.dumps({"set": split.set, "split": split.name, "task": split.task, **back}))
