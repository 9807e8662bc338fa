"""the evidence equals the marginal likelihood of scikit-learn's GaussianProcessRegressor"""
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


def run(tool, results):
    for name, X, y in peer.regressions("housing", "concrete"):
        X, y, T, _ = peer.split(X, y, min(len(y) * 2 // 3, 300))
        Z, _ = peer.standardise(X, T)
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
