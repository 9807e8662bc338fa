"""LS-SVM equals the bordered linear system solved by numpy"""
import itertools

import numpy as np

import peer


def machine(K, Y, C, v):
    """alpha (n x q), b (q) of [0 1'; 1 K + diag(1 / (C v))] [b; alpha] = [0; Y]; v are row weights."""
    n = len(Y)
    A = np.block([[np.zeros((1, 1)), np.ones((1, n))], [np.ones((n, 1)), K + np.diag(1 / (C * v))]])
    x = np.linalg.solve(A, np.vstack([np.zeros((1, Y.shape[1])), Y]))
    return x[1:], x[0]


def one_against_all(K, S, labels, known, C, v):
    Y = np.where(labels[:, None] == np.array(known)[None, :], 1.0, -1.0)
    if len(known) == 2:
        Y = Y[:, 1:]
    alpha, b = machine(K, Y, C, v)
    return S @ alpha + b


def one_against_one(K, S, labels, known, C, v):
    columns = []
    for a, b in itertools.combinations(known, 2):
        rows = np.flatnonzero((labels == a) | (labels == b))
        Y = np.where(labels[rows] == b, 1.0, -1.0)[:, None]
        alpha, bias = machine(K[np.ix_(rows, rows)], Y, C, v[rows])
        columns.append(S[:, rows] @ alpha + bias)
    return np.hstack(columns)


def decide(F, known):
    return [known[k] for k in ((F[:, 0] > 0).astype(int) if len(known) == 2 else F.argmax(1))]


def minimum_output(K, S, labels, known, C, v):
    alpha, b = machine(K, peer.code_matrix("moc", len(known))[[known.index(k) for k in labels]], C, v)
    return S @ alpha + b


def decodings(tool, results, name, options, K, Q, labels, known, C):
    """Every coding, decoded by Hamming distance and by loss."""
    for method, outputs in (("ova", one_against_all), ("ovo", one_against_one), ("moc", minimum_output)):
        F, M = outputs(K, Q, labels, known, C, np.ones(len(labels))), peer.code_matrix(method, len(known))
        for decoding in ("hamming", "loss"):
            tool.train("train.csv", *options, "--multiclass", method, "--decoding", decoding)
            results.close(f"{name}, {method} {decoding}: outputs", tool.scores("test.csv"), F, 1e-6)
            results.check(f"{name}, {method} {decoding}: labels", tool.predict("test.csv")["prediction"]
                          == [known[k] for k in peer.decode(F, M, decoding)])


def classes(tool, results, name, X, labels):
    X, labels, T, _ = peer.split(X, labels, 400)
    T = T[:300]
    Z, S = peer.standardise(X, T)
    known = sorted(set(labels), key=lambda s: (float(s) if s.lstrip("+-").replace(".", "").isdigit() else 0, s))
    tool.write("train.csv", X, labels)
    tool.write("test.csv", T)
    bandwidth, C, ones = 0.8 * Z.shape[1] ** 0.5, 3.0, np.ones(len(labels))
    task = ["--task", "binary" if len(known) == 2 else "multiclass"]
    for kernel in ("rbf", "poly", "matern52"):
        K, Q = peer.kernel(kernel, Z, Z, bandwidth), peer.kernel(kernel, S, Z, bandwidth)
        options = [*task, *peer.EXACT, "--kernel", kernel, "--bandwidth", bandwidth, "--C", C]
        record = tool.train("train.csv", *options)
        F = one_against_all(K, Q, labels, known, C, ones)
        results.check(f"{name}: the classes", record["data"]["classes"] == known, record["data"]["classes"])
        results.close(f"{name}, {kernel}: outputs", tool.scores("test.csv"), F, 1e-6)
        results.check(f"{name}, {kernel}: labels", tool.predict("test.csv")["prediction"] == decide(F, known))
    K, Q = peer.kernel("rbf", Z, Z, bandwidth), peer.kernel("rbf", S, Z, bandwidth)
    options = [*task, *peer.EXACT, *peer.RBF, "--bandwidth", bandwidth, "--C", C]
    size = {k: np.sum(labels == k) for k in known}
    balanced = np.array([len(labels) / (len(known) * size[k]) for k in labels])
    tool.train("train.csv", *options, "--class-weight", "balanced")
    results.close(f"{name}: --class-weight balanced", tool.scores("test.csv"),
                  one_against_all(K, Q, labels, known, C, balanced), 1e-6)
    tool.train("train.csv", *options, "--class-weight", f"{known[0]}=2.5")
    results.close(f"{name}: --class-weight LABEL=W", tool.scores("test.csv"),
                  one_against_all(K, Q, labels, known, C, np.where(labels == known[0], 2.5, 1.0)), 1e-6)
    if len(known) > 2:
        tool.train("train.csv", *options, "--multiclass", "ovo")
        results.close(f"{name}: one against one", tool.scores("test.csv"),
                      one_against_one(K, Q, labels, known, C, ones), 1e-6)
        decodings(tool, results, name, options, K, Q, labels, known, C)


def regression(tool, results, name, X, y):
    X, y, T, t = peer.split(X, y, len(y) * 2 // 3)
    Z, S = peer.standardise(X, T)
    weight = np.random.RandomState(4).uniform(0.1, 3, len(y))
    weight[:5] = 0  # such rows are left out, of the scaling too
    Z, S = peer.standardise(X[5:], T)
    alpha, b = machine(peer.kernel("rbf", Z, Z, 4), y[5:, None], 10, weight[5:])
    tool.write("train.csv", X, y, w=weight)
    tool.write("test.csv", T, t)
    tool.train("train.csv", "--task", "regression", *peer.EXACT, *peer.RBF, "--bandwidth", 4, "--C",
               10, "--weight-column", "w")
    results.close(f"{name}: regression with row weights, some 0", tool.values("test.csv"),
                  (peer.kernel("rbf", S, Z, 4) @ alpha + b)[:, 0], 1e-6)


def run(tool, results):
    for name in ("breast_cancer", "digits", "optdigits", "satimage"):
        found = peer.labelled(name)
        if found:
            classes(tool, results, name, *found)
    for name, X, y in peer.regressions("housing", "concrete"):
        regression(tool, results, name, X, y)
