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


def classes(train, test):
    """Inputs in [-1, 1], targets -1 and 1."""
    X, Z, _, _ = arrays([r[:-1] + [0] for r in train], [r[:-1] + [0] for r in test])
    first = min(r[-1] for r in train)
    return X, Z, *(np.array([1.0 if r[-1] == first else -1.0 for r in part]) for part in (train, test))


def chosen(found):
    """{way: (test error at the least value, least test error)} of {way: [(value, test error)] of the points}."""
    return {way: (min(pairs, key=lambda p: p[0])[1], min(error for _, error in pairs)) for way, pairs in found.items()}


def fbif_split(train, test, seed):
    """5-FBIF and 10-FBIF of the rounded hinge."""
    X, Z, y, target = classes(train, test)
    D, DZ = krr.squared_distances(X, X), krr.squared_distances(Z, X)
    rng, n = np.random.RandomState(1000 + seed), len(y)
    folds, columns = {t: krr.folds_of(n, t, rng) for t in (5, 10)}, rng.permutation(n)[:max(round(0.1 * n), 2)]
    found = {"5-FBIF": [], "10-FBIF": []}
    for sigma in SIGMAS:
        K, KZ = krr.rbf(D, sigma), krr.rbf(DZ, sigma)
        V, alpha = krr.nystrom(K, columns), np.zeros(n)
        for lam in LAMBDAS[::-1]:
            alpha, f = hinge.train(K, y, lam, alpha)
            error = 100 * np.mean((KZ @ alpha > 0) != (target > 0))
            for t in (5, 10):
                found[f"{t}-FBIF"].append((hinge.loss(y * hinge.influence(K, V, y, f, lam, folds[t])).sum(), error))
    return chosen(found)


def libsvm_split(train, test, seed):
    """5-fold cross-validation of the exact hinge with a bias."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC
    X, Z, y, target = classes(train, test)
    D, DZ = krr.squared_distances(X, X), krr.squared_distances(Z, X)
    parts = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))
    found = []
    for sigma in SIGMAS:
        K, KZ = krr.rbf(D, sigma), krr.rbf(DZ, sigma)
        for lam in LAMBDAS[::-1]:
            wrong = sum(np.sum(SVC(C=1 / (2 * lam), kernel="precomputed").fit(K[np.ix_(a, a)], y[a])
                               .predict(K[np.ix_(b, a)]) != y[b]) for a, b in parts)
            machine = SVC(C=1 / (2 * lam), kernel="precomputed").fit(K, y)
            found.append((wrong, 100 * np.mean(machine.predict(KZ) != target)))
    return chosen({"5-CV": found})


def run_set(name, count):
    """SVM: FBIF on every split, LIBSVM, which takes minutes for one, on the first few."""
    header, rows = liu.read(name)
    n = round(0.7 * len(rows))

    def splits(one, most):
        return [one(*common.random_split(rows, seed, n), seed) for seed in range(min(most, count))]
    if name in liu.SVM:
        by = {"numpy": splits(fbif_split, count), "LIBSVM": splits(libsvm_split, LIBSVM[name])}
    else:
        by = {"numpy": splits(lambda *split: krr_split(*split, liu.SETS[name][1]), count)}
    lines = []
    for way in liu.CRITERIA:
        program = "LIBSVM" if name in liu.SVM and "FBIF" not in way else "numpy"
        mine = [f[way if way in f else "5-CV"] for f in by[program]]
        lines.append(row(name, n, liu.printed(name, way), program, [a for a, _ in mine], best=[b for _, b in mine],
                         note="5-fold CV" if way not in by[program][0] else ""))
    return lines


LIBSVM = {"ionosphere": 4, "breast-cancer": 2, "diabetes": 2}
SETS = {name: 8 for name in ["pyrim", "triazines", "bodyfat", "mpg", "housing", *LIBSVM]}
