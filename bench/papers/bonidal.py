#!/usr/bin/python3
"""The regularization path of the l2-SVM (Bonidal et al. 2013, tables 2 to 6 and 8) beside nysel's.

    bonidal.py BINARY [--splits N] [--splits-large N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--limit S]
               [--quick] [--add] [--out FILE]

The paper's lambda is ours (C = 2 / lambda here, 1 / lambda in its section 4.5), its sigma our bandwidth. Its threshold
t on the eigenvalues of the n x n kernel matrix is --rank M --rank-tol t / n: a share of the trace, n for rbf. Landmarks
as in the paper: --landmark-method density below 4000 rows (uniform where the program has none), uniform from there on.
Inputs are standardised by the training rows.

table 2   path-NAME: the path at fixed kernels, 80 % of the rows as landmarks, t = 1e-6, and with every row. `value`:
          mean over ten of its lambdas of (objective of the path) / (objective of the exact machine: Newton in numpy
          with the full kernel matrix); `worst`: the largest |ratio - 1|. Low rank can only raise the objective of the
          path, and the paper's ratio is below 1: it is the inverse, or evaluates alpha with the true kernel. "all"
          must be 1, to the rounding of K (1e-8 for linear at the least lambda). exact_seconds: numpy's ten machines
table 3   the 13 Raetsch sets, as many splits as the paper has (100; ringnorm, image, splice 20) or --splits, of the
          paper's sizes: the published partitions of heart and ringnorm, random ones of the others. "gradient":
          Chapelle's method on smooth spans, as there with every row (--search gradient, three starts; his program's are
          not told). "gradient's sigma, error": the path with that sigma, 60 % of the rows as landmarks, t = 1e-4,
          lambda down to 1e-6 by the predicted leave-one-out error. "sigma by mse, C by error": sigma by the smooth
          criterion and lambda by the count of errors in one run (left out where the program does not know --select-on
          mse,error). "gradient on radius-margin", "sigma found" (by span alone) and "defaults" are not in the paper
table 4   the same path with the paper's sigma, "the square root of the mean distance of each point to the center of
          mass" after Zhang, Tsang & Kwok 2008, read in three ways: `zhang`, the root of the mean squared distance;
          zhang / sqrt(2), for a kernel exp(-|x-z|^2 / b) with b the mean squared distance; and as it stands (of all
          rows of the set, for ease). "error": C by the predicted leave-one-out error as in the paper, "mse": by the
          mean squared slack of the predictions. The gradient column is that of table 3
table 5   spambase, 3601 and 1000 rows, 30 splits or --splits-large, t = 1e-3, 60 % and 600 landmarks; the gradient
          method with 600 landmarks (the paper's has every row, hours here; it prints 6.58 and 6.56 for the same thing)
table 6   classes of Gaussians in the plane, 30000 test rows, 10 realizations or --splits-large. sigma is found once for
          each by the gradient method (300 landmarks; the paper: all rows) and then given, as the paper's is; the time
          is that of training with it. The paper tells neither landmarks nor threshold: 60 %, and 400, t = 1e-4.
          exponent: of the time against m, at 60 %, and with one sigma and 400 landmarks for up to 40000 rows; the
          paper's from its five times
table 8   ijcnn1 and a9a as they are, (gamma x'z + 1)^2; 500 and 1500 uniform landmarks. t = 1e-6 is a share of 8e-15
          and 1.5e-11 of the trace: the same ranks as the default form and --rank-tol have, which are used. worst: by
          how much the conditions for a minimum are violated; exact_seconds: of testing.
          liblinear-NAME: liblinear-train -s 2 -B 1, five-fold cross-validation at C = 2^-3, 2^-1 .. 2^9, one training,
          on the explicit features sqrt(2 gamma) x_i, gamma x_i^2, sqrt(2) gamma x_i x_j (Chang et al. 2010), whose file
          takes exact_seconds to write; tolerance its default, and one training at the paper's C and 1e-6. svm-train:
          one run (l1 loss) at the paper's C, cut off at --limit seconds (60); the paper's grid took 13 h and more

z_paper: (difference to the paper) / sqrt(sum of squared standard errors of both means), below 0 is better; z_split:
the same difference over the deviation of ONE of our splits; z_claim: over the standard error of the paper's mean as
printed. seconds: wall clock of the whole program, reading included; cpu_s: of all threads, right with --jobs 1 only.
The paper's: Matlab, about 2011.
"""
import gzip
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
import l2svm_exact  # noqa: E402

