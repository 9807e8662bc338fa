"""One method for many splits: table_peer.py METHOD, a folder on each line of standard input, a line of JSON for each.

The folder has split.npz: raw (numbers, categories as codes, nan where missing or new), categorical (which columns),
scaled (the coding of bench/peers/data.py: standardised numbers, missing ones the mean, categories as 0/1 inputs), hot
(the same unscaled), train_y (codes of classes, or numbers), how many training rows, and the task. prediction.npy is
left behind. Each split is one forked child that has imported nothing but its method: the line says its processor time
from the arrays to the trained machine, selection included, peak memory of the whole process, and what was chosen. One
thread everywhere. A method whose library is missing answers with an exit status of 77 before the first line.
"""
import json
import os
import pathlib
import resource
import signal
import sys
import traceback
import warnings

ABSENT = 77
TRIALS, FOLDS, TREES = 40, 5, 200


class Job:
    """The arrays of a split."""

    def __init__(self, folder):
        import numpy as np
        found = np.load(pathlib.Path(folder) / "split.npz")
        self.n, self.classes = int(found["n"]), bool(found["classes"])
        self.y = found["train_y"].astype(int) if self.classes else found["train_y"]
        self.categorical = found["categorical"]
        self.found = found

    def inputs(self, which):
        X = self.found[which]
        return X[:self.n], X[self.n:]

    def folds(self):
        """Five folds, classes in proportion where every one has five rows."""
        import numpy as np
        from sklearn.model_selection import KFold, StratifiedKFold
        even = self.classes and np.bincount(self.y).min() >= FOLDS
        return (StratifiedKFold if even else KFold)(FOLDS, shuffle=True, random_state=0)


def trained(model, job, which, chosen=""):
    X, T = job.inputs(which)
    model.fit(X, job.y)
    return lambda: model.predict(T), chosen


def searched(search, job, which):
    X, T = job.inputs(which)
    search.fit(X, job.y)
    shown = " ".join(f"{k.split('__')[-1]}={v:.3g}" for k, v in search.best_params_.items())
    return lambda: search.predict(T), shown


# ---- scikit-learn ----------------------------------------------------------------------------------------------------

def boosting(job, **more):
    """Its categories have at most 255 levels: a column with more goes in as numbers."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    import numpy as np
    X = job.found["raw"]
    few = np.array([c and np.nanmax(X[:, j], initial=0) < 255 for j, c in enumerate(job.categorical)], bool)
    return (HistGradientBoostingClassifier if job.classes else HistGradientBoostingRegressor)(
        categorical_features=few if few.any() else None, random_state=0, **more)


def histgb(job):
    return trained(boosting(job), job, "raw")


def histgb_tuned(job):
    """The default and 39 random points by 5-fold cross-validation."""
    import numpy as np
    from scipy.stats import loguniform
    from sklearn.model_selection import GridSearchCV, ParameterSampler
    whole = lambda low, high: type("Whole", (), {"rvs": lambda self, random_state=None: int(
        round(loguniform(low, high).rvs(random_state=random_state)))})()
    space = {"learning_rate": loguniform(0.01, 0.5), "max_iter": whole(30, 600), "max_leaf_nodes": whole(4, 128),
             "min_samples_leaf": whole(2, 100), "l2_regularization": loguniform(1e-6, 1e2),
             "max_features": [0.3, 0.6, 1.0], "max_bins": [63, 255]}
    model = boosting(job)
    known = model.get_params()  # of this version; few bins might be fewer than a category has levels
    space = {k: v for k, v in space.items() if k in known and (k != "max_bins" or not job.categorical.any())}
    drawn = ParameterSampler(space, TRIALS - 1, random_state=np.random.RandomState(0))
    points = [{k: [v] for k, v in p.items()} for p in ({k: known[k] for k in space}, *drawn)]
    return searched(GridSearchCV(model, points, cv=job.folds(), scoring=score(job)), job, "raw")


def score(job):
    return "accuracy" if job.classes else "neg_mean_squared_error"


def forest(job):
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    return trained((RandomForestClassifier if job.classes else RandomForestRegressor)(TREES, random_state=0), job, "hot")


def extratrees(job):
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
    return trained((ExtraTreesClassifier if job.classes else ExtraTreesRegressor)(TREES, random_state=0), job, "hot")


def svm_tuned(job):
    """SVC or SVR with the Gaussian kernel, scaled inputs and target, by a grid and 5-fold cross-validation."""
    import numpy as np
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.model_selection import GridSearchCV
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR
    d = max(len(job.categorical), 1)  # a column of categories has variance 1 like one of numbers
    C, gamma = np.logspace(-1, 3, 5), np.array([1 / 32, 1 / 8, 1 / 2, 2, 8]) / d
    if job.classes:
        model = SVC(max_iter=10 ** 6, cache_size=500)
        return searched(GridSearchCV(model, {"C": C, "gamma": gamma}, cv=job.folds()), job, "scaled")
    model = TransformedTargetRegressor(SVR(max_iter=10 ** 6, cache_size=500), transformer=StandardScaler())
    grid = {"regressor__C": C, "regressor__gamma": gamma, "regressor__epsilon": [0.02, 0.1, 0.3]}
    return searched(GridSearchCV(model, grid, cv=job.folds(), scoring=score(job)), job, "scaled")


def knn(job):
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    return trained((KNeighborsClassifier if job.classes else KNeighborsRegressor)(min(10, job.n)), job, "scaled")


def linear(job):
    """Ridge by leave-one-out, or logistic regression by 5-fold cross-validation."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.model_selection import GridSearchCV
    if not job.classes:
        return trained(RidgeCV(np.logspace(-4, 6, 21)), job, "scaled")
    model = LogisticRegression(max_iter=500)
    return searched(GridSearchCV(model, {"C": np.logspace(-3, 3, 7)}, cv=job.folds()), job, "scaled")


