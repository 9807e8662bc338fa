"""machines of other losses equal SVC, SVR, LogisticRegression, svm-train and scipy"""
import re
import shutil
import subprocess
import warnings

import numpy as np
import scipy.linalg
import scipy.optimize
from sklearn.datasets import dump_svmlight_file
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, SVR

import peer

SHARP = [*peer.EXACT, *peer.RBF, "--scale", "standard", "--hinge", "exact"]
LOW_RANK = [*peer.RBF, "--landmarks", 50, "--search", "none", "--scale", "standard"]
NUMBERS = ["--task", "regression"]


def machine(tool, bandwidth, Z):
    """Landmarks, |w|^2 of each output, and the outputs (rows x outputs) of Z, from the model file alone."""
    model = tool.model()
    beta, landmarks = model["beta"].T, model["landmarks"]
    norm = np.einsum("ij,ik,kj->j", beta, peer.kernel("rbf", landmarks, landmarks, bandwidth), beta)
    return landmarks, norm, peer.kernel("rbf", Z, landmarks, bandwidth) @ beta + model["bias"]


def dual(theirs, y, epsilon, bandwidth):
    """The dual objective of an SVC or SVR, which no machine is below: sum y a - epsilon sum |a| - a'K a / 2."""
    a, S = theirs.dual_coef_[0], theirs.support_vectors_
    return y @ a - epsilon * np.abs(a).sum() - a @ peer.kernel("rbf", S, S, bandwidth) @ a / 2


def libsvm_objective(tool, Z, y, bandwidth, C):
    dump_svmlight_file(Z, y, str(tool.folder / "train.svm"), zero_based=False)
    command = ["svm-train", "-g", repr(0.5 / bandwidth ** 2), "-c", repr(C), "-e", "1e-6", "train.svm", "svm.model"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tool.folder, check=True)
    return -float(re.search(r"obj = (\S+),", done.stdout).group(1))


def compare_svc(tool, results, what, X, y, C, options=(), weight=None, **arguments):
    Z, = peer.standardise(X)
    bandwidth = Z.shape[1] ** 0.5
    tool.write("train.csv", X, np.where(y > 0, "+1", "-1"), **({} if weight is None else {"w": weight}))
    record = tool.train("train.csv", "--machine", "svm", *SHARP, "--bandwidth", bandwidth, "--C", C, *options)
    _, norm, f = machine(tool, bandwidth, Z)
    f = f[:, 0]
    theirs = SVC(C=C, gamma=0.5 / bandwidth ** 2, tol=1e-8, **arguments).fit(Z, y, sample_weight=weight)
    g = theirs.decision_function(Z)
    by_class = arguments.get("class_weight", {1: 1, -1: 1})
    # what the slack of each row costs, over C
    v = np.where(y > 0, by_class[1], by_class[-1]) * (1 if weight is None else weight)
    J = norm[0] / 2 + C * v @ peer.hinge(y, f)
    results.close(f"{what}: objective", J, dual(theirs, np.sign(theirs.dual_coef_[0]), 0, bandwidth), 1e-6)
    results.close(f"{what}: outputs", f, g, 1e-4)
    sure = np.abs(g) > 1e-4
    results.check(f"{what}: predictions", np.all((f[sure] > 0) == (g[sure] > 0)))
    if record.get("solver"):
        results.close(f"{what}: the objective reported", record["solver"]["objective"][0], J, 1e-6)
    if not options and not shutil.which("svm-train"):
        results.skip(what, "svm-train is not installed (make deps-peers)")
    elif not options:
        results.close(f"{what}: svm-train's obj", J, libsvm_objective(tool, Z, y, bandwidth, C), 1e-4)


def svm(tool, results):
    names = ("breast_cancer", "wine", "digits", "heart_scale", "ionosphere", "german.numer")
    for name, X, y in peer.two_class_sets(results, names, 300):
        weight = np.random.RandomState(4).uniform(0.2, 3, len(y))
        compare_svc(tool, results, f"{name}, svm, C 1", X, y, 1.0)
        compare_svc(tool, results, f"{name}, svm, C 30", X, y, 30.0)
        compare_svc(tool, results, f"{name}, svm, class weights", X, y, 2.0, ["--class-weight", "+1=3,-1=0.5"],
                    class_weight={1: 3, -1: 0.5})
        compare_svc(tool, results, f"{name}, svm, row weights", X, y, 2.0, ["--weight-column", "w"], weight)


def regressions(tool, *names):
    """(name, Z, y, bandwidth) with the rows in train.csv"""
    for name, X, y in peer.regressions(*names):
        X, y, _, _ = peer.split(X, y, min(len(y), 300))
        y = (y - y.mean()) / y.std()
        Z, = peer.standardise(X)
        tool.write("train.csv", X, y)
        yield name, Z, y, Z.shape[1] ** 0.5


def compare_svr(tool, results, what, Z, y, C, epsilon, bandwidth, *options):
    tool.train("train.csv", *NUMBERS, *SHARP, "--bandwidth", bandwidth, *options)
    _, norm, f = machine(tool, bandwidth, Z)
    theirs = SVR(C=C, epsilon=epsilon, gamma=0.5 / bandwidth ** 2, tol=1e-8).fit(Z, y)
    J = norm[0] / 2 + C * np.maximum(0, np.abs(y - f[:, 0]) - epsilon).sum()
    results.close(f"{what}: objective", J, dual(theirs, y[theirs.support_], epsilon, bandwidth), 1e-6)
    results.close(f"{what}: outputs", f[:, 0], theirs.predict(Z), 1e-4)


