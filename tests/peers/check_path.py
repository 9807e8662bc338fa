"""the regularization path of the l2-SVM is optimal where it is looked at, by active sets in numpy"""
import json

import numpy as np
import scipy.linalg

import peer

SETS = ("breast_cancer", "raetsch_german", "raetsch_banana", "raetsch_image", "pima_diabetes", "raetsch_heart")
OPTIONS = [*peer.RBF, "--landmarks", "all", "--rank-tol", "1e-15", "--radius-margin"]
LOOKS = 20


def objective(K, y, lam, a, b):
    """sum of squared slacks + lambda/2 |w|^2, w = sum a_i phi(x_i); and the outputs"""
    f = K @ a + b
    return (peer.hinge(y, f) ** 2).sum() + lam / 2 * a @ (f - b), f


def least_squares(K, y, lam, E):
    """a, b of (K_E + lambda/2) a + b = y, sum a = 0, and the matrix."""
    A = np.ones((E.sum() + 1, E.sum() + 1))
    A[:-1, :-1] = K[np.ix_(E, E)] + lam / 2 * np.eye(E.sum())
    A[-1, -1] = 0
    x = scipy.linalg.solve(A, np.append(y[E], 0))
    a = np.zeros(len(y))
    a[E] = x[:-1]
    return a, x[-1], A


def solve(K, y, lam, a, b):
    """The machine from a, b on: least squares on the rows inside the margin, steps halved until the objective falls."""
    J, f = objective(K, y, lam, a, b)
    for _ in range(200):
        E = y * f < 1
        to, bias, _ = least_squares(K, y, lam, E)
        t = 1.0
        while t > 1e-9:
            there = (1 - t) * a + t * to, (1 - t) * b + t * bias
            value, outputs = objective(K, y, lam, *there)
            if value <= J:
                break
            t /= 2
        else:
            break
        (a, b), J, f = there, value, outputs
        if t == 1 and np.array_equal(E, y * f < 1):
            break
    return a, b, J, f


def ball(K, lam):
    """Bounds on the squared radius of the smallest ball under K + lambda/2, by steps between two rows."""
    K = K + lam / 2 * np.eye(len(K))
    diagonal = K.diagonal()
    beta = np.full(len(K), 1 / len(K))
    Kb = K @ beta
    for _ in range(20000):
        d, centre = diagonal - 2 * Kb, beta @ Kb
        p, q = d.argmax(), np.where(beta > 0, d, np.inf).argmin()
        least, most = beta @ diagonal - centre, d[p] + centre
        if most - least < 1e-7 * most:
            break
        t = min(beta[q], (d[p] - d[q]) / (2 * (K[p, p] + K[q, q] - 2 * K[p, q])))
        beta[p], beta[q] = beta[p] + t, beta[q] - t
        Kb += t * (K[p] - K[q])
    return least, most


def compare(tool, results, name, X, y):
    Z, = peer.standardise(X)
    n, bandwidth = len(y), round(Z.shape[1] ** 0.5 / 2, 3)
    tool.write("train.csv", X, np.where(y > 0, "+1", "-1"))
    rows = json.loads(tool.run("path", "train.csv", *OPTIONS, "--bandwidth", bandwidth, "--json", "-", "--quiet"))["rows"]
    K = peer.kernel("rbf", Z, Z, bandwidth)
    lam = np.array([row["lambda"] for row in rows])
    results.check(f"{name}: {len(rows)} rows, from all rows inside the margin down by halves at most",
                  rows[0]["active"] == n and lam[-1] == 1e-6 and np.all((lam[1:] < lam[:-1]) & (lam[1:] > 0.499 * lam[:-1])))
    kkt = max(row["kkt"] for row in rows)
    results.check(f"{name}: conditions hold everywhere", kkt < 1e-8, f"{kkt:.1e}")
    looks = sorted(np.random.RandomState(4).choice(len(rows), LOOKS, replace=False))
    a, b, at = np.zeros(n), 0.0, 0
    J, active, loo, bound = np.zeros((4, LOOKS))
    for k, row in enumerate(rows):  # the way down, so that each start is near
        if k % 3 and k not in looks:
            continue
        a, b, value, f = solve(K, y, lam[k], a, b)
        if k not in looks:
            continue
        E = y * f < 1
        _, _, A = least_squares(K, y, lam[k], E)
        held = f.copy()
        held[E] = y[E] - a[E] / np.linalg.inv(A).diagonal()[:-1]
        least, most = ball(K, lam[k])
        margin = 4 * (y * a).sum() / n
        J[at], active[at] = value / row["objective"] - 1, E.sum() - row["active"]
        loo[at] = n * abs(row["loo_error"] - np.mean(y * held <= 0)) - (np.abs(held) < 1e-6).sum()
        bound[at] = max(margin * least / row["radius_margin"] - 1, row["radius_margin"] / (margin * most) - 1)
        at += 1
    results.check(f"{name}: objective at {LOOKS} rows", np.abs(J).max() < 1e-8, f"{np.abs(J).max():.1e}")
    results.check(f"{name}: rows inside the margin", np.all(active == 0), active[active != 0])
    results.check(f"{name}: leave-one-out errors", loo.max() < 0.5, f"{max(loo.max(), 0):.0f} differ")
    results.check(f"{name}: radius-margin bound", bound.max() < 1e-6, f"{bound.max():.1e}")


def run(tool, results):
    for name, X, y in peer.two_class_sets(results, SETS, 300):
        compare(tool, results, name, X, y)
