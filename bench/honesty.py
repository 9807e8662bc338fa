#!/usr/bin/python3
"""Are the figures true? Expected errors, their limits and simple rivals, on fresh rows.

    honesty.py BINARY [--parts sets,coverage,intervals] [--only NAME,...] [--splits N] [--first K] [--full] [--jobs N]

sets       every real set: the expected error and its 95% limits, the error on fresh rows, and what three simple ways
           make of the same rows: always the same answer, a linear model (ridge, its penalty by leave-one-out), the 10
           nearest neighbours. Means over five splits or more: of one alone a few dozen errors are 20% more or less by
           chance. Above 1000 rows there are more, up to 30, until the ratio's standard error over them is below 3%.
           Fails where n >= 1000 and fresh / expected is not within 0.85 .. 1.15, or where nysel is worse than the best
           simple one by more than a standard error of the difference on the fresh rows. inside: share of the splits
           whose 95% limits hold the fresh error.
coverage   how often the 95% limits hold the error on fresh rows: 12 sets of 50 to 1000 rows, 40 splits each, all other
           rows are fresh. Fails outside of 90 .. 98% over all. Rules were chosen on splits 0 to 19: `chosen` and
           `fresh` tell the two halves apart.
intervals  predict --interval 0.95 on ten regression sets: share of targets inside, and the Gaussian negative log
           likelihood beside that of a constant width (the standard deviation of held-out errors). Fails where it is above on more than two sets.

Training takes at most 3000 rows and tests 5000 (--full: two thirds, and the rest). Results: honesty_sets.csv,
honesty_coverage.csv, honesty_intervals.csv. numpy is all it needs. Exit status 1: something failed.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import sys
import tempfile

import common

np = common.need_numpy()
MOST, FRESH = 3000, 5000
SURE, SPLITS_MOST = 0.03, 30  # the standard error of fresh / expected that is wanted, and the splits that may take
MISSING = {"", "?", "NA", "nan"}
OPTIONS = {"adult": ["--missing", "mean"], "breast-cancer-ljubljana": ["--missing", "mean"], "mnist": ["--scale", "none"],
           "kddcup": ["--task", "multiclass"]}  # 23 codes of classes: by default more than 20 whole numbers are numbers
NUMBERS = ["bodyfat", "mpg", "housing", "concrete", "abalone", "cpusmall", "pyrim", "triazines", "keggundirected"]
CLASSES = ["a2a", "adult", "australian", "breast-cancer-ljubljana", "breast-cancer-wisconsin", "covtype_part", "crabs",
           "german.numer", "heart_statlog", "ijcnn1", "ionosphere", "kddcup", "letter", "liver-disorders", "magic04", "mnist",
           "optdigits", "pendigits", "pima_diabetes", "raetsch_banana", "raetsch_flare-solar", "raetsch_image",
           "raetsch_ringnorm", "raetsch_splice", "raetsch_thyroid", "raetsch_titanic", "raetsch_twonorm",
           "raetsch_waveform", "ripley_synth", "satimage", "shuttle", "sonar", "spambase"]
COVERAGE = {"housing": [50], "mpg": [50], "concrete": [100], "abalone": [100], "keggundirected": [200],
            "cpusmall": [200, 1000], "raetsch_waveform": [50], "pima_diabetes": [100], "spambase": [200],
            "magic04": [500], "satimage": [1000]}
INTERVALS = ["bodyfat", "mpg", "housing", "concrete", "abalone", "cpusmall", "triazines", "keggundirected", "sinc",
             "friedman"]


# ---- data ------------------------------------------------------------------------------------------------------------

def generated(name):
    rng = np.random.RandomState(7)
    x = rng.uniform(-10, 10, (3000, 1)) if name == "sinc" else rng.uniform(0, 1, (3000, 10))
    y = np.sinc(x[:, 0] / np.pi) + 0.1 * rng.randn(3000) if name == "sinc" else (
        10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4] + rng.randn(3000))
    return [*(f"x{j}" for j in range(x.shape[1])), "target"], [[repr(float(v)) for v in (*a, b)] for a, b in zip(x, y)]


def read(name, full):
    """Header and rows of a set, some of a huge one; None when it is not there."""
    if name in ("sinc", "friedman"):
        return generated(name)
    sparse = (common.data_dir() / f"{name}.svm.gz").exists()
    found = common.read_sparse(name) if sparse else common.read_all(name)
    if found and len(found[1]) > 20000 and not full:
        order = np.random.RandomState(0).permutation(len(found[1]))[:20000]
        return found[0], [found[1][i] for i in order]
    return found


def column(train, test):
    """One column of both parts as scaled numbers, a category as one 0/1 column for each level."""
    try:
        a, b = (np.array([math.nan if t in MISSING else float(t) for t in part]) for part in (train, test))
        mean, sd = np.nanmean(a), np.nanstd(a) or math.inf
        return [np.nan_to_num((v - mean) / sd, nan=0.0)[:, None] for v in (a, b)]
    except ValueError:
        levels = sorted(set(train) - MISSING)
        return [np.array([[t == level for level in levels] for t in part], float) for part in (train, test)]


def matrices(train, test):
    pairs = [column(a, b) for a, b in zip(list(zip(*train))[:-1], list(zip(*test))[:-1])]
    return np.hstack([a for a, _ in pairs]), np.hstack([b for _, b in pairs])


# ---- simple rivals: what they cost on each fresh row -------------------------------------------------------------------

def linear(X, Y, T):
    """Ridge with an intercept; of eleven penalties the one with the least leave-one-out error."""
    mean_x, mean_y = X.mean(0), Y.mean(0)
    U, s, V = np.linalg.svd(X - mean_x, full_matrices=False)
    best, P = math.inf, U.T @ (Y - mean_y)
    for penalty in np.logspace(-4, 6, 11):
        d = s ** 2 / (s ** 2 + penalty)
        left = 1 - 1 / len(X) - (U ** 2) @ d
        loss = np.mean(((Y - mean_y - U @ (d[:, None] * P)) / np.maximum(left, 1e-9)[:, None]) ** 2)
        if loss < best:
            best, W = loss, V.T @ ((s / (s ** 2 + penalty))[:, None] * P)
    return (T - mean_x) @ W + mean_y


def neighbours(X, Y, T, k=10):
    out = np.empty((len(T), Y.shape[1]))
    for first in range(0, len(T), 1000):
        part = T[first:first + 1000]
        D = (part ** 2).sum(1)[:, None] + (X ** 2).sum(1) - 2 * part @ X.T
        near = np.argpartition(D, min(k, len(X) - 1), 1)[:, :k]
        out[first:first + 1000] = Y[near].mean(1)
    return out


def rivals(train, test, numbers):
    """{name: losses on the test rows}: squared errors or 1 for a wrong class."""
    X, T = matrices(train, test)
    if numbers:
        y, t = (np.array([float(r[-1]) for r in part]) for part in (train, test))
        return {"baseline": (t - y.mean()) ** 2, "linear": (t - linear(X, y[:, None], T)[:, 0]) ** 2,
                "10nn": (t - neighbours(X, y[:, None], T)[:, 0]) ** 2}
    names = sorted({r[-1] for r in train})
    y, t = ([r[-1] for r in part] for part in (train, test))
    Y = np.array([[label == name for name in names] for label in y], float)
    said = {"baseline": np.full(len(t), Y.sum(0).argmax()), "linear": linear(X, Y, T).argmax(1),
            "10nn": neighbours(X, Y, T).argmax(1)}
    return {k: np.array([names[i] != label for i, label in zip(v, t)], float) for k, v in said.items()}


# ---- nysel -----------------------------------------------------------------------------------------------------------

def learn(args, folder, name, header, train, test):
    """The record of a training with the defaults; files train.csv, test.csv and m.nysel in the folder."""
    common.write_rows(folder / "train.csv", header, train)
    common.write_rows(folder / "test.csv", header, test)
    task = ["--task", "regression"] if name in NUMBERS + INTERVALS else []
    return common.train(args.binary, folder / "train.csv", folder / "m.nysel", "--threads", "1", *task,
                        *OPTIONS.get(name, []), *args.extra.split())[1]


def own_losses(args, folder, name, test, numbers):
    out = json.loads(common.run([args.binary, "predict", folder / "m.nysel", folder / "test.csv", "--json", "-", "--quiet",
                                 "--threads", "1", *(["--missing", "mean"] if "--missing" in OPTIONS.get(name, []) else [])]).out)
    out = out["prediction"]
    if numbers:
        return (np.array(out, float) - np.array([float(r[-1]) for r in test])) ** 2
    same = lambda a, b: str(a) == b or (number(a) is not None and number(a) == number(b))
    return np.array([not same(a, r[-1]) for a, r in zip(out, test)], float)


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def split(rows, seed, train, fresh):
    return common.random_split(rows, seed, train, min(fresh, len(rows) - train))


# ---- parts -------------------------------------------------------------------------------------------------------------

def one_set(args, name):
    found = read(name, args.full)
    if not found:
        return None
    header, rows = found
    numbers = name in NUMBERS
    mean = (lambda v: math.sqrt(np.mean(np.square(v)))) if numbers else np.mean  # of errors, as that of all fresh rows
    n = len(rows) * 2 // 3 if args.full else min(len(rows) * 2 // 3, MOST)
    expected, lower, upper, inside, ratios, own, simple = [], [], [], [], [], [], {}
    for seed in range(SPLITS_MOST):
        if seed >= args.repeats and (n < 1000 or unsure(ratios) < SURE):
            break
        train, test = split(rows, seed, n, len(rows) if args.full else FRESH)
        said, losses = one_split(args, name, header, train, test, numbers)
        error = math.sqrt(losses.mean()) if numbers else losses.mean()
        expected.append(said["error"]), lower.append(said["error_lower"]), upper.append(said["error_upper"])
        inside.append(said["error_lower"] <= error <= said["error_upper"])
        ratios.append(error / max(said["error"], 1 / n))
        own.append(losses)
        for k, v in rivals(train, test, numbers).items():
            simple.setdefault(k, []).append(v)
    return judge(name, n, len(test), numbers, [*map(mean, (expected, lower, upper)), np.mean(inside)], np.concatenate(own),
                 {k: np.concatenate(v) for k, v in simple.items()}, len(own))


def unsure(ratios):
    """The standard error of their mean; of a single one nothing is known."""
    return np.std(ratios, ddof=1) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.inf


def one_split(args, name, header, train, test, numbers):
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        said = learn(args, folder, name, header, train, test)["criterion"]
        return said, own_losses(args, folder, name, test, numbers)


def judge(name, n, fresh_rows, numbers, said, own, simple, repeats):
    """own, simple: losses of all splits, whose fresh rows are largely the same: errors count those of one."""
    expected, lower, upper, inside = said
    best = min(simple, key=lambda k: simple[k].mean())
    worse = own - simple[best]
    z = worse.mean() / (worse.std() / math.sqrt(len(worse) / repeats) or math.inf)
    show = lambda v: f"{math.sqrt(v.mean()) if numbers else v.mean():.4g}"
    fresh = float(show(own))
    ratio = fresh / expected if expected else math.inf
    off = n >= 1000 and not 0.85 <= ratio <= 1.15
    wrong = [text for text, bad in (("expected", off), (best, z > 1)) if bad]
    return {"set": name, "rows": n, "fresh_rows": fresh_rows, "splits": repeats, "expected": f"{expected:.4g}",
            "lower": f"{lower:.4g}", "upper": f"{upper:.4g}", "fresh": show(own),
            "ratio": f"{ratio:.3f}", "inside": f"{inside:.1f}",
            **{k: show(v) for k, v in simple.items()}, "best": best, "z": f"{z:+.2f}", "fails": " ".join(wrong)}


def covered(args, name, header, rows, n, seed):
    train, test = split(rows, seed, n, len(rows))
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        said = learn(args, folder, name, header, train, test)["criterion"]
        metrics = common.test(args.binary, folder / "m.nysel", folder / "test.csv", "--threads", "1")
    fresh = metrics["rmse"] if name in NUMBERS else metrics["error"]
    return said["error"], said["stderr"], said["error_lower"], said["error_upper"], fresh


def coverage(args, pool, name):
    found = read(name, False)
    if not found:
        return []
    header, rows = found
    if len(rows) > 10000:
        rows = rows[:10000] if len(rows) == 20000 else common.random_split(rows, 12345, 10000, 1)[0]
    table = []
    for n in COVERAGE[name]:
        seeds = range(args.first, args.first + args.splits)
        results = list(pool.map(lambda seed: covered(args, name, header, rows, n, seed), seeds))
        error, old, lower, upper, fresh = (np.array(v, float) for v in zip(*results))
        inside = (lower <= fresh) & (fresh <= upper)
        part = lambda wanted: common.text(float(np.mean([i for i, s in zip(inside, seeds) if wanted(s)] or [math.nan])), ".3f")
        table.append({"set": name, "rows": n, "fresh_rows": len(rows) - n, "splits": len(seeds),
                      "coverage": f"{inside.mean():.3f}", "above": f"{(fresh > upper).mean():.3f}",
                      "below": f"{(fresh < lower).mean():.3f}", "chosen": part(lambda s: s < 20),
                      "fresh": part(lambda s: s >= 20), "two_stderr": f"{(abs(fresh - error) <= 1.96 * old).mean():.3f}",
                      "upper_over_lower": f"{np.median(upper / np.maximum(lower, 1e-12)):.2f}",
                      "fresh_over_expected": f"{np.median(fresh / np.maximum(error, 1e-12)):.3f}"})
    return table


def gaussian_nll(e, sd):
    return float(np.mean(0.5 * np.log(2 * np.pi * sd ** 2) + 0.5 * (e / sd) ** 2))


def intervals(args, name):
    found = read(name, False)
    if not found:
        return None
    header, rows = found
    n = min(len(rows) * 2 // 3, 1000)
    train, test = split(rows, 0, n, FRESH)
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        folder = pathlib.Path(where)
        said = learn(args, folder, name, header, train, test)["criterion"]
        out = json.loads(common.run([args.binary, "predict", folder / "m.nysel", folder / "test.csv", "--json", "-",
                                     "--interval", 0.95, "--quiet", "--threads", "1"]).out)
    y = np.array([float(r[-1]) for r in test])
    f, lower, upper = (np.array(out[k]) for k in ("prediction", "lower", "upper"))
    sd = np.hypot(np.array(out["noise_sd"]), np.array(out["model_sd"]))
    own, constant = gaussian_nll(y - f, sd), gaussian_nll(y - f, np.full(len(y), said["error"]))
    return {"set": name, "rows": n, "fresh_rows": len(test), "coverage": f"{np.mean((lower <= y) & (y <= upper)):.3f}",
            "width": f"{np.mean(upper - lower) / y.std():.3f}",
            "constant_coverage": f"{np.mean(np.abs(y - f) <= 1.96 * said['error']):.3f}",
            "nll": f"{own:.4f}", "constant_nll": f"{constant:.4f}", "fails": "nll" if own > constant else ""}


# ---- the run -----------------------------------------------------------------------------------------------------------

def careful(work, name):
    """What the work makes of the set; a failure is said and leaves the others alone."""
    try:
        return work(name)
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        print(f"FAILED: {name}: {str(error).strip().splitlines()[-1]}", file=sys.stderr)
        return {"set": name, "fails": "run"}


def keep(args, part, rows, options):
    rows = [{**dict.fromkeys(max(rows, key=len), ""), **row} for row in rows]
    common.show(rows, list(rows[0]))
    common.save(None if args.only and not args.out else pathlib.Path(args.out or common.RESULTS) / f"honesty_{part}.csv",
                rows, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--parts", default="sets,coverage,intervals")
    parser.add_argument("--only", help="these sets, comma separated; bench/results stays unless --out is given")
    parser.add_argument("--splits", type=int, default=40, help="of coverage")
    parser.add_argument("--repeats", type=int, default=5, help="splits of each set in the part sets")
    parser.add_argument("--first", type=int, default=0, help="number of the first split of coverage")
    parser.add_argument("--full", action="store_true", help="all rows of every set; else 20,000 of the huge ones")
    parser.add_argument("--quick", action="store_true", help="four splits, six sets: shows that everything works")
    parser.add_argument("--jobs", type=int, default=2, help="trainings at a time, one thread each")
    parser.add_argument("--extra", default="", help="more options of nysel train, in one text")
    parser.add_argument("--out", help=f"folder of the results; default: {common.RESULTS}")
    args = parser.parse_args()
    if args.quick:
        args.splits, args.only = 4, args.only or "housing,mpg,pima_diabetes,raetsch_waveform,bodyfat,concrete"
    wanted = lambda names: [name for name in names if not args.only or name in args.only.split(",")]
    failed = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        if "sets" in args.parts.split(","):
            rows = [row for row in pool.map(lambda name: careful(lambda n: one_set(args, n), name),
                                            wanted(NUMBERS + CLASSES)) if row]
            keep(args, "sets", rows, "nysel defaults, one thread" + ("; full" if args.full else ""))
            failed += [f"{row['set']}: {row['fails']}" for row in rows if row["fails"]]
        if "coverage" in args.parts.split(","):
            rows = [row for name in wanted(COVERAGE) for row in coverage(args, pool, name)]
            keep(args, "coverage", rows, "nysel defaults, one thread; 95% limits")
            mean = sum(float(row["coverage"]) for row in rows) / len(rows)
            print(f"\nall: {mean:.3f} (should be 0.90 to 0.98)")
            failed += [f"coverage: {mean:.3f}"] if not 0.9 <= mean <= 0.98 and not args.only else []
        if "intervals" in args.parts.split(","):
            rows = [row for row in pool.map(lambda name: careful(lambda n: intervals(args, n), name), wanted(INTERVALS)) if row]
            keep(args, "intervals", rows, "nysel defaults, one thread; predict --interval 0.95")
            above = [row["set"] for row in rows if row["fails"]]
            failed += [f"intervals: {', '.join(above)}"] if len(above) > 2 else []
    for text in failed:
        print(f"does not hold: {text}", file=sys.stderr)
    sys.exit(bool(failed))


main()
