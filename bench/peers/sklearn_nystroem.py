#!/usr/bin/python3
"""scikit-learn's Nystroem with 1000 random landmarks (fewer rows: half of them), then a linear machine.

    sklearn_nystroem.py FOLDER PROCESSES ridge|logistic [quick]

ridge: RidgeCV or RidgeClassifierCV, which choose alpha by leave-one-out, under GridSearchCV over log2
gamma -13, -11 .. 1.
logistic: LogisticRegression, GridSearchCV over that gamma and C 0.1, 1, 10, 100. The searches have 5 folds on at most
5000 rows (stratified), and the choice is trained on all rows.
"""
import peer
import sklearn_search

sklearn_search.import_sklearn()
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV, RidgeCV
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

LANDMARKS, ROWS = 1000, 5000
ALPHAS = [10.0 ** k for k in range(-6, 4)]


def machine_of(way, classes, landmarks):
    """The pipeline, its grid but for gamma, its name."""
    if way == "logistic":
        last, grid = LogisticRegression(max_iter=1000), {"logisticregression__C": [0.1, 1.0, 10.0, 100.0]}
    else:
        last, grid = (RidgeClassifierCV(alphas=ALPHAS) if classes else RidgeCV(alphas=ALPHAS)), {}
    return make_pipeline(Nystroem(n_components=landmarks, random_state=1), last), grid, f"Nystroem {way} rbf"


def main():
    folder, processes, way, quick = peer.arguments()
    classes = peer.about(folder)["task"] == "classes"
    X, y, T = peer.arrays(folder)
    landmarks = min(LANDMARKS, len(y) // 2)
    pipe, grid, name = machine_of(way, classes, landmarks)
    grid["nystroem__gamma"] = sklearn_search.powers(-13, 1, quick)
    part = slice(None)
    if len(y) > ROWS:
        part = train_test_split(range(len(y)), train_size=ROWS, random_state=1, stratify=y if classes else None)[0]
    scoring = "accuracy" if classes else "neg_mean_squared_error"
    found = sklearn_search.search(pipe, grid, "grid", processes, scoring, ROWS, refit=False).fit(X[part], y[part])
    best = pipe.set_params(**found.best_params_).fit(X, y)
    chosen = " ".join(f"{k.split('__')[1]}={v:.4g}" for k, v in sorted(found.best_params_.items()))
    peer.finish(folder, lambda: best.predict(T), name, f"{chosen} landmarks={landmarks}",
                f"tuned on {ROWS} rows" if len(y) > ROWS else "")


if __name__ == "__main__":
    main()
