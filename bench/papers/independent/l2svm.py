"""The l2-SVM of Bonidal et al. 2013 in numpy: exact kernel, Newton's method for falling lambdas (../l2svm_exact.py), the
leave-one-out errors predicted by spans (16): a row inside the margin counts where alpha_i / (A^-1)_ii >= 1. sigma is
the root mean squared distance from the centre, as in ../bonidal.py. Of equal counts the larger lambda. `best`: the least
test error that any lambda has.
"""
import numpy as np

import common
import krr
from lines import Printed, row

LAMBDAS = 2.0 ** np.arange(23, -21, -1)
# name: training and test rows, replications; table 4: error, deviation, seconds
SETS_PRINTED = {"twonorm": (400, 7000, 100, (2.68, 0.34, 0.9846)), "flare-solar": (666, 400, 100, (34.40, 1.99, 0.4521)),
                "german": (700, 300, 100, (23.76, 2.19, 2.2267)), "splice": (1000, 2175, 20, (11.67, 0.74, 4.7143)),
                "heart": (170, 100, 100, (17.30, 3.51, 0.5602))}
SETS = {"heart": 20, "twonorm": 10, "flare-solar": 10, "german": 10, "splice": 3}


def machine(K, y, lam, beta, b):
    """Rows inside the margin, coefficients (signed by the labels), bias: Newton steps until the set stays."""
    n = len(y)

    def objective(f, v):
        return np.sum(np.maximum(0, 1 - y * f) ** 2) + lam / 2 * v @ K @ v
    for _ in range(100):
        f = K @ beta + b
        E = np.flatnonzero(y * f < 1)
        A = np.ones((len(E) + 1, len(E) + 1))
        A[:-1, :-1] = K[np.ix_(E, E)] + lam / 2 * np.eye(len(E))
        A[-1, -1] = 0
        x = np.linalg.solve(A, np.append(y[E], 0))
        new = np.zeros(n)
        new[E] = x[:-1]
        t, now = 1.0, objective(f, beta)
        while t > 1e-6 and objective(f + t * (K @ (new - beta) + x[-1] - b), beta + t * (new - beta)) > now:
            t /= 2
        beta, b = beta + t * (new - beta), b + t * (x[-1] - b)
        if t == 1 and np.array_equal(E, np.flatnonzero(y * (K @ beta + b) < 1)):
            break
    return E, np.linalg.inv(A), beta, b


def one_split(train, test):
    A, B = np.array(train, float), np.array(test, float)
    mean, sd = A[:, :-1].mean(0), A[:, :-1].std(0)
    X, XT = ((M[:, :-1] - mean) / np.where(sd > 0, sd, 1) for M in (A, B))
    y, truth = np.where(A[:, -1] > 0, 1.0, -1.0), B[:, -1] > 0
    sigma = np.sqrt(np.mean((X ** 2).sum(1)))
    K, KT = krr.rbf(krr.squared_distances(X, X), sigma), krr.rbf(krr.squared_distances(XT, X), sigma)
    beta, b, best, least = np.zeros(len(y)), y.mean(), (np.inf, None), np.inf
    for lam in LAMBDAS:
        E, inverse, beta, b = machine(K, y, lam, beta, b)
        predicted = np.sum(y[E] * beta[E] / np.diag(inverse)[:-1] >= 1)
        error = 100 * np.mean((KT @ beta + b > 0) != truth)
        least, best = min(least, error), min(best, (predicted, error), key=lambda pair: pair[0])
    return best[1], least


def run_set(name, count):
    _, rows = common.read_all("raetsch_" + name)
    n, test, replications, (value, sd, seconds) = SETS_PRINTED[name]
    found = [one_split(*split()) for split in common.raetsch_splits(name, rows, n, test, count)]
    printed = Printed("4", "path", value, sd, replications, seconds)
    return [row(name, n, printed, "numpy", [a for a, _ in found], best=[b for _, b in found])]
