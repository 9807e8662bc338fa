#!/usr/bin/python3
"""Test error rates (TER, %) of approximate model selection for LS-SVM (Ding and Liao 2012, table 2), and nysel's.

    dingliao.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

N (20; the paper has 100, for splice and image 20) partitions of the paper's sizes: the published ones as far as there
are any (heart, ringnorm: 10), else random ones. Ways to train:
    exact       5-fold cross-validation of the exact machine over the paper's grid (13 gammas x 11 mus), by error
    algorithm2  the paper's Algorithm 2: c = 0.1 n uniform landmarks, rank 0.5 c, the same grid, alpha on all rows
    retrained   the exact machine at the point that algorithm2 found (the paper can be read either way)
    landmarks   nysel's defaults with c landmarks
    defaults    nysel's defaults
gamma = 1 / (2 sigma^2) of 2^-15, 2^-13 .. 2^9 is a bandwidth of 2^7 .. 2^-5; mu of 2^-15 .. 2^5 is C = 1 / mu. Inputs
are standardised by the training rows for all (splice, flare-solar and breast-cancer are not in the files as they are
here). z as in the paper, (mean difference) / sqrt(sum of squared standard errors), below 0 is better: z_paper against
the paper's row (algorithm2, retrained, landmarks: its approximate one; else its exact one), z_exact against our own
exact one. 1.64 is significant at 95 %. Seconds: the whole `nysel train`; the paper's: selection only.
"""
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402

common.need_numpy()
# name: training and test rows, replications; TER, its deviation and seconds: exact, approximate
SETS = {
    "thyroid": (140, 75, 100, (4.680, 2.246, 1.043), (4.800, 2.359, 0.508)),
    "heart": (170, 100, 100, (16.750, 3.616, 1.127), (16.080, 3.678, 0.623)),
    "breast-cancer": (200, 77, 100, (27.012, 4.636, 1.671), (26.454, 4.675, 0.725)),
    "banana": (400, 4900, 100, (10.758, 0.590, 7.105), (10.941, 0.713, 1.960)),
    "ringnorm": (400, 7000, 100, (2.044, 0.358, 7.601), (2.872, 3.895, 2.058)),
    "twonorm": (400, 7000, 100, (2.528, 0.234, 7.097), (2.446, 0.163, 2.213)),
    "waveform": (400, 4600, 100, (10.172, 0.783, 7.423), (10.352, 1.054, 2.378)),
    "diabetis": (468, 300, 100, (23.583, 1.738, 10.760), (23.406, 1.700, 2.727)),
    "flare-solar": (666, 400, 100, (34.230, 1.965, 19.477), (34.230, 1.860, 5.446)),
    "german": (700, 300, 100, (23.890, 2.231, 24.501), (23.943, 2.304, 6.740)),
    "splice": (1000, 2175, 20, (11.326, 0.547, 42.210), (13.862, 1.304, 14.275)),
    "image": (1300, 1010, 20, (2.876, 0.725, 141.792), (4.628, 0.944, 28.743)),
}
GRID = ["--kernel", "rbf", "--criterion", "cv", "--folds", 5, "--search", "grid", "--bandwidth", "-5:7:1",
        "--C", "-5:15:2", "--select-on", "error"]


def retrained(found):
    if "algorithm2" not in found:
        return None
    return common.fixed(found["algorithm2"].record, "all") + ["--criterion", "cv", "--folds", 5]


def ways(n):
    c = round(0.1 * n)
    return {"exact": ["--landmarks", "all", *GRID],
            "algorithm2": ["--landmarks", c, "--rank", max(c // 2, 1), "--landmark-method", "uniform",
                           "--expansion", "training", *GRID],
            "retrained": retrained, "landmarks": ["--landmarks", c], "defaults": []}


def run_set(args, name, refused):
    data = common.read_all("raetsch_" + name)
    if not data:
        return []
    train, test, replications, exact, approximate = SETS[name]
    found = common.compare(args, data[0], common.raetsch_splits(name, data[1], train, test, args.splits),
                           ways(train), refused)
    ter = {way: [100 * t.metrics["error"] for t in trials] for way, trials in found.items()}
    lines = []
    for way, values in ter.items():
        mean, sd = common.mean_sd(values)
        peer = exact if way in ("exact", "defaults") else approximate
        ours = ter.get("exact", values)
        lines.append({"set": name, "rows": train, "way": way, "splits": len(values), "paper_exact": exact[0],
                      "paper_exact_sd": exact[1], "paper_approximate": approximate[0],
                      "paper_approximate_sd": approximate[1], "nysel": f"{mean:.3f}",
                      "nysel_sd": common.text(sd, ".3f"),
                      "z_paper": common.z(mean, sd, len(values), peer[0], peer[1], replications),
                      "z_exact": common.z(mean, sd, len(values), *common.mean_sd(ours), len(ours)),
                      "seconds": f"{statistics.mean(t.seconds for t in found[way]):.3f}",
                      "paper_seconds": peer[2]})
    return lines


def main():
    args, refused = common.comparison_options(__doc__, "dingliao.csv", SETS, splits=20), set()
    common.run_sets(args, "the paper's sizes and grid", lambda name: run_set(args, name, refused))


main()
