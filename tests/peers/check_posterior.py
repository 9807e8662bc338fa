"""intervals have the variance of scikit-learn's GaussianProcessRegressor"""
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, RBF

import peer


def run(tool, results):
    for name, X, y in peer.regressions("housing", "concrete"):
        X, y, T, t = peer.split(X, y, min(len(y) * 2 // 3, 400))
        Z, S = peer.standardise(X, T)
        weight = np.random.RandomState(1).uniform(0.1, 3, len(y))
        tool.write("train.csv", Z, y)
        tool.write("weighted.csv", Z, y, w=weight)
        tool.write("test.csv", S, t)
        for kernel, theirs in (("rbf", RBF(3)), ("matern32", Matern(3, nu=1.5))):
            for data, v, more in (("train.csv", np.ones(len(y)), []), ("weighted.csv", weight, ["--weight-column", "w"])):
                C = 20
                tool.train(data, "--machine", "krr", "--task", "regression", *peer.EXACT, "--kernel", kernel,
                           "--bandwidth", 3, "--C", C, "--scale", "none", *more)
                out = tool.predict("test.csv", "--interval", 0.9)
                noise = float(out["noise_sd"][0]) ** 2  # the process has no other free number
                process = GaussianProcessRegressor(ConstantKernel(C * noise) * theirs, alpha=noise / v, optimizer=None)
                mean, sd = process.fit(Z, y).predict(S, return_std=True)
                said = f"{name}, {kernel}{', row weights' if more else ''}"
                results.close(f"{said}: mean", np.array(out["prediction"], float), mean, 1e-6)
                spread = float(tool.model().get("posterior_spread", [1])[0])  # what held-out errors show of the variance
                results.close(f"{said}: model_sd", np.array(out["model_sd"], float), np.sqrt(spread) * sd, 1e-6)