np = common.need_numpy()
# name: training and test rows, replications; (error, deviation, seconds) of the path in table 3 and in table 4
RAETSCH = {
    "thyroid": (140, 75, 100, (7.08, 3.69, 0.4575), (6.71, 3.28, 0.5089)),
    "titanic": (150, 2051, 100, (23.05, 1.11, 0.3804), (23.45, 4.28, 0.3827)),
    "heart": (170, 100, 100, (16.83, 3.47, 0.4741), (17.30, 3.51, 0.5602)),
    "breast-cancer": (200, 77, 100, (27.10, 4.67, 0.4613), (27.35, 4.22, 0.5152)),
    "banana": (400, 4900, 100, (11.07, 0.88, 0.6319), (11.24, 0.95, 0.7149)),
    "ringnorm": (400, 7000, 20, (1.69, 0.40, 0.9900), (2.08, 0.37, 0.9758)),
    "twonorm": (400, 7000, 100, (2.67, 0.34, 0.9998), (2.68, 0.34, 0.9846)),
    "waveform": (400, 4600, 100, (10.09, 0.56, 1.0605), (10.29, 0.75, 0.9157)),
    "diabetis": (468, 300, 100, (24.04, 1.94, 0.8224), (24.05, 2.03, 1.1452)),
    "flare-solar": (666, 400, 100, (34.49, 1.87, 0.4011), (34.40, 1.99, 0.4521)),
    "german": (700, 300, 100, (23.77, 2.13, 1.9661), (23.76, 2.19, 2.2267)),
    "splice": (1000, 2175, 20, (11.87, 0.72, 4.0894), (11.67, 0.74, 4.7143)),
    "image": (1300, 1010, 20, (3.32, 0.72, 6.5991), (3.24, 0.74, 2.8286)),
}
# the gradient method in table 3 (in table 4 the same, but for the time)
GRADIENT = {
    "banana": (10.85, 0.73, 0.5612), "breast-cancer": (26.64, 4.56, 0.2551), "diabetis": (23.81, 1.94, 1.2781),
    "flare-solar": (34.84, 1.82, 2.4215), "german": (23.65, 2.03, 2.8821), "heart": (16.71, 3.11, 0.1586),
    "image": (3.90, 0.69, 8.1389), "ringnorm": (1.61, 0.15, 0.4171), "splice": (11.16, 0.70, 5.8144),
    "thyroid": (7.01, 3.66, 0.0728), "titanic": (22.59, 0.88, 0.1292), "twonorm": (2.69, 0.18, 0.4748),
    "waveform": (9.90, 0.39, 0.7644),
}
# table 2; sigma (None: linear): rank, seconds, breakpoints, ratio, seconds of ten machines of l2-libsvm
PATHS = {
    "banana": {None: (2, 0.5996, 44, 0.99988, 1.6229), 0.2: (317, 1.5592, 49, 0.98236, 0.8799),
               0.6: (147, 0.95875, 45, 0.99993, 1.455), 1: (81, 0.84712, 46, 0.99945, 16.0839),
               1.4: (56, 0.79836, 45, 1.0001, 18.8339), 1.8: (44, 0.8895, 44, 0.9991, 13.0951)},
    "twonorm": {None: (20, 0.69215, 50, 0.99963, 0.99338), 10: (319, 1.0794, 49, 0.99304, 1.1886),
                15: (319, 1.0554, 49, 0.99361, 1.1857), 20: (319, 1.0842, 49, 0.99231, 1.1932),
                25: (319, 1.0724, 49, 0.99305, 1.1952), 30: (289, 0.99932, 49, 0.99553, 1.2005),
                35: (244, 0.90694, 49, 0.99558, 1.2022), 40: (231, 0.90001, 49, 0.99672, 1.2066)},
    "image": {None: (14, 2.267, 44, 1.0001, 33.7736), 2: (905, 9.3627, 47, 0.98943, 5.4173),
              3: (873, 7.8396, 46, 0.99386, 5.2021), 4: (778, 7.7303, 45, 0.99759, 5.5274),
              5: (683, 6.0358, 45, 0.99899, 6.3224), 6: (598, 5.3664, 41, 0.99977, 5.6593),
              7: (527, 5.3114, 41, 0.99987, 5.7693)},
}
SPAM = {"60 %": (6.22, 0.87, 27.851), "600": (6.64, 0.97, 15.9084), "gradient": (6.56, 0.76, 102.9281)}
# table 6; m: error, deviation, seconds, rank
ARTIFICIAL = {1000: (14.22, 0.28, 5.68, 127.5), 2000: (13.97, 0.16, 12.84, 165.8), 3000: (13.86, 0.17, 20.87, 181.4),
              4000: (13.85, 0.33, 28.41, 155.2), 5000: (13.84, 0.19, 37.98, 154.7)}
