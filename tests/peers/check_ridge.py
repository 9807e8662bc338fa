"""kernel ridge regression equals scikit-learn's KernelRidge"""
import numpy as np
from sklearn.kernel_ridge import KernelRidge

import peer

# nysel's options and KernelRidge's arguments for the same machine
BUILT_IN = {
    "rbf": (["--bandwidth", 3], {"gamma": 1 / 18}),
    "linear": ([], {}),
    "poly": (["--bandwidth", 4, "--degree", 2, "--coef0", 0.5], {"gamma": 1 / 16, "degree": 2, "coef0": 0.5}),
}


def run(tool, results):
    for name, X, y in peer.regressions("housing", "concrete"):
        X, y, T, t = peer.split(X, y, min(len(y) * 2 // 3, 400))
        Z, S = peer.standardise(X, T)
        weight = np.random.RandomState(1).uniform(0.1, 3, len(y))
        tool.write("raw.csv", X, y)
        tool.write("raw_test.csv", T, t)
        tool.write("scaled.csv", Z, y)
        tool.write("scaled_test.csv", S, t)
        tool.write("weighted.csv", Z, y, w=weight)
        common = ["--machine", "krr", "--task", "regression", *peer.EXACT]
        for kernel, (options, arguments) in BUILT_IN.items():
            for C in (0.1, 20):
                peer_machine = KernelRidge(kernel=kernel, alpha=1 / C, **arguments)
                options_C = [*common, "--kernel", kernel, *options, "--C", C]
                theirs = peer_machine.fit(Z, y).predict(S)
                tool.train("scaled.csv", *options_C, "--scale", "none")
                results.close(f"{name}, {kernel}, C {C}, scaled before", tool.values("scaled_test.csv"), theirs, 1e-6)
                tool.train("raw.csv", *options_C, "--scale", "standard")
                results.close(f"{name}, {kernel}, C {C}, --scale standard", tool.values("raw_test.csv"), theirs, 1e-6)
                theirs = peer_machine.fit(Z, y, sample_weight=weight).predict(S)
                tool.train("weighted.csv", *options_C, "--scale", "none", "--weight-column", "w")
                results.close(f"{name}, {kernel}, C {C}, row weights", tool.values("scaled_test.csv"), theirs, 1e-6)
        for kernel in ("laplace", "matern32", "matern52", "powexp1", "powexp15"):
            machine = KernelRidge(kernel="precomputed", alpha=1 / 5).fit(peer.kernel(kernel, Z, Z, 2.5), y)
            tool.train("scaled.csv", *common, "--kernel", kernel, "--bandwidth", 2.5, "--C", 5, "--scale", "none")
            results.close(f"{name}, {kernel}, C 5", tool.values("scaled_test.csv"),
                          machine.predict(peer.kernel(kernel, S, Z, 2.5)), 1e-6)
        lo, hi = X.min(0), X.max(0)
        R, Q = (2 * (A - lo) / (hi - lo) - 1 for A in (X, T))
        tool.train("raw.csv", *common, *peer.RBF, "--bandwidth", 1.5, "--C", 5, "--scale", "range")
        results.close(f"{name}, --scale range", tool.values("raw_test.csv"),
                      KernelRidge(kernel="rbf", gamma=1 / 4.5, alpha=1 / 5).fit(R, y).predict(Q), 1e-6)