def quantiles(tool, results, name, Z, y, bandwidth):
    """Shares of rows below, but for rows that lie on the quantile; and a dual that comes up to the objective."""
    C = 5
    tool.train("train.csv", "--machine", "quantile", "--quantiles", "0.1,0.5,0.9", *NUMBERS, *SHARP, "--C", C,
               "--bandwidth", bandwidth)
    _, norm, f = machine(tool, bandwidth, Z)
    K, bias = peer.kernel("rbf", Z, Z, bandwidth), tool.model()["bias"]
    for j, p in enumerate((0.1, 0.5, 0.9)):
        e = y - f[:, j]
        on = np.abs(e) < 1e-4
        below, at = np.mean((e < 0) & ~on), np.mean(on)
        results.check(f"{name}, quantile {p}: share of rows below", below <= p <= below + at,
                      f"{below:.3f}, on it {at:.3f}")
        # Multipliers within their box give a lower bound; those of rows on the quantile reproduce f, and the sum is 0.
        a = np.where(e > 0, C * p, C * (p - 1))
        a[on] = 0
        A, rest = np.vstack([K[:, on], np.full(on.sum(), 1e3)]), np.append(f[:, j] - bias[j] - K @ a, -1e3 * a.sum())
        a[on] = np.clip(scipy.linalg.lstsq(A, rest)[0], C * (p - 1), C * p)
        J = norm[j] / 2 + C * np.where(e > 0, p * e, (p - 1) * e).sum()
        gap = 1 - (a @ y - a @ K @ a / 2 - abs(a.sum() * bias[j])) / J
        results.check(f"{name}, quantile {p}: duality gap", -1e-9 <= gap <= 1e-6, f"{gap:.1e}")


def svr(tool, results):
    for name, Z, y, bandwidth in regressions(tool, "housing", "mpg"):
        for C in (1, 20):
            compare_svr(tool, results, f"{name}, svr, C {C}", Z, y, C, 0.1, bandwidth, "--machine", "svr",
                        "--epsilon", 0.1, "--C", C)
            compare_svr(tool, results, f"{name}, median, C {2 * C}", Z, y, C, 0, bandwidth, "--machine", "quantile",
                        "--C", 2 * C)  # its loss is |e| / 2
        quantiles(tool, results, name, Z, y, bandwidth)


def features(tool, bandwidth, Z):
    """G = L^-1 kappa(landmarks, x) for each row, and the model's output."""
    landmarks, _, f = machine(tool, bandwidth, Z)
    L = np.linalg.cholesky(peer.kernel("rbf", landmarks, landmarks, bandwidth))
    return scipy.linalg.solve_triangular(L, peer.kernel("rbf", landmarks, Z, bandwidth), lower=True).T, f[:, 0]


def minimise(G, C, loss):
    """Outputs at the minimum of 1/2 |w|^2 + C sum loss by scipy; loss: values and slopes of outputs."""
    def objective(x):
        value, slope = loss(G @ x[:-1] + x[-1])
        return x[:-1] @ x[:-1] / 2 + C * value.sum(), np.append(x[:-1] + C * G.T @ slope, C * slope.sum())

    options = {"maxiter": 20000, "maxfun": 50000, "maxcor": 60, "ftol": 1e-16, "gtol": 1e-9}
    x = scipy.optimize.minimize(objective, np.zeros(G.shape[1] + 1), jac=True, method="L-BFGS-B", options=options).x
    return G @ x[:-1] + x[-1]


def logistic(G, y, C):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its line search ends at rounding
        return LogisticRegression(C=C, tol=1e-10, solver="newton-cg", max_iter=1000).fit(G, y).decision_function(G)


def huber(y, f, delta):
    inside = np.clip(y - f, -delta, delta)
    return inside * (y - f - inside / 2), -inside


def smooth(tool, results):
    """logistic, l2svm and huber in the features of 50 landmarks."""
    for name, X, y in peer.two_class_sets(results, ("breast_cancer", "digits", "german.numer"), 400):
        Z, = peer.standardise(X)
        bandwidth = Z.shape[1] ** 0.5
        tool.write("train.csv", X, np.where(y > 0, "+1", "-1"))
        for C in (0.5, 20):
            tool.train("train.csv", "--machine", "logistic", *LOW_RANK, "--bandwidth", bandwidth, "--C", C)
            G, f = features(tool, bandwidth, Z)
            results.close(f"{name}, logistic, C {C}: outputs", f, logistic(G, y, C), 1e-5)
            tool.train("train.csv", "--machine", "l2svm", *LOW_RANK, "--bandwidth", bandwidth, "--C", C)
            G, f = features(tool, bandwidth, Z)
            theirs = minimise(G, C, lambda f: (peer.hinge(y, f) ** 2 / 2, -y * peer.hinge(y, f)))
            results.close(f"{name}, l2svm, C {C}: outputs", f, theirs, 1e-5)
    for name, Z, y, bandwidth in regressions(tool, "housing"):
        for C in (0.5, 20):
            tool.train("train.csv", "--machine", "huber", *NUMBERS, *LOW_RANK, "--delta", 0.3, "--bandwidth", bandwidth,
                       "--C", C)
            G, f = features(tool, bandwidth, Z)
            results.close(f"{name}, huber, C {C}: outputs", f, minimise(G, C, lambda f: huber(y, f, 0.3)), 1e-5)


def run(tool, results):
    svm(tool, results)
    svr(tool, results)
    smooth(tool, results)