ARTIFICIAL_GRADIENT = {1000: (14.05, 0.25, 9.21), 2000: (13.93, 0.13, 57.55), 3000: (13.85, 0.19, 101.1),
                       4000: (13.83, 0.33, 262.56), 5000: (13.82, 0.20, 446.56)}
# tables 7 and 8; name: gamma, landmarks, C; error, seconds, rank, seconds of testing; error and seconds of liblinear
LARGE = {"ijcnn1": (32, 500, 0.125, (2.44, 30.2, 208, 1.9), (2.46, 57.8)),
         "a9a": (0.032, 1500, 8, (14.8, 179.9, 1178, 1.9), (14.7, 459.7))}
SETS = [*("path-" + name for name in PATHS), *RAETSCH, "spambase", "artificial", *LARGE,
        *("liblinear-" + name for name in LARGE)]
FEW = ["splice", "image", "spambase"]  # --splits-large
FIXED = "400 uniform, sigma 0.6"
WHOLE = ["--lambda-min", "1e-6"]
DESCENT = ["--machine", "l2svm", "--kernel", "rbf", "--search", "gradient", "--criterion", "smooth-span"]
QUICK = "path-banana,thyroid,artificial"


def line(table, name, way, n, **values):
    """One row of the results; what is not given stays empty."""
    columns = ["landmarks", "rank", "points", "splits", "measure", "value", "se", "worst", "paper", "paper_sd",
               "paper_rank", "paper_points", "z_paper", "z_split", "z_claim", "sigma", "seconds", "cpu_s",
               "exact_seconds", "paper_seconds", "paper_exact_seconds"]
    return {"table": table, "set": name, "way": way, "rows": n, **{c: values.get(c, "") for c in columns}}


def low_rank(args, n, m, threshold, trace=None):
    method = "density" if n < 4000 and args.density else "uniform"
    return ["--landmarks", m, "--landmark-method", method, "--rank", m, "--rank-tol", threshold / (trace or n)]


def standardised(rows):
    """Inputs with mean 0 and deviation 1, and the targets."""
    values = np.array(rows, float)
    X = values[:, :-1] - values[:, :-1].mean(0)
    return X / np.where(X.std(0) > 0, X.std(0), 1), values[:, -1]


