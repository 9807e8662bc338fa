"""LS-SVM in numpy with the selections of Ding and Liao 2012: 5-fold cross-validation of the exact machine, and Algorithm 2
(Nystrom with c = 0.1 n columns, rank 0.5 c, of each fold's training rows), then the exact machine at the point found.
With the bias: alpha = (M K M + mu)^-1 M y, M = I - 11'/n, b = mean(y - K alpha). Splits and grid as in ../dingliao.py.
`numpy, loo`: the point of the least squared leave-one-out error of the exact machine, which is what nysel's default goes by.
`best`: the least test error that any point of the grid has.
"""
import numpy as np

import common
import dingliao
import krr
from lines import row

SIGMAS = 2.0 ** np.arange(7, -6, -1)
MUS = 2.0 ** np.arange(-15, 6, 2)


def centred(K):
    """Eigenvalues and eigenvectors of M K M."""
    centre = K.mean(0)
    s, Q = np.linalg.eigh(K - centre - centre[:, None] + centre.mean())
    return np.maximum(s, 0), Q


def left_out(K, y):
    """Mean squared leave-one-out error for every mu: residuals mu alpha over 1 - h, h = 1/n + diag(Q s / (s + mu) Q')."""
    s, Q = centred(K)
    z = Q.T @ (y - y.mean())
    return [np.mean((mu * (Q @ (z / (s + mu))) / (1 - 1 / len(y) - Q ** 2 @ (s / (s + mu)))) ** 2) for mu in MUS]


def exact(K, y):
    """[(alpha, b)] for every mu."""
    s, Q = centred(K)
    z = Q.T @ (y - y.mean())
    found = []
    for mu in MUS:
        alpha = Q @ (z / (s + mu))
        alpha -= alpha.mean()
        found.append((alpha, np.mean(y - K @ alpha)))
    return found


def algorithm1(K, y, rng):
    """Ding and Liao's Algorithm 1 for every mu, with b = 1'nu / 1'rho (their (9))."""
    n = len(y)
    c = max(round(0.1 * n), 2)
    k = max(c // 2, 1)
    columns = rng.permutation(n)[:c]
    s, U = np.linalg.eigh(K[np.ix_(columns, columns)])
    s, U = s[-k:], U[:, -k:]
    keep = s > 1e-12 * s[-1]
    V = K[:, columns] @ (U[:, keep] / np.sqrt(s[keep]))
    z = np.column_stack([np.ones(n), y])
    found = []
    for mu in MUS:
        u = (z - V @ np.linalg.solve(mu * np.eye(V.shape[1]) + V.T @ V, V.T @ z)) / mu
        b = u[:, 1].sum() / u[:, 0].sum()
        found.append((u[:, 1] - b * u[:, 0], b))
    return found


def one_split(train, test, seed):
    """{line: (test error at the point chosen, least of the grid)}."""
    A, B = np.array(train, float), np.array(test, float)
    mean, sd = A[:, :-1].mean(0), A[:, :-1].std(0)
    X, XT = ((M[:, :-1] - mean) / np.where(sd > 0, sd, 1) for M in (A, B))
    y, truth = A[:, -1], B[:, -1]
    y, truth = np.where(y > 0, 1.0, -1.0), truth > 0
    rng = np.random.RandomState(seed)
    D, DT, folds = krr.squared_distances(X, X), krr.squared_distances(XT, X), krr.folds_of(len(y), 5, rng)
    wrong = {"exact": [], "approximate": []}
    errors, squares = [], []
    for sigma in SIGMAS:
        K, KT = krr.rbf(D, sigma), krr.rbf(DT, sigma)
        errors += [100 * np.mean((KT @ a + b > 0) != truth) for a, b in exact(K, y)]
        squares += left_out(K, y)
        counts = {kind: np.zeros(len(MUS)) for kind in wrong}
        for F in folds:
            rest = np.setdiff1d(np.arange(len(y)), F)
            KF, KR = K[np.ix_(F, rest)], K[np.ix_(rest, rest)]
            for kind, machines in (("exact", exact(KR, y[rest])), ("approximate", algorithm1(KR, y[rest], rng))):
                counts[kind] += [np.sum((KF @ a + b > 0) != (y[F] > 0)) for a, b in machines]
        for kind in wrong:
            wrong[kind] += list(counts[kind])
    return {kind: (errors[int(np.argmin(values))], min(errors)) for kind, values in {**wrong, "loo": squares}.items()}


SETS = {"heart": 10, "twonorm": 10, "flare-solar": 5, "german": 5, "image": 3}


def run_set(name, count):
    _, rows = common.read_all("raetsch_" + name)
    n, test = dingliao.SETS[name][:2]
    found = [one_split(*split(), seed)
             for seed, split in enumerate(common.raetsch_splits(name, rows, n, test, count))]
    return [row(name, n, dingliao.printed(name, kind), way, [f[by][0] for f in found], best=[f[by][1] for f in found])
            for kind in ("exact", "approximate") for way, by in (("numpy", kind), ("numpy, loo", "loo"))]
