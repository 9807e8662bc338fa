"""Generated tables whose least possible error is known.

SETS[name] = (task, function of a random generator and a number of rows that returns header, inputs, targets and, for
each row, the least loss that can be expected there: the variance of the target, or the probability of the best class's
being wrong). draw(name): task, header, inputs, targets. best(name): least RMSE or share of errors, the mean of 100,000
rows.
"""
import math

import numpy as np

ROWS, MANY = 6000, 100000


def header(d):
    return [f"x{j + 1}" for j in range(d)]


def noisy(rng, X, f, sd):
    return header(X.shape[1]), X, f + rng.normal(0, sd, len(X)), np.full(len(X), sd ** 2)


def flipped(rng, X, side, share):
    """Two classes, a share of them wrong."""
    y = np.where(rng.uniform(size=len(X)) < share, ~side, side)
    return header(X.shape[1]), X, np.where(y, "yes", "no"), np.full(len(X), share)


def by_density(X, y, logs, names):
    """logs: for each class the log density (plus log prior) at each row."""
    p = np.exp(logs - logs.max(1, keepdims=True))
    return header(X.shape[1]), X, np.array(names)[y], 1 - p.max(1) / p.sum(1)


def friedman1(rng, n):
    X = rng.uniform(size=(n, 10))
    return noisy(rng, X, 10 * np.sin(math.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - .5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4], 1)


def circuit(rng, n):
    """Inputs of Friedman's second and third."""
    X = rng.uniform(size=(n, 4)) * [100, 520 * math.pi, 1, 10] + [0, 40 * math.pi, 0, 1]
    return X, X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3])


def friedman2(rng, n):
    X, reactance = circuit(rng, n)
    return noisy(rng, X, np.hypot(X[:, 0], reactance), 125)


def friedman3(rng, n):
    X, reactance = circuit(rng, n)
    return noisy(rng, X, np.arctan2(reactance, X[:, 0]), 0.1)


def additive(rng, n):
    """Eight curves added up, seven inputs that do nothing."""
    X = rng.uniform(-1, 1, (n, 15))
    a = X.T
    return noisy(rng, X, np.sin(3 * a[0]) + np.abs(a[1]) + np.exp(a[2]) / 2 + a[3] ** 3 + np.cos(5 * a[4]) + 1.5 * (a[5] > .3)
                 + a[6] - np.maximum(a[7], 0) ** 2, 0.3)


def steps(rng, n):
    """Constant on boxes: a tree's own world."""
    X = rng.uniform(size=(n, 8))
    a = X.T
    return noisy(rng, X, 3. * (a[0] > .5) * (a[1] > .3) + 2. * (a[2] > .6) - 4. * (a[0] <= .5) * (a[3] > .7)
                 + (a[4] > .2) * (a[2] < .4), 0.5)


def counts(rng, n):
    """Poisson counts, their log mean linear with one interaction; inputs are counts, too."""
    X = np.c_[rng.poisson(3, (n, 3)), rng.uniform(-1, 1, (n, 4))]
    rate = np.exp(0.2 * X[:, 0] - 0.1 * X[:, 1] + 0.6 * X[:, 3] + 0.8 * X[:, 3] * X[:, 4])
    return header(7), X, rng.poisson(rate).astype(float), rate


def sparse(rng, n):
    """Five of a hundred inputs matter."""
    X = rng.normal(size=(n, 100))
    a = X.T
    return noisy(rng, X, 2 * np.sin(a[0]) + a[1] * a[2] + np.abs(a[3]) + a[4], 0.5)


def one_direction(rng, n):
    """A wave along one oblique direction of ten inputs: no single input tells much."""
    X = rng.normal(size=(n, 10))
    w = np.array([1, -1, 1, 1, -1, 1, 0, 0, 0, 0]) / math.sqrt(6)
    return noisy(rng, X, np.sin(2 * X @ w), 0.2)


def heavy_noise(rng, n):
    """Student's t with three degrees of freedom (variance 3) on a smooth curve."""
    X = rng.uniform(-1, 1, (n, 5))
    f = 3 * np.sin(3 * X[:, 0]) + 4 * X[:, 1] * X[:, 2] + 2 * X[:, 3]
    return header(5), X, f + rng.standard_t(3, n), np.full(n, 3.0)


def heavy_inputs(rng, n):
    """Inputs over many orders of magnitude; their logarithms matter."""
    Z = rng.standard_t(2, (n, 6))
    f = np.tanh(Z[:, 0]) + np.sin(Z[:, 1]) * (Z[:, 2] > 0) + 0.5 * np.tanh(Z[:, 3])
    return noisy(rng, np.exp(2 * Z.clip(-12, 12)), f, 0.2)