def of_trials(table, name, way, n, trials, paper=None, replications=1):
    """The row of several trials of one way; paper: error, deviation, seconds."""
    errors = [100 * t.metrics["error"] for t in trials]
    mean, sd = common.mean_sd(errors)
    more = {"paper": paper[0], "paper_sd": paper[1], "paper_seconds": paper[2],
            "z_paper": common.z(mean, sd, len(errors), paper[0], paper[1], replications),
            "z_split": common.text((mean - paper[0]) / sd if sd else 0.0, "+.2f"),
            "z_claim": common.z(mean, 0, 1, paper[0], paper[1], replications)} if paper else {}

    def average(value):
        return statistics.mean(map(value, trials))

    sigmas = [t.record["bandwidth"] if t.record["kernel"] == "rbf" else None for t in trials]
    return line(table, name, way, n, landmarks=round(average(lambda t: t.record["landmarks"])), splits=len(trials),
                rank=f"{average(lambda t: t.record['rank']):.0f}", measure="error", value=f"{mean:.2f}",
                se=common.text(sd / math.sqrt(len(errors)), ".2f"), seconds=f"{average(lambda t: t.seconds):.3f}",
                cpu_s=f"{average(lambda t: t.cpu):.3f}", **more,
                sigma=f"{statistics.median(sigmas):.3g}" if None not in sigmas else "")


# ---- table 2: the objective ------------------------------------------------------------------------------------------

def path_set(args, name):
    data = common.read_all("raetsch_" + name)
    if not data:
        return []
    n, lines = RAETSCH[name][0], []
    rows = data[1][:n]  # the first published partition
    X, y = standardised(rows)
    squares = (X ** 2).sum(1)
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        common.write_rows(folder / "train.csv", data[0], rows)
        for sigma, (rank, seconds, changes, ratio, machines) in PATHS[name].items():
            kernel = ["--kernel", "rbf", "--bandwidth", sigma] if sigma else ["--kernel", "linear", "--bandwidth", 1]
            K = X @ X.T
            if sigma:
                K = np.exp(-np.maximum(squares[:, None] + squares - 2 * K, 0) / (2 * sigma ** 2))
            for way, options in (("80 %", low_rank(args, n, round(0.8 * n), 1e-6, np.trace(K))),
                                 ("all", ["--landmarks", "all", *(["--rank-tol", 1e-15] if sigma else [])])):
                done, record = common.path(args.binary, folder / "train.csv", folder / "p.csv", *kernel, *options)
                points = record["rows"]
                chosen = [points[round(i * (len(points) - 1) / 9)] for i in range(10)]
                start = time.perf_counter()
                exact = l2svm_exact.objectives(K, y, [p["lambda"] for p in chosen])
                mine = time.perf_counter() - start
                ratios = [p["objective"] / e for p, e in zip(chosen, exact)]
                printed = {"paper": ratio, "paper_rank": rank, "paper_points": changes,
                           "paper_seconds": seconds, "paper_exact_seconds": machines} if way != "all" else {}
                lines.append(line("2", "path-" + name, f"{'rbf %g' % sigma if sigma else 'linear'}, {way}", n,
                                  landmarks=record["landmarks"], rank=record["rank"], points=len(points), splits=1,
                                  measure="ratio", value=f"{statistics.mean(ratios):.9f}", sigma=sigma or "",
                                  worst=f"{max(abs(r - 1) for r in ratios):.1e}", seconds=f"{done.seconds:.3f}",
                                  cpu_s=f"{done.cpu:.3f}", exact_seconds=f"{mine:.3f}", **printed))
    return lines


# ---- tables 3 to 5: errors -------------------------------------------------------------------------------------------

