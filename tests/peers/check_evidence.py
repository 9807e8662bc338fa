"""the evidence equals the marginal likelihood of scikit-learn's GaussianProcessRegressor, evidence-nystrom numpy's"""
import warnings

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

import peer

SHAPES = {"rbf": lambda s: RBF(s), "matern32": lambda s: Matern(s, nu=1.5), "matern52": lambda s: Matern(s, nu=2.5),
          "laplace": lambda s: Matern(s, nu=0.5)}


def level_3(level_2, n, parameters):
    return level_2 + 0.5 * np.log(max(parameters, 1)) + 0.5 * np.log(max(n - parameters, 1)) - np.log(4 * np.pi)


def process(kernel, bandwidth, mu, C, fixed="fixed"):
    return ConstantKernel(1 / mu, fixed) * SHAPES[kernel](bandwidth) + WhiteKernel(1 / (mu * C), fixed)


def by_the_paper(kernel, bandwidth, Z, landmarks, y, C):
    """Van Gestel 2002, eq. (7) with (13) and (14), dense: -log evidence of level 3, lssvm."""
    n, m = len(y), len(landmarks)
    K, W = peer.kernel(kernel, Z, landmarks, bandwidth), peer.kernel(kernel, landmarks, landmarks, bandwidth)
    value, U = np.linalg.eigh(W)
    G = K @ (U / np.sqrt(np.where(value > 1e-14 * value.sum(), value, np.inf)))  # Omega ~ G G'
    G, t = G - G.mean(0), y - y.mean()
    inverse = C * (np.eye(n) - C * G @ np.linalg.solve(np.eye(m) + C * G.T @ G, G.T))  # (13)
    centre = np.eye(m) - 1 / m
    large = n / m * np.linalg.eigvalsh(centre @ W @ centre)[1:]
    logdet = np.log(np.maximum(large, 0) + 1 / C).sum() - (n - m) * np.log(C)  # (14)
    level_2 = 0.5 * ((n - 1) * np.log(2 * np.pi * np.e * (t @ inverse @ t) / (n - 1)) + logdet + np.log(n))
    return level_3(level_2, n - 1, (C * large / (1 + C * large)).sum())


def nystrom(tool, results, name, Z, y):
    """The very landmarks that were drawn, the redundant ones too: --rank keeps them all in the model. What --rank-tol
    takes off the machine is worth less than 1e-4 nats."""
    tool.write("train.csv", Z, y)
    common = ["--task", "regression", "--scale", "none", "--search", "none", "--landmark-method", "uniform",
              "--criterion", "evidence-nystrom"]
    for kernel, bandwidth, m in (("rbf", 2.5, 60), ("rbf", 12, 60), ("rbf", 12, 150), ("matern52", 40, 100),
                                 ("poly", 4, 120), ("linear", None, 50)):
        for C in (0.5, 20):
            of = [*common, "--kernel", kernel, "--landmarks", m, "--C", C]
            of += ["--bandwidth", bandwidth] if bandwidth else []
            tool.train("train.csv", *of, "--rank", m)
            drawn = tool.model()["landmarks"]
            found = tool.train("train.csv", *of)
            kept = len(tool.model()["landmarks"])
            theirs = by_the_paper(kernel, bandwidth, Z, drawn, y, C)
            off = abs(found["criterion"]["value"] - theirs)
            results.check(f"{name}, {kernel} {bandwidth}, C {C}: {kept} of {m} landmarks are not redundant",
                          len(drawn) == m and off < 1e-4, f"{off:.1e} nats off")


def second(f, x, step=1e-3):
    return (f(x + step) - 2 * f(x) + f(x - step)) / step ** 2


