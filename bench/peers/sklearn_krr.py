#!/usr/bin/python3
"""scikit-learn's KernelRidge, alpha and gamma by GridSearchCV or HalvingGridSearchCV (sklearn_search.py): log2 alpha
-15, -13 .. 1, log2 gamma -13, -11 .. 1. Targets are centred, so that it needs no bias.

    sklearn_krr.py FOLDER PROCESSES grid|halving [quick]
"""
import peer
import sklearn_search

sklearn_search.import_sklearn()
from sklearn.kernel_ridge import KernelRidge


def main():
    quick = peer.arguments()[3]
    grid = {"alpha": sklearn_search.powers(-15, 1, quick), "gamma": sklearn_search.powers(-13, 1, quick)}
    sklearn_search.run(KernelRidge(kernel="rbf"), grid, "neg_mean_squared_error", "KernelRidge rbf")


if __name__ == "__main__":
    main()
