"""Liu et al. 2018 in numpy (KRR: all five criteria over the paper's grid) and with LIBSVM as scikit-learn has it (SVM:
5-fold cross-validation of the exact hinge, with a bias, over the same grid; FBIF by hinge.py). Splits, inputs and grid as
in ../liu.py.
`best`: the least test error that any point of the grid has."""
import numpy as np

import common
import hinge
import krr
import liu
from lines import row

SIGMAS = 2.0 ** np.arange(-7.5, 7.75, 0.5)
LAMBDAS = 2.0 ** np.arange(-15, 16, 2)


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
    """{way: (test error at the point chosen, least test error of the grid)}."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC
    X, Z, _, _ = arrays([r[:-1] + [0] for r in train], [r[:-1] + [0] for r in test])
    first = min(r[-1] for r in train)
    y, target = (np.array([1.0 if r[-1] == first else -1.0 for r in part]) for part in (train, test))
    D, DZ = krr.squared_distances(X, X), krr.squared_distances(Z, X)
    parts = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))
    rng, n = np.random.RandomState(1000 + seed), len(y)
    folds, columns = {t: krr.folds_of(n, t, rng) for t in (5, 10)}, rng.permutation(n)[:max(round(0.1 * n), 2)]
    best, least = {way: (np.inf, None) for way in ("5-CV", "5-FBIF", "10-FBIF")}, {"CV": np.inf, "FBIF": np.inf}
    for sigma in SIGMAS:
        K, KZ = krr.rbf(D, sigma), krr.rbf(DZ, sigma)
        V, alpha = krr.nystrom(K, columns), np.zeros(n)
        for lam in LAMBDAS[::-1]:
            wrong = sum(np.sum(SVC(C=1 / (2 * lam), kernel="precomputed").fit(K[np.ix_(a, a)], y[a])
                               .predict(K[np.ix_(b, a)]) != y[b]) for a, b in parts)
            machine = SVC(C=1 / (2 * lam), kernel="precomputed").fit(K, y)
            found = {"5-CV": (wrong, 100 * np.mean(machine.predict(KZ) != target))}
            alpha, f = hinge.train(K, y, lam, alpha)
            for t in (5, 10):
                value = hinge.loss(y * hinge.influence(K, V, y, f, lam, folds[t])).sum()
                found[f"{t}-FBIF"] = (value, 100 * np.mean((KZ @ alpha > 0) != (target > 0)))
            for way, pair in found.items():
                best[way] = min(best[way], pair, key=lambda p: p[0])
                kind = "FBIF" if "FBIF" in way else "CV"
                least[kind] = min(least[kind], pair[1])
    return {way: (error, least["FBIF" if "FBIF" in way else "CV"]) for way, (_, error) in best.items()}


def run_set(name, count):
    header, rows = liu.read(name)
    n = round(0.7 * len(rows))
    found = []
    for seed in range(count):
        train, test = common.random_split(rows, seed, n)
        found.append(svm_split(train, test, seed) if name in liu.SVM else
                     krr_split(train, test, seed, liu.SETS[name][1]))
    lines = []
    for way in liu.CRITERIA:
        program = "LIBSVM" if name in liu.SVM and "FBIF" not in way else "numpy"
        mine = [f[way if way in f else "5-CV"] for f in found]
        lines.append(row(name, n, liu.printed(name, way), program, [a for a, _ in mine], best=[b for _, b in mine],
                         note="5-fold CV" if way not in found[0] else ""))
    return lines


SETS = {name: 8 for name in ["pyrim", "triazines", "bodyfat", "mpg", "housing"]} | {"ionosphere": 4, "breast-cancer": 2, "diabetes": 2}