def raetsch_set(args, name, refused):
    data = common.read_all("raetsch_" + name)
    if not data:
        return []
    n, test, replications, table3, table4 = RAETSCH[name]
    base = ["--machine", "l2svm", "--kernel", "rbf", *low_rank(args, n, round(0.6 * n), 1e-4)]
    span, error = [*base, "--criterion", "span"], ["--select-on", "error", *WHOLE]
    distance = math.sqrt(np.mean(np.linalg.norm(standardised(data[1])[0], axis=1)))

    def with_sigma(way, by=1.0):
        """The path with the sigma that another way has found on this split."""
        return lambda found: [*span, "--bandwidth", found[way].record["bandwidth"] * by, *error] \
            if way in found else None

    ways = {"gradient": [*DESCENT, "--landmarks", "all"],
            "gradient on radius-margin": [*DESCENT[:-1], "radius-margin", "--landmarks", "all"],
            "gradient's sigma, error": with_sigma("gradient"),
            "sigma by mse, C by error": [*span, "--select-on", "mse,error", *WHOLE],
            "zhang, error": [*span, "--bandwidth", "zhang", *error],
            "zhang, mse": [*span, "--bandwidth", "zhang"],
            "zhang / sqrt 2, error": with_sigma("zhang, error", 1 / math.sqrt(2)),
            "sqrt mean distance, error": [*span, "--bandwidth", distance, *error],
            "radius-margin": [*base, "--criterion", "radius-margin", "--bandwidth", "zhang"],
            "sigma found": span,
            "defaults": ["--machine", "l2svm"]}
    count = min(replications, args.splits_large if name in FEW else args.splits)
    found = common.compare(args, data[0], common.raetsch_splits(name, data[1], n, test, count), ways, refused)
    printed = {way: ("4", table4) for way in ways if way.startswith(("zhang", "sqrt", "radius"))}
    printed.update({way: ("3", GRADIENT[name]) for way in ways if way in ("gradient", "gradient on radius-margin")})
    return [of_trials(table, name, way, n, trials, paper, replications)
            for way, trials in found.items() for table, paper in [printed.get(way, ("3", table3))]]


def spam_set(args, refused):
    data = common.read_all("spambase")
    if not data:
        return []
    n, test = 3601, 1000
    ways = {}
    for way, m in (("60 %", round(0.6 * n)), ("600", 600)):
        base = ["--machine", "l2svm", "--kernel", "rbf", "--bandwidth", "zhang", "--criterion", "span",
                *low_rank(args, n, m, 1e-3)]
        ways.update({f"{way}, error": [*base, "--select-on", "error", *WHOLE], f"{way}, mse": base})
    ways["gradient, 600"] = [*DESCENT, *low_rank(args, n, 600, 1e-3)]
    ways["defaults"] = ["--machine", "l2svm"]
    splits = [lambda seed=seed: common.random_split(data[1], seed, n, test) for seed in range(args.splits_large)]
    found = common.compare(args, data[0], splits, ways, refused)
    return [of_trials("5", "spambase", way, n, trials, SPAM.get(way.split(",")[0], SPAM["60 %"]), 30)
            for way, trials in found.items()]


# ---- table 6: cost against the number of rows ------------------------------------------------------------------------

def artificial_rows(n, seed):
    """Classes of equal probability: N((1,1), [8 -6; -6 8]) against half N(0, I/4), half N((5,-2), I)."""
    random = np.random.RandomState(seed)
    X = np.where(random.rand(n, 1) < 0.5, random.normal(0, 0.5, (n, 2)), random.normal((5, -2), 1, (n, 2)))
    positive = random.rand(n) < 0.5
    X[positive] = random.multivariate_normal((1, 1), [[8, -6], [-6, 8]], positive.sum())
    return [[f"{a:.9g}", f"{b:.9g}", "1" if p else "-1"] for (a, b), p in zip(X, positive)]


