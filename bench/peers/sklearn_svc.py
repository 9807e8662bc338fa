#!/usr/bin/python3
"""scikit-learn's SVC, C and gamma by GridSearchCV or HalvingGridSearchCV (sklearn_search.py): log2 C -3, -1 .. 11,
log2 gamma -13, -11 .. 1.

    sklearn_svc.py FOLDER PROCESSES grid|halving [quick]
"""
import peer
import sklearn_search

sklearn_search.import_sklearn()
from sklearn.svm import SVC


def main():
    quick = peer.arguments()[3]
    grid = {"C": sklearn_search.powers(-3, 11, quick), "gamma": sklearn_search.powers(-13, 1, quick)}
    sklearn_search.run(SVC(cache_size=500, max_iter=10 ** 7), grid, "accuracy", "SVC rbf")


if __name__ == "__main__":
    main()
