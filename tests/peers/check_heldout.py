"""leave-one-out, v-fold and generalised cross-validation equal refits by scikit-learn and numpy"""
import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_predict

import peer


def mse(y, f, v=None):
    return np.average((y - f) ** 2, weights=v)


def lssvm(K, y, C):
    """alpha, b of [0 1'; 1 K + I/C] [b; alpha] = [0; y]"""
    n = len(y)
    A = np.block([[np.zeros((1, 1)), np.ones((1, n))], [np.ones((n, 1)), K + np.eye(n) / C]])
    x = np.linalg.solve(A, np.concatenate([[0], y]))
    return x[1:], x[0]


def ridge_sets(tool, results, name, X, y):
    X, y, _, _ = peer.split(X, y, 100)
    Z, = peer.standardise(X)
    v = np.random.RandomState(2).uniform(0.2, 2, len(y))
    folds = np.random.RandomState(3).randint(0, 10, len(y))
    folds[:10] = np.arange(10)
    (tool.folder / "folds.txt").write_text("\n".join(map(str, folds)) + "\n")
    tool.write("data.csv", Z, y)
    tool.write("weighted.csv", Z, y, w=v)
    common = ["--machine", "krr", "--task", "regression", "--scale", "none", *peer.EXACT]
    for kernel, options, arguments in (("rbf", ["--bandwidth", 3], {"gamma": 1 / 18}), ("linear", [], {})):
        machine = KernelRidge(kernel=kernel, alpha=1 / 8, **arguments)
        options = [*common, "--kernel", kernel, *options, "--C", 8]
        f = cross_val_predict(machine, Z, y, cv=LeaveOneOut())
        record = tool.train("data.csv", *options)
        results.close(f"{name}, {kernel}: leave-one-out MSE", record["criterion"]["value"], mse(y, f), 1e-8)
        results.close(f"{name}, {kernel}: leave-one-out RMSE", record["criterion"]["error"], mse(y, f) ** 0.5, 1e-8)
        error = (y - f) ** 2
        spread = error.std() / len(y) ** 0.5 / (2 * mse(y, f) ** 0.5)
        results.close(f"{name}, {kernel}: its standard error", record["criterion"]["stderr"], spread, 1e-6)
        f = [machine.fit(np.delete(Z, i, 0), np.delete(y, i), sample_weight=np.delete(v, i)).predict(Z[i:i + 1])[0]
             for i in range(len(y))]
        record = tool.train("weighted.csv", *options, "--weight-column", "w")
        results.close(f"{name}, {kernel}: weighted leave-one-out", record["criterion"]["value"], mse(y, f, v), 1e-8)
        f = cross_val_predict(machine, Z, y, cv=PredefinedSplit(folds))
        record = tool.train("data.csv", *options, "--fold-file", "folds.txt")
        results.close(f"{name}, {kernel}: folds of a file", record["criterion"]["value"], mse(y, f), 1e-8)
        K = peer.kernel(kernel, Z, Z, 3)
        H = np.linalg.solve(K + np.eye(len(y)) / 8, K)
        record = tool.train("data.csv", *options, "--criterion", "gcv")
        results.close(f"{name}, {kernel}: GCV", record["criterion"]["value"],
                      mse(y, H @ y) / (1 - np.trace(H) / len(y)) ** 2, 1e-8)


