"""What the checks share: running nysel, writing data, the data sets, comparing."""
import csv
import gzip
import json
import os
import pathlib
import subprocess

import numpy as np
import sklearn.datasets

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = pathlib.Path(os.environ.get("NYSEL_DATA") or ROOT.parent / "shared" / "data")


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, good, detail=""):
        self.passed += bool(good)
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}{'' if good and not detail else ': ' + str(detail)}", flush=True)

    def close(self, name, ours, theirs, tolerance):
        """max |ours - theirs| <= tolerance * max |theirs|"""
        ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
        if ours.shape != theirs.shape:
            return self.check(name, False, f"shapes {ours.shape} and {theirs.shape}")
        distance = np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-300)
        self.check(name, distance <= tolerance, f"{distance:.1e} (at most {tolerance:.0e})")

    def skip(self, name, why):
        print(f"skip {name}: {why}", flush=True)


class Nysel:
    """The tool, with a folder for its files."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, pathlib.Path(folder)

    def run(self, *arguments):
        done = subprocess.run([self.binary, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"nysel {' '.join(map(str, arguments))}: exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def train(self, data, *options):
        """The record of the training; the model is m.nysel."""
        self.run("train", data, "-o", "m.nysel", "--json", "m.json", "--quiet", *options)
        return json.loads((self.folder / "m.json").read_text())

    def predict(self, data, *options):
        """Columns of the predictions by name; numbers where all are numbers. No other program limits the inputs."""
        self.run("predict", "m.nysel", data, "-o", "out.csv", "--quiet", "--outside", "keep", *options)
        with open(self.folder / "out.csv", newline="") as file:
            header, *rows = csv.reader(file)
        columns = dict(zip(header, zip(*rows)))
        return {k: np.array(v, float) if k != "prediction" else list(v) for k, v in columns.items()}

    def values(self, data):
        return np.array(self.predict(data)["prediction"], float)

    def scores(self, data):
        """rows x outputs"""
        columns = self.predict(data, "--scores")
        return np.column_stack([v for k, v in columns.items() if k.startswith("score_")])

    def test(self, data, *options):
        return json.loads(self.run("test", "m.nysel", data, "--json", "-", "--quiet", "--outside", "keep", *options))

    def model(self):
        """The arrays of the model file, and its meta.json as `meta`."""
        with np.load(self.folder / "m.nysel") as file:
            model = {name: file[name] for name in file.files}
        model["meta"] = json.loads(bytes(model.pop("meta.json")))
        return model

    def write(self, name, X, y=None, **columns):
        """A CSV with x1 .., further columns, target; numbers so that they are read back bit by bit."""
        parts = [[repr(float(v)) for v in column] for column in np.asarray(X).T]
        parts += [[repr(float(v)) for v in column] for column in columns.values()]
        header = [f"x{j + 1}" for j in range(np.asarray(X).shape[1])] + list(columns)
        if y is not None:
            parts.append([v if isinstance(v, str) else repr(float(v)) for v in np.asarray(y).tolist()])
            header.append("target")
        with open(self.folder / name, "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(header)
            out.writerows(zip(*parts))
        return name


def read_real(name):
    """X, y (texts) of a set of NYSEL_DATA; None when it is not there."""
    dense, sparse = DATA / f"{name}.csv.gz", DATA / f"{name}.svm.gz"
    if dense.exists():
        with gzip.open(dense, "rt", newline="") as file:
            rows = [row for row in csv.reader(file) if row][1:]
        return np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])
    if sparse.exists():
        with gzip.open(sparse, "rb") as file:
            X, y = sklearn.datasets.load_svmlight_file(file)
        return X.toarray(), np.array([f"{v:g}" for v in y])
    return None


def regressions(*names):
    """(name, X, y): scikit-learn's diabetes always, real sets when they are there."""
    X, y = sklearn.datasets.load_diabetes(return_X_y=True, scaled=False)
    yield "diabetes", X, y
    for name in names:
        found = read_real(name)
        if found:
            yield name, found[0], found[1].astype(float)


