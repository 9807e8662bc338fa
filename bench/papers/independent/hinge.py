"""SVM with the rounded hinge of Liu et al. 2018 in numpy, without bias as they write it, and its influence function (7), (11).

With lambda for their n lambda: min over alpha of sum V(y, f) + lambda alpha' K alpha, f = K alpha. At the minimum
2 lambda alpha = -V'(f): 0 beyond 1 + h, y / (2 lambda) below 1 - h, and for the rows S between them
(K_SS + 4 h lambda) alpha_S = (1 + h) y_S - K_SL alpha_L. Without fold F: f_F + B_F / (1 - t),
B = L^-1 [-K_:F V'_F n / |F| - 2 lambda f], L = 2 lambda I + K I_S / (2h), K in L alone of low rank.
"""
import numpy as np

H = 0.05


def loss(z):
    """V at the margin z = y f."""
    return np.where(z > 1 + H, 0, np.where(z < 1 - H, 1 - z, (1 + H - z) ** 2 / (4 * H)))


def slope(y, f):
    z = y * f
    return -y * np.clip((1 + H - z) / (2 * H), 0, 1)


def train(K, y, lam, alpha):
    """Newton steps from alpha, halved until the objective falls."""
    f = K @ alpha

    def objective(f, alpha):
        return loss(y * f).sum() + lam * alpha @ f
    for _ in range(40):
        z = y * f
        S, L = np.abs(1 - z) <= H, z < 1 - H
        new = np.zeros_like(alpha)
        new[L] = y[L] / (2 * lam)
        if S.any():
            right = (1 + H) * y[S] - K[np.ix_(S, L)] @ new[L]
            new[S] = np.linalg.solve(K[np.ix_(S, S)] + 4 * H * lam * np.eye(S.sum()), right)
        step = new - alpha
        fstep, t, now = K @ step, 1.0, objective(f, alpha)
        while t > 1e-4 and objective(f + t * fstep, alpha + t * step) > now - 1e-12 * abs(now):
            t /= 2
        if t <= 1e-4:
            break
        alpha, f = alpha + t * step, f + t * fstep
        if np.abs(t * fstep).max() < 1e-6:
            break
    return alpha, f


def influence(K, V, y, f, lam, folds):
    """Outputs of every row without its fold, to first order."""
    n, t, out = len(y), len(folds), np.empty_like(f)
    S = np.abs(1 - y * f) <= H
    VS = V * S[:, None]
    inner = np.linalg.inv(4 * H * lam * np.eye(V.shape[1]) + VS.T @ V)
    d = slope(y, f)
    for F in folds:
        b = -K[:, F] @ d[F] * n / len(F) - 2 * lam * f
        B = (b[F] - V[F] @ (inner @ (VS.T @ b))) / (2 * lam)
        out[F] = f[F] + B / (1 - t)
    return out
