"""scikit-learn's searches over C or alpha and gamma, for sklearn_svc.py and sklearn_krr.py.

GridSearchCV has 5 folds on all rows; HalvingGridSearchCV has 5 folds and keeps a third of the points each time that it
takes three times the rows. It begins with a 27th of them, but not with fewer than 300 (or a third).
"""
import peer


def import_sklearn():
    try:
        from sklearn.experimental import enable_halving_search_cv  # noqa: F401
        import sklearn.model_selection
        return sklearn.model_selection
    except ImportError:
        peer.absent("scikit-learn (python3-sklearn)")


def search(estimator, grid, way, processes, scoring, rows, refit=True):
    """The search, not run yet. Folds are drawn at random, as LIBSVM's are: some files are sorted."""
    selection = import_sklearn()
    kind = selection.StratifiedKFold if scoring == "accuracy" else selection.KFold
    same = {"cv": kind(5, shuffle=True, random_state=1), "n_jobs": processes, "scoring": scoring, "refit": refit}
    if way == "grid":
        return selection.GridSearchCV(estimator, grid, **same)
    return selection.HalvingGridSearchCV(estimator, grid, **same, factor=3, random_state=1,
                                         min_resources=max(rows // 27, min(rows // 3, 300)))


def powers(first, last, quick):
    """2^first, 2^(first + 2) .. 2^last; every third of them where a coarse grid will do."""
    return [2.0 ** k for k in range(first, last + 1, 6 if quick else 2)]


def run(estimator, grid, scoring, machine):
    folder, processes, way, _ = peer.arguments()
    X, y, T = peer.arrays(folder)
    found = search(estimator, grid, way, processes, scoring, len(y)).fit(X, y)
    cv = 1 - found.best_score_ if scoring == "accuracy" else -found.best_score_
    chosen = " ".join(f"{k}={v:.4g}" for k, v in sorted(found.best_params_.items())) + f" cv={cv:.5g}"
    peer.finish(folder, lambda: found.predict(T), machine, chosen, f"{len(found.cv_results_['params'])} points tried")