def artificial_set(args, refused):
    sizes, longer = (list(ARTIFICIAL), [5000, 10000, 20000, 40000]) if not args.quick else ([200, 400], [400, 800])
    test = artificial_rows(30000 if not args.quick else 1000, 10 ** 6)
    span = ["--machine", "l2svm", "--kernel", "rbf", "--criterion", "span"]
    lines, cost = [], {}

    def try_all(n, ways):
        splits = [lambda k=k: (artificial_rows(n, 1000 * k + n), test) for k in range(min(10, args.splits_large))]
        for way, trials in common.compare(args, ["x1", "x2", "target"], splits, ways, refused).items():
            paper = ARTIFICIAL_GRADIENT.get(n) if way == "gradient" else ARTIFICIAL.get(n)
            row = of_trials("6", "artificial", way, n, trials, paper and paper[:3], 10)
            lines.append({**row, "paper_rank": paper[3] if paper and len(paper) > 3 else ""})
            cost.setdefault(way, []).append([math.log(v) for v in (n, float(row["seconds"]), float(row["cpu_s"]))])

    def at(n, m):
        return lambda found: [*span, "--select-on", "error", *WHOLE, "--bandwidth",
                              found["gradient"].record["bandwidth"], *low_rank(args, n, m, 1e-4)] \
            if "gradient" in found else None

    for n in sizes:
        try_all(n, {"gradient": [*DESCENT, "--landmarks", min(300, n)], "60 %": at(n, round(0.6 * n)),
                    "400": at(n, min(400, n))})
    for n in longer:
        try_all(n, {FIXED: [*span, "--bandwidth", 0.6, "--landmarks", min(400, n), "--landmark-method", "uniform"]})
    for way in ("60 %", FIXED):
        m, wall, cpu = np.array(cost[way]).T
        exponents = [f"{np.polyfit(m, v, 1)[0]:.2f}" for v in (wall, cpu)]
        lines.append(line("6", "artificial", way, f"{np.exp(m[0]):.0f}-{np.exp(m[-1]):.0f}", measure="exponent",
                          value=exponents[1], seconds=exponents[0], cpu_s=exponents[1], paper=1.17))
    return lines


# ---- table 8: many rows ----------------------------------------------------------------------------------------------

def large_set(args, name):
    train, test = common.data_file(name, "svm"), common.data_file(name + ".t", "svm")
    if not train or not test:
        return []
    gamma, m, _, (error, seconds, rank, testing), _ = LARGE[name]
    base = ["--scale", "none", "--kernel", "poly", "--degree", 2, "--coef0", 1, "--bandwidth", 1 / math.sqrt(gamma),
            "--landmarks", m, "--landmark-method", "uniform", *args.extra.split()]
    lines = []
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        done, record = common.path(args.binary, train, folder / "p.csv", *base)
        n = record["data"]["rows"]
        lines.append(line("8", name, "nysel path", n, landmarks=record["landmarks"], rank=record["rank"],
                          points=len(record["rows"]), splits=1, paper_rank=rank, seconds=f"{done.seconds:.2f}",
                          worst=f"{max(p['kkt'] for p in record['rows']):.1e}", cpu_s=f"{done.cpu:.2f}",
                          paper_seconds=seconds))
        for way, more in (("span, error", ["--criterion", "span", "--select-on", "error"]),
                          ("span, mse", ["--criterion", "span"])):
            done, record = common.train(args.binary, train, folder / "m.nysel", "--machine", "l2svm", *base, *more)
            start = time.perf_counter()
            metrics = common.test(args.binary, folder / "m.nysel", test)
            lines.append(line("8", name, way, n, landmarks=record["landmarks"], rank=record["rank"], splits=1,
                              measure="error", value=f"{100 * metrics['error']:.2f}", paper=error, paper_rank=rank,
                              seconds=f"{done.seconds:.2f}", cpu_s=f"{done.cpu:.2f}", paper_seconds=seconds,
                              exact_seconds=f"{time.perf_counter() - start:.2f}", paper_exact_seconds=testing))
    return lines