def levels(tool, results, name, Z, y):
    """mu and zeta are where the density of the targets is largest, and their standard errors those of its curvature."""
    tool.write("train.csv", Z, y)
    n, t = len(y), y - y.mean()
    centre = np.eye(n) - 1 / n
    for kernel, bandwidth in (("linear", None), ("rbf", 1 if name == "sinc" else 2.5), ("rbf", 0.5 if name == "sinc" else 1)):
        K = centre @ peer.kernel(kernel, Z, Z, bandwidth) @ centre
        found = tool.train("train.csv", "--task", "regression", "--scale", "none", "--criterion", "evidence", *peer.EXACT,
                           "--kernel", kernel, *(["--bandwidth", bandwidth] if bandwidth else []))
        level = found["criterion"]["evidence"]
        value, U = np.linalg.eigh(K)
        value, z = np.maximum(value, 0), U.T @ t

        def minus_log_p(log_mu, log_zeta):
            variance = value * np.exp(-log_mu) + np.exp(-log_zeta)
            return 0.5 * (np.log(variance) + z ** 2 / variance).sum() + 0.5 * log_zeta  # not that of the constant

        u, v, h = np.log(level["mu"]), np.log(level["zeta"]), 1e-3
        slope = [(minus_log_p(u + h, v) - minus_log_p(u - h, v)) / (2 * h),
                 (minus_log_p(u, v + h) - minus_log_p(u, v - h)) / (2 * h)]
        true = [second(lambda x: minus_log_p(x, v), u) ** -0.5, second(lambda x: minus_log_p(u, x), v) ** -0.5]
        off = np.abs(slope) * true  # in standard errors; C is found to 1/64 of an octave
        results.check(f"{name}, {kernel} {bandwidth}: mu and zeta are the most probable", off.max() < 0.1, str(off))
        ratio = [true[0] / level["log_mu_stderr"], true[1] / level["log_zeta_stderr"]]
        near = 1.1 if kernel == "linear" else 2
        results.check(f"{name}, {kernel} {bandwidth}: the curvature over the standard errors of log mu, log zeta",
                      all(1 / near < r < near for r in ratio), f"{ratio[0]:.3f} {ratio[1]:.3f}")


def sinc(rows):
    """The curve of section 4.1 of the paper, its first input: most of 50 landmarks are redundant."""
    random = np.random.RandomState(5)
    x = random.uniform(-0.5, 0.5, rows)
    return (x / x.std())[:, None], np.sinc(2 * np.pi * x) + 0.1 * random.normal(size=rows)


def run(tool, results):
    nystrom(tool, results, "sinc", *sinc(200))
    levels(tool, results, "sinc", *sinc(200))
    for name, X, y in peer.regressions("housing", "concrete"):
        X, y, T, _ = peer.split(X, y, min(len(y) * 2 // 3, 300))
        Z, _ = peer.standardise(X, T)
        nystrom(tool, results, name, Z, y)
        levels(tool, results, name, Z, y)
        y = y - y.mean()
        n = len(y)
        tool.write("train.csv", Z, y)
        common = ["--machine", "krr", "--task", "regression", "--scale", "none", "--criterion", "evidence", *peer.EXACT]
        for kernel, shape in SHAPES.items():
            K = shape(2.5)(Z)
            for C in (0.5, 40, "auto"):
                found = tool.train("train.csv", *common, "--kernel", kernel, "--bandwidth", 2.5, "--C", C)
                C = found["C"]
                inverse = np.linalg.inv(K + np.eye(n) / C)
                mu = n / (y @ inverse @ y)
                gp = GaussianProcessRegressor(process(kernel, 2.5, mu, C), optimizer=None, alpha=0).fit(Z, y)
                theirs = level_3(-gp.log_marginal_likelihood(gp.kernel_.theta), n, n - np.trace(inverse) / C)
                results.close(f"{name}, {kernel}, C {C:.3g}", found["criterion"]["value"], theirs, 1e-8)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # its optimiser may stop at a bound
                free = GaussianProcessRegressor(
                    ConstantKernel(1 / mu, (1e-6 / mu, 1e6 / mu)) * shape(2.5).set_params(length_scale_bounds="fixed")
                    + WhiteKernel(1 / (mu * C), (1e-9 / (mu * C), 1e9 / (mu * C))), alpha=0).fit(Z, y)
            gain = free.log_marginal_likelihood_value_ - gp.log_marginal_likelihood(gp.kernel_.theta)
            results.check(f"{name}, {kernel}: its optimiser finds no better mu and C", gain < 1e-3, f"{gain:.1e}")
