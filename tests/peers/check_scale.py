"""scales equal scikit-learn's QuantileTransformer and RobustScaler where these mean the same

With every row a landmark the model file has the scaled rows. QuantileTransformer maps the i-th of n values (from 0) to
i / (n - 1); nysel to the normal quantile of (i + 1/2) / n. So one follows from the other
at the training rows; between them nysel is linear in the normal quantile. Its quantiles are rounded, so that equal values
may count as two: where a value is there more than once the ranks of scipy are asked. RobustScaler leaves inputs whose quartiles
are equal unscaled, and nysel takes their standard deviation: such columns are left out.
"""
import warnings

import numpy as np
import scipy.stats
import sklearn.datasets
import sklearn.preprocessing

def scaled_rows(tool, X, y, scale):
    """The rows as the kernel sees them, in some order, and the arrays of the model file."""
    tool.train(tool.write("scale.csv", X, y), "--scale", scale, "--landmarks", "all", "--kernel", "rbf", "--bandwidth",
               "3", "--C", "1", "--search", "none", "--task", "regression")
    model = tool.model()
    return model["landmarks"], model


def by_model(X, bend):
    """Rows through the arrays of the model file, as docs/formats.md says."""
    Z = X.copy()
    if "scale_knots_ptr" in bend:
        ptr, knots, z = bend["scale_knots_ptr"], bend["scale_knots"], bend["scale_knots_z"]
        centre, width = bend["scale_log"]
        for j in range(X.shape[1]):
            if ptr[j + 1] > ptr[j]:
                Z[:, j] = np.interp(X[:, j], knots[ptr[j]:ptr[j + 1]], z[ptr[j]:ptr[j + 1]])
            elif width[j] > 0:
                t = (X[:, j] - centre[j]) / width[j]
                Z[:, j] = np.sign(t) * np.log1p(np.abs(t))
    return (Z - bend["scale_shift"]) * bend["scale_factor"]


def far(Z, rows):
    """The largest distance of a landmark to the nearest row."""
    return max(np.abs(rows - z).max(1).min() for z in Z)


def run(tool, results):
    warnings.filterwarnings("ignore")
    r = np.random.RandomState(4)
    diabetes = sklearn.datasets.load_diabetes(return_X_y=True)
    made = np.column_stack([r.randn(300), r.standard_cauchy(300), np.round(3 * r.randn(300)), r.rand(300) ** 5])
    for name, (X, y) in {"diabetes": diabetes, "generated": (made, made[:, 0] + r.randn(300))}.items():
        n = len(X)
        many = np.array([len(set(c)) > 8 for c in X.T])
        Z, bend = scaled_rows(tool, X, y, "quantile")
        ours = by_model(X, bend)
        shares = sklearn.preprocessing.QuantileTransformer(n_quantiles=n, subsample=10**9).fit_transform(X)
        theirs = scipy.stats.norm.ppf((shares * (n - 1) + 0.5) / n)
        alone = many & np.column_stack([np.isin(c, [v for v, k in zip(*np.unique(c, return_counts=True)) if k == 1])
                                        for c in X.T])
        results.close(f"{name}: quantile, values that are there once", ours[alone], theirs[alone], 1e-6)
        ranks = scipy.stats.norm.ppf((scipy.stats.rankdata(X, axis=0) - 0.5) / n)
        results.close(f"{name}: quantile, scipy's mean ranks", ours[:, many], ranks[:, many], 1e-12)
        results.check(f"{name}: the kernel sees these rows", far(Z, ours) < 1e-12)
        Z, bend = scaled_rows(tool, X, y, "robust")
        ours, theirs = by_model(X, bend), sklearn.preprocessing.RobustScaler().fit_transform(X)
        wide = np.array([len(set(c)) > 2 and np.subtract(*np.percentile(c, [75, 25])) > 0 for c in X.T])
        results.close(f"{name}: robust", ours[:, wide], theirs[:, wide], 1e-9)
        results.check(f"{name}: the kernel sees these rows", far(Z, ours) < 1e-12)
        t = np.sign(theirs) * np.log1p(np.abs(theirs))
        Z, bend = scaled_rows(tool, X, y, "log")
        ours = by_model(X, bend)
        results.close(f"{name}: log", ours[:, wide], ((t - t.mean(0)) / t.std(0))[:, wide], 1e-9)
        results.check(f"{name}: the kernel sees these rows", far(Z, ours) < 1e-12)