def expand(source, target, gamma):
    """LIBSVM rows with the features of (gamma x'z + 1)^2 but for the constant. Returns their number."""
    once, twice = math.sqrt(2 * gamma), math.sqrt(2) * gamma
    with gzip.open(source, "rt") as rows, open(target, "w") as out:
        for number, row in enumerate(rows, 1):
            label, *pairs = row.split()
            x = [(int(j), float(v)) for j, v in (pair.split(":") for pair in pairs)]
            features = [(j, once * v) for j, v in x]
            for a, (i, u) in enumerate(x):  # pairs j <= i are numbered after the inputs
                features += [(1000 + i * (i - 1) // 2 + j, (gamma if i == j else twice) * u * v) for j, v in x[:a + 1]]
            out.write(label + "".join(f" {j}:{v:.9g}" for j, v in features) + "\n")
    return number


def right(done):
    """The percentage that liblinear-train -v or liblinear-predict printed."""
    return float(re.search(r"([\d.]+)%", done.out).group(1))


def liblinear_set(args, name):
    source, source_t = common.data_file(name, "svm"), common.data_file(name + ".t", "svm")
    if not source or not source_t or not shutil.which("liblinear-train") or not shutil.which("svm-train"):
        print(f"skipped: liblinear-{name} needs liblinear-train and svm-train", file=sys.stderr)
        return []
    gamma, _, C, _, (error, seconds) = LARGE[name]
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        train, test, model = folder / "train", folder / "test", folder / "model"
        start = time.perf_counter()
        n = expand(source, train, gamma)
        written = time.perf_counter() - start
        expand(source_t, test, gamma)
        linear = ["liblinear-train", "-s", 2, "-B", 1, "-q"]
        grid = {2.0 ** e: common.run([*linear, "-c", 2.0 ** e, "-v", 5, train]) for e in range(-3, 10, 2)}
        best = max(grid, key=lambda c: right(grid[c]))
        runs = [*grid.values(), common.run([*linear, "-c", best, train, model])]

        def test_error():
            return f"{100 - right(common.run(['liblinear-predict', test, model, folder / 'out'])):.2f}"

        lines = [line("8", name, f"liblinear, 5 folds, C {best:g}", n, points=len(grid), splits=1, measure="error",
                      value=test_error(), paper=error, seconds=f"{sum(r.seconds for r in runs):.1f}",
                      cpu_s=f"{sum(r.cpu for r in runs):.1f}", exact_seconds=f"{written:.1f}", paper_seconds=seconds)]
        once = common.run([*linear, "-e", 1e-6, "-c", C, train, model])
        lines.append(line("8", name, f"liblinear, once, C {C:g}, -e 1e-6", n, splits=1, measure="error",
                          value=test_error(), seconds=f"{once.seconds:.1f}", cpu_s=f"{once.cpu:.1f}"))
        with gzip.open(source, "rt") as file:
            (folder / "plain").write_text(file.read())
        used, start = common.cpu_of_children(), time.perf_counter()
        try:
            subprocess.run(["svm-train", "-q", "-t", "1", "-d", "2", "-r", "1", "-g", str(gamma), "-c", str(C),
                            folder / "plain", model], timeout=args.limit, check=True)
            cut = ""
        except subprocess.TimeoutExpired:
            cut = ", cut off"
        lines.append(line("8", name, "svm-train, once" + cut, n, splits=1,
                          seconds=f"{time.perf_counter() - start:.1f}", cpu_s=f"{common.cpu_of_children() - used:.1f}"))
    return [{**row, "set": "liblinear-" + name} for row in lines]


def run_set(args, name, refused):
    kind, _, rest = name.partition("-")
    if kind in ("path", "liblinear"):
        return path_set(args, rest) if kind == "path" else liblinear_set(args, rest)
    if name in LARGE:
        return large_set(args, name)
    if name == "artificial":
        return artificial_set(args, refused)
    return spam_set(args, refused) if name == "spambase" else raetsch_set(args, name, refused)


def main():
    args, refused = common.comparison_options(__doc__, "bonidal.csv", SETS, splits=100, more=[
        ("--splits-large", 30, "splits of " + ", ".join(FEW) + ", realizations of table 6"),
        ("--limit", 60, "seconds of svm-train")]), set()
    args.splits_large = min(args.splits, args.splits_large)
    if args.quick and args.only == ",".join(SETS[:2]):
        args.only = QUICK
    args.density = "density" in common.run([args.binary, "help", "train"]).out
    landmarks = "density" if args.density else "uniform, as this program has no density"
    common.run_sets(args, f"the paper's sizes and thresholds; landmarks of fewer than 4000 rows: {landmarks}",
                    lambda name: run_set(args, name, refused))


main()
