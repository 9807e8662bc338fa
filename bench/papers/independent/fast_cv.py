"""Liu et al. 2018 in numpy (KRR: all five criteria over the paper's grid) and with LIBSVM as scikit-learn has it (SVM:
5-fold cross-validation of the exact hinge, with a bias, over the same grid). Splits, inputs and grid as in ../liu.py.
`best`: the least test error that any point of the grid has."""
import numpy as np

import common
import krr
import liu
from lines import row

SIGMAS = 2.0 ** np.arange(-7.5, 7.75, 0.5)
LAMBDAS = 2.0 ** np.arange(-15, 16, 2)
SVM_SETS = ["ionosphere", "diabetes"]  # where nysel's figures are not the paper's


def arrays(train, test):
    """Inputs in [-1, 1] by the training rows, targets."""
    A, B = np.array(train, float), np.array(test, float)
    low, high = A[:, :-1].min(0), A[:, :-1].max(0)
    width = np.where(high > low, high - low, 1)
    return [2 * (M[:, :-1] - low) / width - 1 for M in (A, B)] + [A[:, -1], B[:, -1]]


def krr_split(train, test, seed, unit):
    """{way: (test error at the point chosen, least test error of the grid)}."""
    X, Z, y, target = arrays(train, test)
    rng, n = np.random.RandomState(1000 + seed), len(y)
    folds = {5: krr.folds_of(n, 5, rng), 10: krr.folds_of(n, 10, rng)}
    columns = rng.permutation(n)[:max(round(0.1 * n), 2)]
    D, DZ = krr.squared_distances(X, X), krr.squared_distances(Z, X)
    best, least = {way: (np.inf, None) for way in liu.CRITERIA}, np.inf
    for sigma in SIGMAS:
        K, KZ = krr.rbf(D, sigma), krr.rbf(DZ, sigma)
        machine, V = krr.Decomposed(K, y), krr.nystrom(K, columns)
        for mu in LAMBDAS:
            error = np.mean((KZ @ machine.coefficients(mu) - target) ** 2) / unit
            least = min(least, error)
            outputs = {"ELOO": machine.left_out(mu)}
            for t in (5, 10):
                outputs[f"{t}-CV"] = machine.held_out(mu, folds[t])
                outputs[f"{t}-FBIF"] = machine.influence(mu, folds[t], V)
            for way, f in outputs.items():
                best[way] = min(best[way], (np.mean((f - y) ** 2), error), key=lambda pair: pair[0])
    return {way: (error, least) for way, (_, error) in best.items()}


def svm_split(train, test, seed):
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC
    X, Z, y, target = arrays([r[:-1] + [0] for r in train], [r[:-1] + [0] for r in test])
    y, target = np.array([r[-1] for r in train]), np.array([r[-1] for r in test])
    D, DZ = krr.squared_distances(X, X), krr.squared_distances(Z, X)
    parts = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))
    best, least = (np.inf, None), np.inf
    for sigma in SIGMAS:
        K, KZ = krr.rbf(D, sigma), krr.rbf(DZ, sigma)
        for C in 1 / (2 * LAMBDAS):
            wrong = sum(np.sum(SVC(C=C, kernel="precomputed").fit(K[np.ix_(a, a)], y[a]).predict(K[np.ix_(b, a)])
                               != y[b]) for a, b in parts)
            error = 100 * np.mean(SVC(C=C, kernel="precomputed").fit(K, y).predict(KZ) != target)
            least = min(least, error)
            best = min(best, (wrong, error), key=lambda pair: pair[0])
    return {"5-CV": (best[1], least)}


def run_set(name, count):
    header, rows = liu.read(name)
    n = round(0.7 * len(rows))
    found = []
    for seed in range(count):
        train, test = common.random_split(rows, seed, n)
        found.append(svm_split(train, test, seed) if name in liu.SVM else
                     krr_split(train, test, seed, liu.SETS[name][1]))
    program = "LIBSVM" if name in liu.SVM else "numpy"
    lines = []
    for way in liu.CRITERIA:
        mine = [f[way if way in f else "5-CV"] for f in found]
        lines.append(row(name, n, liu.printed(name, way), program, [a for a, _ in mine], best=[b for _, b in mine],
                         note="5-fold CV" if way not in found[0] else ""))
    return lines


SETS = {name: 8 for name in [*SVM_SETS, "pyrim", "triazines", "bodyfat", "mpg", "housing"]} | {"abalone": 1}
