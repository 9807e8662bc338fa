"""files are read to the same numbers as numpy and scikit-learn read them, bit by bit"""
import gzip

import numpy as np
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

import peer

# With a kernel width far below all distances the kernel matrix is I: every row becomes a landmark, unscaled and so as
# it was read, and beta = y C / (1 + C).
SEE_ROWS = ["--machine", "krr", "--task", "regression", "--scale", "none", *peer.RBF, "--bandwidth", "1e-9", "--C", "1",
            *peer.EXACT]


def numbers(n, d, seed):
    """Texts of numbers in every notation: 1 to 25 digits, exponents, signs, no digit before the point."""
    rng = np.random.RandomState(seed)

    def one():
        digits = "".join(map(str, rng.randint(0, 10, rng.randint(1, 26))))
        point = rng.randint(0, len(digits) + 1)
        text = rng.choice(["", "-", "+"]) + (digits[:point] + "." + digits[point:] if point < len(digits) else digits)
        if abs(float(text)) > 1e6 or rng.rand() < 0.3:
            text += rng.choice(["e", "E"]) + str(rng.randint(-12, -6) if len(digits) > 6 else rng.randint(-6, 6))
        return text

    return [[one() for _ in range(d)] for _ in range(n)]


def rows_seen(tool):
    """The landmarks as a dense array and beta, in one order."""
    model = tool.model()
    if "landmarks" in model:
        Z = model["landmarks"]
    else:
        Z = np.zeros((len(model["landmarks_ptr"]) - 1, model["meta"]["schema"]["inputs"]))
        for i in range(len(Z)):
            at = slice(*model["landmarks_ptr"][i:i + 2])
            Z[i, model["landmarks_idx"][at]] = model["landmarks_val"][at]
    return Z, model["beta"][0]


def same_rows(tool, results, name, file, X, y, *options):
    tool.train(file, *SEE_ROWS, *options)
    Z, beta = rows_seen(tool)
    if Z.shape != X.shape:
        return results.check(name, False, f"{Z.shape} instead of {X.shape}")
    mine, theirs = np.lexsort(Z.T), np.lexsort(X.T)
    results.check(f"{name}: every input bit by bit", np.array_equal(Z[mine], X[theirs]),
                  f"{np.sum(Z[mine] != X[theirs])} of {X.size} differ")
    results.close(f"{name}: targets", 2 * beta[mine], y[theirs], 1e-12)


def texts(tool, results):
    rows = numbers(200, 6, seed=7)
    X = np.array([[float(v) for v in row] for row in rows])
    for name, file, separator in (("comma", "a.csv", ","), ("semicolon", "b.csv", ";"), ("tab", "c.tsv", "\t")):
        lines = [separator.join([f"x{j}" for j in range(5)] + ["target"])] + [separator.join(row) for row in rows]
        (tool.folder / file).write_text("\n".join(lines) + "\n")
        loaded = np.loadtxt(tool.folder / file, delimiter=separator, skiprows=1)
        assert np.array_equal(loaded, X), "numpy and Python read the numbers differently"
        same_rows(tool, results, name, file, loaded[:, :-1], loaded[:, -1])
    quoted = "\r\n".join(",".join(f'"{v}"' for v in row) for row in rows) + "\r\n"
    with gzip.open(tool.folder / "d.csv.gz", "wt", newline="") as file:
        file.write(quoted)
    same_rows(tool, results, "quoted, CRLF, gzip, no header", "d.csv.gz", X[:, :-1], X[:, -1])
    same_rows(tool, results, "target in the second column", "a.csv", np.delete(X, 1, 1), X[:, 1], "--target", 2)


def others(tool, results):
    rng = np.random.RandomState(8)
    X = rng.normal(size=(150, 7)) * 10.0 ** rng.randint(-3, 4, (150, 7))
    y = rng.normal(size=150)
    np.save(tool.folder / "a.npy", np.column_stack([X, y]))
    same_rows(tool, results, "npy", "a.npy", X, y)
    np.save(tool.folder / "f.npy", np.asfortranarray(np.column_stack([X, y]).astype(np.float32)))
    same_rows(tool, results, "npy, float32, Fortran order", "f.npy", X.astype(np.float32).astype(float),
              y.astype(np.float32).astype(float))
    X[rng.rand(*X.shape) < 0.6] = 0
    X[:, 0] = np.arange(150) + 0.5  # no two rows the same
    dump_svmlight_file(X, y, str(tool.folder / "a.svm"), zero_based=False)
    S, t = load_svmlight_file(str(tool.folder / "a.svm"), n_features=7)
    same_rows(tool, results, "libsvm text", "a.svm", S.toarray(), t)


def categories(tool, results):
    rng = np.random.RandomState(9)
    color, x = rng.choice(["red", "green", "blue"], 60), rng.normal(size=60)
    lines = ["color,x,target"] + [f"{c},{float(v)!r},{i}" for i, (c, v) in enumerate(zip(color, x))]
    (tool.folder / "cat.csv").write_text("\n".join(lines) + "\n")
    tool.train("cat.csv", *SEE_ROWS)
    levels = tool.model()["meta"]["schema"]["columns"][0]["levels"]
    results.check("categories: the levels", sorted(levels) == ["blue", "green", "red"], levels)
    X = np.column_stack([color[:, None] == np.array(levels)[None, :], x])
    same_rows(tool, results, "categories: one column each", "cat.csv", X, np.arange(60.0))


def real(tool, results):
    for name in ("housing", "concrete", "cpusmall"):
        found = peer.read_real(name)
        if found:
            X, at = np.unique(found[0], axis=0, return_index=True)
            X, y = X[:600], found[1][at].astype(float)[:600]
            tool.write("real.csv", X, y)
            same_rows(tool, results, name, "real.csv", X, y)


def run(tool, results):
    texts(tool, results)
    others(tool, results)
    categories(tool, results)
    real(tool, results)
