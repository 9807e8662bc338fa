"""low-rank machines equal numpy's from the same landmarks, and the model file is all that prediction needs"""
import numpy as np

import peer


def from_file(model, X):
    """f(x) = kappa((x - shift) factor, Z) beta' + b, from the arrays of the model file alone."""
    k = model["meta"]["kernel"]
    S = (X - model["scale_shift"]) * model["scale_factor"]
    K = peer.kernel(k["name"], S, model["landmarks"], k["bandwidth"], k["degree"], k["coef0"])
    return K @ model["beta"].T + model["bias"]


def features(W, rank):
    """T with G = T kappa(Z, X): D^-1/2 U' of the `rank` largest eigenvalues."""
    value, U = np.linalg.eigh(W)
    value, U = value[::-1][:rank], U[:, ::-1][:, :rank]
    return (U / np.sqrt(value)).T


def low_rank(G, H, Y, C):
    """Ridge with an unpenalised bias in the features G (r x n), outputs for the features H."""
    g, t = G.mean(1, keepdims=True), Y.mean(0)
    w = np.linalg.solve((G - g) @ (G - g).T + np.eye(len(G)) / C, (G - g) @ (Y - t))
    return (H - g).T @ w + t


def minimum_output(tool, results):
    """Labels of minimum output coding from the arrays and the decoding in the file, nothing else."""
    X, labels, T, _ = peer.split(*peer.labelled("digits"), 450)
    tool.write("train.csv", X, labels)
    tool.write("test.csv", T)
    for decoding in ("hamming", "loss"):
        tool.train("train.csv", *peer.RBF, "--landmarks", 60, "--multiclass", "moc", "--decoding", decoding)
        model, found = tool.model(), tool.predict("test.csv", "--proba")
        meta, M = model["meta"], peer.code_matrix(model["meta"]["multiclass"], len(model["meta"]["labels"]))
        k = peer.decode(from_file(model, T), M, meta["decoding"])
        results.check(f"digits, moc {decoding}: the file says so", meta["decoding"] == decoding, meta["decoding"])
        results.check(f"digits, moc {decoding}: labels from the file",
                      found["prediction"] == [meta["labels"][i] for i in k])
        p = np.column_stack([found["p_" + label] for label in meta["labels"]])
        results.check(f"digits, moc {decoding}: the largest probability", np.array_equal(p.argmax(1), k))


def run(tool, results):
    names = [name for name in ("digits", "breast_cancer", "satimage", "magic04") if peer.labelled(name)]
    for name in names:
        X, labels, T, _ = peer.split(*peer.labelled(name), 450)
        T = T[:200]
        tool.write("train.csv", X, labels)
        tool.write("test.csv", T)
        known = sorted(set(labels))
        Y = np.where(labels[:, None] == np.array(known)[None, :], 1.0, -1.0)
        Y = Y[:, 1:] if len(known) == 2 else Y
        for kernel in peer.KERNELS:
            record = tool.train("train.csv", "--kernel", kernel, "--landmarks", 60)
            model, ours = tool.model(), tool.scores("test.csv")
            results.close(f"{name}, {kernel}: outputs from the file", ours, from_file(model, T), 1e-9)
            results.check(f"{name}, {kernel}: at most the landmarks asked for",
                          model["landmarks"].shape[0] == record["landmarks"] <= 60, record["landmarks"])
        for method in ("rpcholesky", "uniform", "kmeans", "entropy"):
            bandwidth, C = X.shape[1] ** 0.5, 2.0
            options = [*peer.RBF, "--landmarks", 60, "--landmark-method", method, "--search", "none", "--bandwidth",
                       bandwidth, "--C", C]
            tool.train("train.csv", *options)
            model, ours = tool.model(), tool.scores("test.csv")
            Z = model["landmarks"]
            A, B = ((V - model["scale_shift"]) * model["scale_factor"] for V in (X, T))
            W, K, Q = (peer.kernel("rbf", Z, V, bandwidth) for V in (Z, A, B))
            P = features(W, len(Z))
            results.close(f"{name}, {method}: the ridge solution", ours, low_rank(P @ K, P @ Q, Y, C), 1e-6)
            inputs = {tuple(row) for row in np.round(A, 9)}
            if method != "kmeans":
                results.check(f"{name}, {method}: landmarks are distinct training rows",
                              len({tuple(z) for z in np.round(Z, 9)} & inputs) == len(Z))
            tool.train("train.csv", *options, "--rank", 25)
            model, ours = tool.model(), tool.scores("test.csv")
            Z = model["landmarks"]
            W, K, Q = (peer.kernel("rbf", Z, V, bandwidth) for V in (Z, A, B))
            P = features(W, 25)
            results.close(f"{name}, {method}: --rank 25", ours, low_rank(P @ K, P @ Q, Y, C), 1e-6)
    minimum_output(tool, results)
    X, y = next(peer.regressions())[1:]
    tool.write("train.csv", X, y)
    tool.train("train.csv", "--task", "regression")
    results.close("diabetes: all defaults, from the file", tool.values("train.csv"), from_file(tool.model(), X)[:, 0],
                  1e-9)