def categories(rng, n):
    """Two columns of names (12 and 5), an effect of each, one of the pair, and a slope that depends on a name."""
    fixed = np.random.RandomState(3)
    a, b, X = rng.randint(0, 12, n), rng.randint(0, 5, n), rng.uniform(-1, 1, (n, 4))
    f = fixed.normal(size=12)[a] + fixed.normal(size=5)[b] + fixed.normal(0, .5, (12, 5))[a, b]
    f = f + fixed.normal(size=5)[b] * X[:, 0] + np.sin(3 * X[:, 1])
    names = np.c_[[f"town{i}" for i in a], [f"kind{i}" for i in b]]
    rows = [[*t, *x] for t, x in zip(names, X)]
    return ["town", "kind", *header(4)], rows, f + rng.normal(0, 0.4, n), np.full(n, 0.16)


def moons(rng, n):
    """Two half circles with noise of deviation 0.3; the densities by a sum over 200 points of each."""
    sd, t = 0.3, rng.uniform(0, math.pi, n)
    place = lambda t, y: np.c_[np.where(y, 1 - np.cos(t), np.cos(t)), np.where(y, 0.5 - np.sin(t), np.sin(t))]
    y = rng.randint(0, 2, n)
    X, logs, grid = place(t, y) + rng.normal(0, sd, (n, 2)), np.empty((n, 2)), (np.arange(200) + .5) / 200 * math.pi
    for first in range(0, n, 5000):
        for c in (0, 1):
            D = ((X[first:first + 5000, None, :] - place(grid, c)[None]) ** 2).sum(2)
            logs[first:first + 5000, c] = np.log(np.exp(-D / (2 * sd ** 2)).sum(1) + 1e-300)
    return by_density(X, y, logs, ["upper", "lower"])


def xor(rng, n):
    """The sign of a product of two inputs, eight that do nothing, one label in ten wrong."""
    X = rng.uniform(-1, 1, (n, 10))
    return flipped(rng, X, X[:, 0] * X[:, 1] > 0, 0.1)


def checkerboard(rng, n):
    X = rng.uniform(0, 4, (n, 2))
    return flipped(rng, X, np.floor(X).sum(1) % 2 == 1, 0.05)


def twonorm(rng, n):
    """Breiman: two normal classes, four deviations apart."""
    y = rng.randint(0, 2, n)
    X = rng.normal(size=(n, 20)) + np.where(y, 1, -1)[:, None] * 2 / math.sqrt(20)
    side = X.sum(1) * 2 / math.sqrt(20)
    return by_density(X, y, np.c_[-side, side], ["minus", "plus"])


def ringnorm(rng, n):
    """Breiman: a wide normal class around a narrow one."""
    y, a = rng.randint(0, 2, n), 2 / math.sqrt(20)
    X = rng.normal(size=(n, 20)) * np.where(y, 1, 2)[:, None] + np.where(y, a, 0)[:, None]
    return by_density(X, y, np.c_[-(X ** 2).sum(1) / 8 - 20 * math.log(2), -((X - a) ** 2).sum(1) / 2], ["wide", "narrow"])


def waveform(rng, n):
    """Breiman: random mixtures of two of three triangles, noise of deviation 1; the densities by a sum over
    the mixtures."""
    i = np.arange(1, 22)
    h = [np.maximum(6 - np.abs(i - centre), 0) for centre in (11, 7, 15)]
    pairs = [(h[0], h[1]), (h[0], h[2]), (h[1], h[2])]
    y, u, grid = rng.randint(0, 3, n), rng.uniform(size=n), (np.arange(100) + .5) / 100
    X = np.array([t * pairs[c][0] + (1 - t) * pairs[c][1] for t, c in zip(u, y)]) + rng.normal(size=(n, 21))
    logs = np.empty((n, 3))
    for c, (a, b) in enumerate(pairs):
        M = grid[:, None] * a + (1 - grid[:, None]) * b
        logs[:, c] = np.logaddexp.reduce(X @ M.T - (M ** 2).sum(1) / 2, axis=1)
    return by_density(X, y, logs, ["w1", "w2", "w3"])


SETS = {f"gen_{f.__name__}": (task, f) for task, functions in
        (("numbers", (friedman1, friedman2, friedman3, additive, steps, counts, sparse, one_direction, heavy_noise,
                      heavy_inputs, categories)),
         ("classes", (moons, xor, checkerboard, twonorm, ringnorm, waveform))) for f in functions}


def draw(name):
    task, function = SETS[name]
    names, X, y, _ = function(np.random.RandomState(18), ROWS)
    return task, names, X, y


def best(name):
    """Least RMSE or share of errors that any machine can reach on average; None for a set that is not generated."""
    if name not in SETS:
        return None
    task, function = SETS[name]
    loss = np.mean(function(np.random.RandomState(19), MANY)[3])
    return math.sqrt(loss) if task == "numbers" else float(loss)