def labelled(name):
    """X, class names: breast_cancer, digits, wine of scikit-learn, or a real set."""
    loader = getattr(sklearn.datasets, "load_" + name, None)
    if not loader:
        return read_real(name)
    bunch = loader()
    return bunch.data, np.array([str(bunch.target_names[k]) for k in bunch.target])


def split(X, y, train, seed=0):
    """The first `train` rows of a random order, and the rest."""
    order = np.random.RandomState(seed).permutation(len(y))
    a, b = order[:train], order[train:]
    return X[a], y[a], X[b], y[b]


def hinge(y, f):
    return np.maximum(0, 1 - y * f)


def two_classes(name, rows):
    """X, y = -1, +1, or None: the two first classes of a set, and at most so many of its rows."""
    found = labelled(name)
    if not found:
        return None
    X, labels = found
    first, second = sorted(set(labels))[:2]
    keep = (labels == first) | (labels == second)
    X, y = X[keep], np.where(labels[keep] == second, 1.0, -1.0)
    X, y, _, _ = split(X, y, min(rows, len(y)))
    return X, y


def two_class_sets(results, names, rows):
    for name in names:
        found = two_classes(name, rows)
        if found:
            yield name, *found
        else:
            results.skip(name, f"not in {DATA}")


def code_matrix(method, classes):
    """classes x outputs of -1, 0, +1"""
    k = np.arange(classes)
    if method == "ova":
        return np.where(np.eye(classes) > 0, 1.0, -1.0)
    if method == "moc":
        return np.where(k[:, None] >> np.arange((classes - 1).bit_length()) & 1, 1.0, -1.0)
    a, b = np.triu_indices(classes, 1)
    return (k[:, None] == b).astype(float) - (k[:, None] == a)


def decode(F, M, decoding):
    """Class numbers by the fewest wrong signs, ties by the loss, or by the least squared loss."""
    part = M != 0
    wrong = ((np.where(F > 0, 1, -1)[:, None, :] != M) & part).sum(2)
    loss = ((1 - M * F[:, None, :]) ** 2 * part).sum(2)
    if decoding == "hamming":
        loss = np.where(wrong == wrong.min(1, keepdims=True), loss, np.inf)
    return loss.argmin(1)


def standardise(X, *others):
    mean, sd = X.mean(0), X.std(0)
    sd[sd == 0] = np.inf
    return [(A - mean) / sd for A in (X, *others)]


def kernel(name, A, B, bandwidth, degree=3, coef0=1):
    """kappa(A, B) by scikit-learn's own functions."""
    from sklearn.gaussian_process.kernels import Matern
    from sklearn.metrics import pairwise
    if name == "rbf":
        return pairwise.rbf_kernel(A, B, gamma=1 / (2 * bandwidth ** 2))
    if name == "linear":
        return pairwise.linear_kernel(A, B)
    if name == "poly":
        return pairwise.polynomial_kernel(A, B, degree=degree, gamma=1 / bandwidth ** 2, coef0=coef0)
    if name == "powexp1":
        return pairwise.laplacian_kernel(A, B, gamma=1 / bandwidth)
    if name == "powexp15":
        return np.exp(-sum(abs(a[:, None] - b[None]) ** 1.5 for a, b in zip(A.T, B.T)) / bandwidth ** 1.5)
    return Matern(length_scale=bandwidth, nu={"laplace": 0.5, "matern32": 1.5, "matern52": 2.5}[name])(A, B)


KERNELS = ["rbf", "linear", "poly", "laplace", "matern32", "matern52", "powexp1", "powexp15"]
EXACT = ["--landmarks", "all", "--rank-tol", "1e-15", "--search", "none"]
RBF = ["--kernel", "rbf"]
