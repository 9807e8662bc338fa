"""penalised and missing biases equal those of scikit-learn's KernelRidge and of LIBLINEAR (-B)"""
import warnings

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import peer


def ridge(tool, results):
    """A bias of penalty rho is 1/rho more in every kernel value."""
    for name, X, y in peer.regressions("housing"):
        X, y, T, _ = peer.split(X, y, min(len(y) * 2 // 3, 300))
        Z, S = peer.standardise(X, T)
        tool.write("train.csv", Z, y)
        tool.write("test.csv", S)
        K, new = peer.kernel("rbf", Z, Z, 3), peer.kernel("rbf", S, Z, 3)
        for rho in (0.01, 1, 50, np.inf):
            bias = ["--bias", "none"] if np.isinf(rho) else ["--bias", "penalised", "--bias-penalty", rho]
            machine = KernelRidge(kernel="precomputed", alpha=1 / 5).fit(K + 1 / rho, y)
            tool.train("train.csv", "--task", "regression", *peer.EXACT, *peer.RBF, "--bandwidth", 3, "--C", 5,
                       "--scale", "none", *bias)
            results.close(f"{name}, KernelRidge, rho {rho}", tool.values("test.csv"), machine.predict(new + 1 / rho), 1e-6)


def liblinear(tool, results):
    """LIBLINEAR's bias is the weight of one more input of value B: rho = 1 / B^2. Its squared slacks count twice ours."""
    warnings.simplefilter("ignore")
    for name in ("breast_cancer", "pima_diabetes"):
        found = peer.two_classes(name, 400)
        if found is None:
            continue
        Z, = peer.standardise(found[0])
        y = found[1]
        tool.write("train.csv", Z, np.where(y > 0, "+1", "-1"))
        tool.write("test.csv", Z)
        for B in (1, 0.3, 0):
            bias = ["--bias", "penalised", "--bias-penalty", 1 / B ** 2] if B else ["--bias", "none"]
            common = {"tol": 1e-10, "max_iter": 1000000, "fit_intercept": B > 0, "intercept_scaling": B or 1}
            theirs = {"l2svm": LinearSVC(C=0.05, loss="squared_hinge", dual=False, **common),
                      "logistic": LogisticRegression(C=0.1, solver="liblinear", **common)}
            for machine, peer_machine in theirs.items():
                tool.train("train.csv", "--machine", machine, "--kernel", "linear", *peer.EXACT, "--C", 0.1, "--scale",
                           "none", "--task", "binary", *bias)
                results.close(f"{name}, LIBLINEAR {machine}, -B {B or -1}", tool.scores("test.csv")[:, 0],
                              peer_machine.fit(Z, y).decision_function(Z), 1e-4)


def run(tool, results):
    ridge(tool, results)
    liblinear(tool, results)
