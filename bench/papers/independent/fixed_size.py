"""Fixed-size LS-SVM (De Brabanter et al. 2010) in numpy, as the paper and LS-SVMlab have it, and LIBSVM's C-SVC.

Prototypes by quadratic Renyi entropy (12), the bandwidths of the density by the normal reference rule; features
sqrt(m) K(x, Z) U Lambda^-1/2 as LS-SVMlab's AFEm makes them; (7) with the bias penalised; 10-fold cross-validation by
(20), (21), the count of errors; a grid instead of annealing: 13 bandwidths, 25 gammas. Each machine has bandwidth and
gamma of its own, one-vs-one also prototypes. A fold's matrix is decomposed once for all gammas. Splits as in
../debrabanter.py. `best`: the best accuracy on the test set of any point of the grid, the same for all machines.
"""
import itertools

import numpy as np

import common
import debrabanter
import krr
from lines import row

GAMMAS = 2.0 ** np.arange(-24, 25, 2)
WIDTHS = 2.0 ** np.arange(-3, 3.25, 0.5)


def entropy_landmarks(X, m, rng):
    """Rows of a random set of m that swaps improve: less sum of exp(-|u - v|^2 / 4) over pairs, u = x / h."""
    n, d = X.shape
    if m >= n:
        return np.arange(n)
    U = X / np.maximum(X.std(0) * (4 / (3 * n)) ** 0.2, 1e-12)
    inside = list(rng.permutation(n)[:m])
    for _ in range(5 * m):
        k, new = rng.randint(m), rng.randint(n)
        others = U[np.delete(inside, k)]
        old_sum, new_sum = (np.exp(-((others - U[i]) ** 2).sum(1) / 4).sum() for i in (inside[k], new))
        if new_sum < old_sum and new not in inside:
            inside[k] = new
    return np.array(inside)


def feature_map(Z, sigma):
    """x -> its features and a one; sigma None: the linear kernel."""
    K = Z @ Z.T if sigma is None else krr.rbf(krr.squared_distances(Z, Z), sigma)
    s, U = np.linalg.eigh(K)
    keep = s > 1e-9 * s[-1]
    T = np.sqrt(len(Z)) * U[:, keep] / np.sqrt(s[keep])

    def features(X):
        K = X @ Z.T if sigma is None else krr.rbf(krr.squared_distances(X, Z), sigma)
        return np.hstack([K @ T, np.ones((len(X), 1))])
    return features


def solutions(A, C):
    """Solutions of (A + I / gamma) w = c for every gamma, from one decomposition: a list of matrices."""
    s, Q = np.linalg.eigh(A)
    QC = Q.T @ C
    return [Q @ (QC / (np.maximum(s, 0)[:, None] + 1 / g)) for g in GAMMAS]


def evaluate(F, FT, Y, folds):
    """Errors of the held-out signs, gammas x outputs, and the outputs on the test rows for each gamma."""
    A, C = F.T @ F, F.T @ Y
    wrong = np.zeros((len(GAMMAS), Y.shape[1]))
    for rows in folds:
        held = F[rows]
        for k, W in enumerate(solutions(A - held.T @ held, C - held.T @ Y[rows])):
            wrong[k] += ((held @ W > 0) != (Y[rows] > 0)).sum(0)
    return wrong, [FT @ W for W in solutions(A, C)]


def random_landmarks(X, m, rng):
    return rng.permutation(len(X))[:m]


def machines(X, XT, Y, m, kernel, rng, prototypes=entropy_landmarks):
    """For the outputs Y that share rows and prototypes: (test outputs of each one's best point, {point: test outputs})."""
    Z = X[prototypes(X, m, rng)]
    folds = krr.folds_of(len(X), 10, rng)
    best, chosen, points = np.full(Y.shape[1], np.inf), np.zeros((len(XT), Y.shape[1])), {}
    for sigma in [None] if kernel == "linear" else np.sqrt(X.shape[1]) * WIDTHS:
        features = feature_map(Z, sigma)
        wrong, outputs = evaluate(features(X), features(XT), Y, folds)
        for k, f in enumerate(outputs):
            points[sigma, k] = f.astype(np.float32)
            better = wrong[k] < best
            best[better], chosen[:, better] = wrong[k][better], f[:, better]
    return chosen, points


def code_scores(F, codes):
    """Minus the squared distance to each class's code, up to a constant."""
    return F @ codes.T


def moc(X, XT, labels, m, kernel, rng, numbers=None, prototypes=entropy_landmarks):
    """numbers: whose bits are the classes' codes; 0, 1 .. where not given. The paper does not say which it took."""
    numbers = range(labels.max() + 1) if numbers is None else numbers
    bits = int(max(numbers)).bit_length()
    codes = np.array([[1 if c >> b & 1 else -1 for b in range(bits)] for c in numbers])
    chosen, points = machines(X, XT, codes[labels].astype(float), m, kernel, rng, prototypes)
    return code_scores(chosen, codes), {p: code_scores(f, codes) for p, f in points.items()}