def many_C(tool, results):
    """All values of C from one decomposition: three folds and a linear kernel (large folds), rbf (small folds)."""
    name, X, y = next(peer.regressions())
    Z, = peer.standardise(X)
    folds = np.arange(len(y)) % 3
    (tool.folder / "folds.txt").write_text("\n".join(map(str, folds)) + "\n")
    tool.write("data.csv", Z, y)
    for kernel, options, arguments in (("linear", [], {}), ("rbf", ["--bandwidth", 4], {"gamma": 1 / 32})):
        record = tool.train("data.csv", "--machine", "krr", "--task", "regression", "--scale", "none", "--kernel",
                            kernel, "--landmarks", "all", "--rank-tol", "1e-15", "--search", "grid", *options, "--C",
                            "-6:6:1", "--fold-file", "folds.txt")
        ours = {round(np.log2(e["C"]), 6): e["value"] for e in record["evaluations"]}
        theirs = {c: mse(y, cross_val_predict(KernelRidge(kernel=kernel, alpha=2.0 ** -c, **arguments), Z, y,
                                              cv=PredefinedSplit(folds))) for c in range(-6, 7)}
        results.check(f"{name}, {kernel}: 13 values of C tried", sorted(ours) == sorted(theirs), len(ours))
        results.close(f"{name}, {kernel}: 3 folds, every C", [ours[c] for c in sorted(ours)],
                      [theirs[c] for c in sorted(theirs)], 1e-8)
        best = min(theirs, key=theirs.get)
        results.close(f"{name}, {kernel}: the best C", record["C"], 2.0 ** best, 1e-12)


def classes(tool, results):
    """LS-SVM, leave-one-out by refits of the bordered system."""
    for name, rows in (("breast_cancer", 120), ("digits", 150)):
        X, labels, _, _ = peer.split(*peer.labelled(name), rows)
        Z, = peer.standardise(X)
        known = sorted(set(labels))
        Y = np.where(labels[:, None] == np.array(known)[None, :], 1.0, -1.0)
        if len(known) == 2:
            Y = Y[:, 1:]
        bandwidth, C, n = Z.shape[1] ** 0.5, 4, len(labels)
        K = peer.kernel("rbf", Z, Z, bandwidth)
        F = np.empty_like(Y)
        for i in range(n):
            rest = np.arange(n) != i
            for j in range(Y.shape[1]):
                alpha, b = lssvm(K[np.ix_(rest, rest)], Y[rest, j], C)
                F[i, j] = K[i, rest] @ alpha + b
        tool.write("data.csv", Z, labels)
        record = tool.train("data.csv", "--task", "binary" if len(known) == 2 else "multiclass", "--scale", "none",
                            *peer.EXACT, *peer.RBF, "--bandwidth", bandwidth, "--C", C)
        decided = (F[:, 0] > 0).astype(int) if len(known) == 2 else F.argmax(1)
        wrong = np.mean([known[k] != label for k, label in zip(decided, labels)])
        results.close(f"{name}: LS-SVM leave-one-out value", record["criterion"]["value"], mse(Y, F), 1e-8)
        results.close(f"{name}: LS-SVM leave-one-out errors", record["criterion"]["error"], wrong, 1e-12)


def minimum_output(tool, results):
    """The held-out error of minimum output coding, by both decodings."""
    X, labels, _, _ = peer.split(*peer.labelled("digits"), 150)
    Z, = peer.standardise(X)
    known = sorted(set(labels))
    number = np.array([known.index(k) for k in labels])
    M = peer.code_matrix("moc", len(known))
    Y, bandwidth, C, n = M[number], Z.shape[1] ** 0.5, 4, len(labels)
    K = peer.kernel("rbf", Z, Z, bandwidth)
    F = np.empty_like(Y)
    for i in range(n):
        rest = np.arange(n) != i
        for j in range(Y.shape[1]):
            alpha, b = lssvm(K[np.ix_(rest, rest)], Y[rest, j], C)
            F[i, j] = K[i, rest] @ alpha + b
    tool.write("data.csv", Z, labels)
    for decoding in ("hamming", "loss"):
        record = tool.train("data.csv", "--task", "multiclass", "--scale", "none", *peer.EXACT, *peer.RBF,
                            "--bandwidth", bandwidth, "--C", C, "--multiclass", "moc", "--decoding", decoding)
        results.close(f"digits, moc {decoding}: leave-one-out value", record["criterion"]["value"], mse(Y, F), 1e-8)
        results.close(f"digits, moc {decoding}: leave-one-out errors", record["criterion"]["error"],
                      np.mean(peer.decode(F, M, decoding) != number), 1e-12)


def run(tool, results):
    for name, X, y in peer.regressions("housing"):
        ridge_sets(tool, results, name, X, y)
    many_C(tool, results)
    classes(tool, results)
    minimum_output(tool, results)