# ---- other boosted trees, with their defaults --------------------------------------------------------------------------

def lightgbm(job):
    from lightgbm import LGBMClassifier, LGBMRegressor
    import numpy as np
    model = (LGBMClassifier if job.classes else LGBMRegressor)(n_jobs=1, random_state=0, verbosity=-1)
    X, T = job.inputs("raw")
    model.fit(X, job.y, categorical_feature=[int(j) for j in np.flatnonzero(job.categorical)] or "auto")
    return lambda: model.predict(T), ""


def xgboost(job):
    """It gets 0/1 inputs for categories, and missing numbers as they are."""
    from xgboost import XGBClassifier, XGBRegressor
    return trained((XGBClassifier if job.classes else XGBRegressor)(n_jobs=1, random_state=0), job, "hot_missing")


def catboost(job):
    import numpy as np
    from catboost import CatBoostClassifier, CatBoostRegressor, Pool
    columns = [int(j) for j in np.flatnonzero(job.categorical)]

    def pool(X, y=None):
        rows = X.astype(object)
        for j in columns:
            rows[:, j] = [str(v) for v in X[:, j]]
        return Pool(rows if columns else X, y, cat_features=columns)

    X, T = job.inputs("raw")
    model = (CatBoostClassifier if job.classes else CatBoostRegressor)(thread_count=1, random_seed=0, verbose=False,
                                                                       allow_writing_files=False)
    model.fit(pool(X, job.y))
    return lambda: np.ravel(model.predict(pool(T))), ""


def xrfm(job):
    """Its README's way: one fifth held out to choose the round by; of eight settings (kernel, bandwidth, ridge) the best
    on those rows."""
    import numpy as np
    import torch
    from xrfm import xRFM
    torch.set_num_threads(1)
    X, T = (part.astype(np.float32) for part in job.inputs("scaled"))
    order = np.random.RandomState(0).permutation(job.n)
    hold, keep = order[:max(job.n // 5, 1)], order[max(job.n // 5, 1):]
    mean, sd = (0, 1) if job.classes else (job.y.mean(), job.y.std() or 1)
    y = job.y if job.classes else ((job.y - mean) / sd).astype(np.float32)[:, None]
    best = (np.inf, None, "")
    for kernel, bandwidth, ridge in [(k, b, r) for k in ("l2", "l1") for b in (3.0, 10.0) for r in (1e-3, 1e-1)]:
        model = xRFM(rfm_params={"model": {"kernel": kernel, "bandwidth": bandwidth, "exponent": 1.0, "diag": kernel == "l1",
                                           "bandwidth_mode": "constant"},
                                 "fit": {"reg": ridge, "iters": 5, "verbose": False, "early_stop_rfm": True}},
                     device=torch.device("cpu"), tuning_metric="accuracy" if job.classes else "mse")
        model.fit(X[keep], y[keep], X[hold], y[hold])
        found = np.ravel(model.predict(X[hold]))
        loss = np.mean(found != job.y[hold]) if job.classes else np.mean((found - y[hold, 0]) ** 2)
        if loss < best[0]:
            best = (loss, model, f"{kernel} bandwidth={bandwidth:g} reg={ridge:g}")
    return lambda: np.ravel(best[1].predict(T)) * sd + mean, best[2]


# what each needs, so that a child finds it imported
METHODS = {"histgb": (histgb, "sklearn.ensemble"), "lightgbm": (lightgbm, "lightgbm"), "knn": (knn, "sklearn.neighbors"),
           "linear": (linear, "sklearn.linear_model"), "forest": (forest, "sklearn.ensemble"),
           "extratrees": (extratrees, "sklearn.ensemble"), "xgboost": (xgboost, "xgboost"),
           "catboost": (catboost, "catboost"),
           "svm_tuned": (svm_tuned, "sklearn.svm"), "histgb_tuned": (histgb_tuned, "sklearn.ensemble"),
           "xrfm": (xrfm, "xrfm")}


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def child(function, folder, limit):
    """In the forked process: trains, says what that took, predicts."""
    import numpy as np
    messages = os.open(pathlib.Path(folder) / "messages", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(messages, 1)
    os.dup2(messages, 2)
    warnings.simplefilter("ignore")
    signal.alarm(limit)
    job, start = Job(folder), cpu()
    predict, chosen = function(job)
    took = cpu() - start
    np.save(pathlib.Path(folder) / "prediction.npy", predict())
    (pathlib.Path(folder) / "said.json").write_text(json.dumps({"cpu": took, "chosen": chosen}))


def main():
    function, module = METHODS[sys.argv[1]]
    limit = int(sys.argv[2])
    try:
        __import__(module)
        import sklearn.model_selection
    except Exception as error:  # a library that is there and does not load is as good as none
        print(f"{module}: {error}", file=sys.stderr)
        sys.exit(ABSENT)
    name = module.split(".")[0]
    print(json.dumps({"version": f"{name} {getattr(sys.modules[name], '__version__', '?')}"}), flush=True)
    for line in sys.stdin:
        folder = line.rstrip("\n")
        pid = os.fork()
        if not pid:
            try:
                child(function, folder, limit)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        _, status, used = os.wait4(pid, 0)
        status, folder = os.waitstatus_to_exitcode(status), pathlib.Path(folder)
        if status:
            why = ((folder / "messages").read_text().strip().splitlines() or [""])[-1]
            said = {"error": f"more than {limit} s" if status == -signal.SIGALRM else f"exit {status}: {why}"}
        else:
            said = json.loads((folder / "said.json").read_text())
        print(json.dumps({**said, "peak_mb": used.ru_maxrss / 1024}), flush=True)


if __name__ == "__main__":
    main()
