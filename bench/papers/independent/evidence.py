"""Bayesian evidence of the LS-SVM (Van Gestel et al. 2002) in numpy and scipy: level 2 with (7), level 3 as in
docs/math.md, maximised over the bandwidth (or a scale for each input) and gamma; with all rows the exact eigenvalues, with
m of them (12) to (14) on the centred kernel matrix of the landmarks. Then the exact machine, as in the paper. Draws as in
../vangestel.py and ../vangestel_ard.py.
"""
import numpy as np
from scipy.optimize import minimize

import krr
import vangestel_ard
from lines import row


def negative_evidence(parameters, X, y, landmarks):
    """Minus log p(D | H) up to a constant; parameters: log scales (one, or one for each input), log gamma."""
    scales, gamma = np.exp(parameters[:-1]), np.exp(parameters[-1])
    U, n = X / scales, len(y)
    t = y - y.mean()
    if landmarks is None:
        K = np.exp(-krr.squared_distances(U, U) / 2)
        centre = K.mean(0)
        s, Q = np.linalg.eigh(K - centre - centre[:, None] + centre.mean())
        s = np.maximum(s, 0)
        z2 = (Q.T @ t) ** 2
        rest, quadratic = s[1:], np.sum(z2 / (s + 1 / gamma)) / 2
        ED = np.sum(z2 / (gamma * s + 1) ** 2) / 2
    else:
        W = np.exp(-krr.squared_distances(U[landmarks], U[landmarks]) / 2)
        C = np.exp(-krr.squared_distances(U, U[landmarks]) / 2)
        m = len(landmarks)
        centre = W.mean(0)
        w = np.maximum(np.linalg.eigvalsh(W - centre - centre[:, None] + centre.mean()), 0)
        rest = np.append(w[1:] * n / m, np.zeros(n - m))
        e, B = np.linalg.eigh(W)
        keep = e > 1e-10 * e[-1]
        V = C @ (B[:, keep] / np.sqrt(e[keep]))
        V -= V.mean(0)
        inner = np.linalg.solve(np.eye(V.shape[1]) / gamma + V.T @ V, V.T @ t)
        residual = t - V @ inner
        quadratic, ED = gamma * (t @ residual) / 2, residual @ residual / 2
    EW = max(quadratic - gamma * ED, 1e-300)
    effective = 1 + np.sum(gamma * rest / (1 + gamma * rest))
    mu, zeta = (effective - 1) / (2 * EW), (n - effective) / (2 * ED)
    return -0.5 * ((n - 1) * (np.log(mu) + np.log(zeta)) - np.log(effective - 1) - np.log(n - effective)
                   - np.sum(np.log(mu + zeta * rest)))


def maximised(X, y, landmarks, ard):
    d = X.shape[1] if ard else 1
    starts = [np.append(np.full(d, np.log(s)), np.log(30)) for s in (0.5, 2)]
    found = [minimize(negative_evidence, x, (X, y, landmarks), "Nelder-Mead",
                      options={"maxiter": 60 * (d + 1), "xatol": 1e-2, "fatol": 1e-3}) for x in starts]
    return min(found, key=lambda f: f.fun).x


def test_error(parameters, X, y, XT, target):
    scales, gamma = np.exp(parameters[:-1]), np.exp(parameters[-1])
    K = np.exp(-krr.squared_distances(X / scales, X / scales) / 2)
    centre = K.mean(0)
    alpha = np.linalg.solve(K - centre - centre[:, None] + centre.mean() + np.eye(len(y)) / gamma, y - y.mean())
    alpha -= alpha.mean()
    f = np.exp(-krr.squared_distances(XT / scales, X / scales) / 2) @ alpha + np.mean(y - K @ alpha)
    return np.mean((f - target) ** 2)


def one_draw(seed, way, landmarks, inputs):
    A, B = (np.array(part, float) for part in vangestel_ard.split(seed))
    mean, sd = A[:, :-1].mean(0), A[:, :-1].std(0)
    X, XT = (((M[:, :-1] - mean) / sd)[:, :inputs] for M in (A, B))
    rows = None if landmarks == "all" else np.random.RandomState(100 + seed).permutation(len(X))[:int(landmarks)]
    return test_error(maximised(X, A[:, -1], rows, way == "ard"), X, A[:, -1], XT, B[:, -1])


SETS = {"all": 10, "50": 10}


def run_set(name, count):
    """`selected`: the one input that matters, as when the others are dropped."""
    return [row(f"sinc, 3 inputs, {name}", 200, vangestel_ard.printed(name, way), "numpy",
                [one_draw(seed, way, name, 1 if way == "selected" else 3) for seed in range(count)])
            for way in ("isotropic", "ard", "selected")]
