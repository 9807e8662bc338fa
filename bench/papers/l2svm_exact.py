"""The exact l2-SVM by Newton's method in numpy, nothing of nysel's in it: the yardstick of bonidal.py, table 2."""
import common

np = common.need_numpy()


def objectives(K, y, lambdas):
    """min over beta, b of J = sum max(0, 1 - y f)^2 + lambda / 2 beta' K beta, f = K beta + b, for falling lambdas.
    Newton's step from the rows E inside the margin: (K_EE + lambda / 2) beta_E + b = y_E, sum beta_E = 0; halved until
    J falls, and begun from the lambda before."""
    beta, b, found = np.zeros(len(y)), y.mean(), []
    Kbeta = np.zeros(len(y))
    for lam in lambdas:
        def J(Kv, v, c):
            return np.sum(np.maximum(0, 1 - y * (Kv + c)) ** 2) + lam / 2 * v @ Kv

        now = J(Kbeta, beta, b)
        for _ in range(200):
            E = np.flatnonzero(y * (Kbeta + b) < 1)
            A = np.ones((len(E) + 1, len(E) + 1))
            A[:-1, :-1] = K[np.ix_(E, E)] + lam / 2 * np.eye(len(E))
            A[-1, -1] = 0
            x = np.linalg.solve(A, np.append(y[E], 0))
            step = -beta
            step[E] += x[:-1]
            Kstep, cstep, t = K @ step, x[-1] - b, 1.0
            while t > 1e-8 and J(Kbeta + t * Kstep, beta + t * step, b + t * cstep) > now:
                t /= 2
            beta, Kbeta, b = beta + t * step, Kbeta + t * Kstep, b + t * cstep
            before, now = now, J(Kbeta, beta, b)
            if t == 1 and np.array_equal(E, np.flatnonzero(y * (Kbeta + b) < 1)) or now >= before * (1 - 1e-14):
                break
        found.append(now)
    return found
