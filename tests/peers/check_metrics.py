"""the metrics of `nysel test` equal scikit-learn's"""
import numpy as np
from sklearn import metrics

import peer


def classes(tool, results, name, X, labels):
    X, labels, T, truth = peer.split(X, labels, min(len(labels) // 2, 500), seed=5)
    weight = np.random.RandomState(6).uniform(0, 2, len(truth))
    tool.write("train.csv", X, labels)
    tool.write("test.csv", T, truth, w=weight)
    record = tool.train("train.csv")
    known = record["data"]["classes"]
    out = tool.predict("test.csv", "--proba")
    P = np.column_stack([out[f"p_{k}"] for k in known])
    predicted = np.array(out["prediction"])
    results.close(f"{name}: probabilities sum to 1", P.sum(1), np.ones(len(P)), 1e-12)
    results.check(f"{name}: the likeliest class is predicted", [known[k] for k in P.argmax(1)] == list(predicted))
    code = np.array([known.index(k) for k in truth])
    for v in (None, weight):
        report = tool.test("test.csv", *([] if v is None else ["--weight-column", "w"]))
        ours, said = report["metrics"], f"{name}{'' if v is None else ', weighted'}"
        results.close(f"{said}: error", ours["error"],
                      1 - metrics.accuracy_score(truth, predicted, sample_weight=v), 1e-12)
        results.close(f"{said}: balanced accuracy", ours["balanced_accuracy"],
                      metrics.balanced_accuracy_score(truth, predicted, sample_weight=v), 1e-12)
        if len(known) == 2:
            auc = metrics.roc_auc_score(code, P[:, 1], sample_weight=v)
        else:  # scikit-learn has no weights for several classes: the mean of one against the rest
            auc = np.mean([metrics.roc_auc_score(code == k, P[:, k], sample_weight=v) for k in range(len(known))])
        results.close(f"{said}: AUC", ours["auc"], auc, 1e-12)
        results.close(f"{said}: log loss", ours["log_loss"],
                      metrics.log_loss(code, P, labels=range(len(known)), sample_weight=v, eps=1e-15), 1e-9)
    results.check(f"{name}: confusion", np.array_equal(report["confusion"]["counts"],
                  metrics.confusion_matrix(truth, predicted, labels=report["confusion"]["labels"])))


def regression(tool, results, name, X, y):
    X, y, T, truth = peer.split(X, y, len(y) // 2, seed=5)
    weight = np.random.RandomState(6).uniform(0, 2, len(truth))
    tool.write("train.csv", X, y)
    tool.write("test.csv", T, truth, w=weight)
    tool.train("train.csv", "--task", "regression")
    f = tool.values("test.csv")
    for v in (None, weight):
        ours = tool.test("test.csv", *([] if v is None else ["--weight-column", "w"]))["metrics"]
        said = f"{name}{'' if v is None else ', weighted'}"
        mse = metrics.mean_squared_error(truth, f, sample_weight=v)
        results.close(f"{said}: MSE", ours["mse"], mse, 1e-12)
        results.close(f"{said}: RMSE", ours["rmse"], mse ** 0.5, 1e-12)
        results.close(f"{said}: MAE", ours["mae"], metrics.mean_absolute_error(truth, f, sample_weight=v), 1e-12)
        results.close(f"{said}: R2", ours["r2"], metrics.r2_score(truth, f, sample_weight=v), 1e-12)


def run(tool, results):
    for name in ("breast_cancer", "digits", "wine", "pima_diabetes", "satimage"):
        found = peer.labelled(name)
        if found:
            classes(tool, results, name, *found)
    for name, X, y in peer.regressions("housing"):
        regression(tool, results, name, X, y)
