#!/usr/bin/python3
"""What --ard and --select-inputs bring on real data: test error beside that of the defaults on the same random splits.

    relevance.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

N (3) splits, two thirds for training. error: percentage wrong, or MSE; change: against the defaults, mean over splits
with its standard error; kept: columns on average; ratio: time beside the defaults'. noise46: 10,000 generated rows of 50
inputs, 46 of which are noise.
"""
import common

np = common.need_numpy()
SETS = ["noise46", "housing", "concrete", "mpg", "abalone", "cpusmall", "pima_diabetes", "heart_statlog", "australian",
        "sonar", "ionosphere", "raetsch_german", "raetsch_image", "spambase", "satimage"]
WAYS = {"defaults": [], "ard": ["--ard"], "select": ["--select-inputs"]}


def noise46(seed):
    rng = np.random.RandomState(seed)
    X = rng.randn(15000, 50)
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] ** 2 + 0.2 * rng.randn(15000)
    rows = [[f"{v:.6g}" for v in (*x, t)] for x, t in zip(X, y)]
    return rows[:10000], rows[10000:]


def run_set(args, name):
    if name == "noise46":
        header = [f"x{i}" for i in range(1, 51)] + ["target"]
        splits = [lambda seed=seed: noise46(seed) for seed in range(min(args.splits, 1))]
    else:
        data = common.read_all(name)
        if not data:
            return []
        header, rows = data
        splits = [lambda seed=seed: common.random_split(rows, seed) for seed in range(args.splits)]
    found = common.compare(args, header, splits, WAYS, set())
    lines = []
    for way, trials in found.items():
        measure = "mse" if "mse" in trials[0].metrics else "error"
        errors, base = ([t.metrics["mse"] if measure == "mse" else 100 * t.metrics["error"] for t in found[w]]
                        for w in (way, "defaults"))
        change, sd = common.mean_sd([100 * (e / b - 1) for e, b in zip(errors, base)])
        inputs = trials[0].record["inputs"]
        kept = np.mean([sum(i["kept"] for i in t.record["inputs"]) for t in trials]) if inputs else ""
        lines.append({"set": name, "rows": trials[0].record["data"]["rows"], "splits": len(trials), "measure": measure,
                      "way": way, "error": f"{common.mean_sd(errors)[0]:.3g}", "change": f"{change:+.0f}",
                      "change_se": common.text(sd / len(trials) ** 0.5, ".0f"),
                      "columns": len(inputs) if inputs else "", "kept": f"{kept:.1f}" if inputs else "",
                      "seconds": f"{np.mean([t.seconds for t in trials]):.2f}",
                      "ratio": f"{np.median([t.seconds / b.seconds for t, b in zip(trials, found['defaults'])]):.1f}"})
    return lines


def main():
    args = common.comparison_options(__doc__, "relevance.csv", SETS, splits=3)
    common.run_sets(args, "defaults otherwise", lambda name: run_set(args, name))


main()