def ovo(X, XT, labels, m, kernel, rng):
    k = labels.max() + 1
    total, points = np.zeros((len(XT), k)), {}

    def vote(table, f, i, j):
        margin = np.clip(f, -1, 1) / (2 * k)
        table[:, i] += (f > 0) + margin
        table[:, j] += (f <= 0) - margin
    for i, j in itertools.combinations(range(k), 2):
        rows = np.flatnonzero((labels == i) | (labels == j))
        Y = np.where(labels[rows] == i, 1.0, -1.0)[:, None]
        chosen, here = machines(X[rows], XT, Y, m, kernel, rng)
        vote(total, chosen[:, 0], i, j)
        for p, f in here.items():
            vote(points.setdefault(p, np.zeros((len(XT), k), np.float32)), f[:, 0], i, j)
    return total, points


def arrays(name, seed):
    """Standardised inputs and class numbers of a split; categories become one input for each value."""
    _, rows = debrabanter.read(name)
    train, test = common.random_split(rows, seed, *debrabanter.SETS[name][1:3])
    X, XT = (np.array([r[:-1] for r in part], float) for part in (train, test))
    mean, sd = X.mean(0), X.std(0)
    X, XT = ((M - mean)[:, sd > 0] / sd[sd > 0] for M in (X, XT))
    names = sorted({r[-1] for r in train}, key=lambda s: (len(s), s))
    number = {label: k for k, label in enumerate(names)}
    return X, XT, *(np.array([number.get(r[-1], -1) for r in part]) for part in (train, test))


def fixed_size_split(name, kernel, coding, seed, **how):
    """Accuracy, and the best of the grid. how: of `moc`."""
    X, XT, labels, truth = arrays(name, seed)
    m = debrabanter.LETTER_PAIR if (name, coding) == ("letter", "ovo") else debrabanter.SETS[name][0]
    rng = np.random.RandomState(seed)
    scores, points = ovo(X, XT, labels, m, kernel, rng) if coding == "ovo" else \
        moc(X, XT, labels, m, kernel, rng, **how)
    return 100 * np.mean(scores.argmax(1) == truth), max(100 * np.mean(s.argmax(1) == truth) for s in points.values())


def libsvm_split(name, seed):
    """C-SVC, one-vs-one, 5-fold cross-validation over 5 bandwidths and 5 C."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC
    X, XT, labels, truth = arrays(name, seed)
    gammas = 1 / (2 * X.shape[1] * 4.0 ** np.arange(-2, 1.5, 0.75))
    search = GridSearchCV(SVC(cache_size=500), {"gamma": gammas, "C": [1, 4, 16, 64, 256]}, cv=5).fit(X, labels)
    return 100 * search.score(XT, truth)


# set: ((kernel, coding), splits of it); the lines on which nysel was behind the paper
LINES = {
    "spambase": [("linear", "", 10)],
    "satimage": [("linear", "moc", 3), ("rbf", "moc", 3), ("rbf", "ovo", 3)],
    "pendigits": [("rbf", "moc", 3)],
    "shuttle": [("linear", "moc", 3), ("linear", "ovo", 3), ("rbf", "moc", 1)],
    "letter": [("linear", "moc", 3), ("linear", "ovo", 1), ("rbf", "moc", 1)],
    "covtype_part": [("linear", "", 3), ("rbf", "", 1)],
}
LIBSVM = {"satimage": 2}
SETS = {name: 10 for name in LINES}
SEVEN_CLASSES = [0, 1, 2, 3, 4, 6]  # satimage: the labels are 1 to 5 and 7, and the paper counts 7 classes


# line: {way: how `moc` is called}, beside the form that all lines have
WAYS = {
    ("satimage", "linear", "moc"): {"numpy, 7 classes": {"numbers": SEVEN_CLASSES}},
    ("satimage", "rbf", "moc"): {"numpy, 7 classes": {"numbers": SEVEN_CLASSES},
                                 "numpy, random prototypes": {"prototypes": random_landmarks}},
    ("pendigits", "rbf", "moc"): {"numpy, random prototypes": {"prototypes": random_landmarks}},
}


def run_set(name, count):
    printed, lines = debrabanter.printed_lines(name), []
    train = debrabanter.SETS[name][1]
    for kernel, coding, splits in LINES[name]:
        for way, how in {"numpy": {}, **WAYS.get((name, kernel, coding), {})}.items():
            found = [fixed_size_split(name, kernel, coding, seed, **how) for seed in range(min(splits, count))]
            lines.append(row(name, train, printed[kernel, coding], way, [a for a, _ in found], best=[b for _, b in found]))
    if name in LIBSVM:
        values = [libsvm_split(name, seed) for seed in range(min(LIBSVM[name], count))]
        lines.append(row(name, train, printed["rbf", "ovo"], "LIBSVM", values))
    return lines
