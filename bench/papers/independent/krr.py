"""Kernel ridge regression and least squares SVM in numpy with exact and approximate cross-validation, from one
eigen-decomposition of the kernel matrix for every C: nothing of nysel's in it.

With K = Q diag(s) Q', mu = 1 / C and no bias: f = K (K + mu)^-1 y, H = Q diag(s / (s + mu)) Q'. A fold F left out:
y_F - f_F^(-F) = (I - H_FF)^-1 (y_F - f_F), exactly. Influence function (Liu et al. 2018, (6) and (11), with lambda = mu / n):
f_F + B_F / (1 - t), B = L^-1 [K_:F (y - f)_F / |F| - lambda f], L = lambda I + K / n; K in L only is replaced by the
Nystrom approximation V V' of c columns. The bias of an LS-SVM: its kernel matrix is centred by the rows trained on.
"""
import numpy as np


def squared_distances(X, Z):
    return np.maximum((X ** 2).sum(1)[:, None] + (Z ** 2).sum(1) - 2 * X @ Z.T, 0)


def rbf(D, sigma):
    return np.exp(-D / (2 * sigma ** 2))


def folds_of(n, t, rng):
    return np.array_split(rng.permutation(n), t)


class Decomposed:
    """K = Q diag(s) Q' and Q'y."""

    def __init__(self, K, y):
        self.K, self.y = K, y
        self.s, self.Q = np.linalg.eigh(K)
        self.s = np.maximum(self.s, 0)
        self.z = self.Q.T @ y

    def fitted(self, mu):
        return self.Q @ (self.s / (self.s + mu) * self.z)

    def coefficients(self, mu):
        return self.Q @ (self.z / (self.s + mu))

    def held_out(self, mu, folds):
        """Outputs of every row by the machine trained without its fold."""
        f, out = self.fitted(mu), np.empty_like(self.y)
        for F in folds:
            QF = self.Q[F]
            H = QF * (self.s / (self.s + mu)) @ QF.T
            out[F] = self.y[F] - np.linalg.solve(np.eye(len(F)) - H, self.y[F] - f[F])
        return out

    def left_out(self, mu):
        h = (self.Q ** 2 * (self.s / (self.s + mu))).sum(1)
        return self.y - (self.y - self.fitted(mu)) / (1 - h)

    def influence(self, mu, folds, V):
        """Outputs of every row without its fold, to first order; V V' stands for K in L alone."""
        n, t = len(self.y), len(folds)
        f, out = self.fitted(mu), np.empty_like(self.y)
        inner = np.linalg.inv(mu * np.eye(V.shape[1]) + V.T @ V)
        for F in folds:
            b = self.K[:, F] @ (self.y - f)[F] / len(F) - mu / n * f
            B = (b[F] - V[F] @ (inner @ (V.T @ b))) * n / mu
            out[F] = f[F] + B / (1 - t)
        return out


def nystrom(K, columns):
    """V with V V' = C W^+ C' for these columns."""
    W = K[np.ix_(columns, columns)]
    s, U = np.linalg.eigh(W)
    keep = s > 1e-10 * s[-1]
    return K[:, columns] @ (U[:, keep] / np.sqrt(s[keep]))
