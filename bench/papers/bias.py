#!/usr/bin/python3
"""The linear lines of De Brabanter et al. (2010, tables 10 and 12) with the bias free and penalised as LS-SVMlab has it.

    bias.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

Splits, sizes and numbers of landmarks m are those of debrabanter.py. Three variants of each line, all linear:

    default     nysel's own: free bias, C by the squared error held out
    error       free bias, C by the misclassification rate (--select-on error), which is what the paper tunes by
    penalised   the same with --bias penalised --bias-penalty m: eq. (7) with the features of LS-SVMlab, which are
                sqrt(m) times those of the paper (C = m gamma)

accuracy is the percentage of right labels; in_se is the difference to the paper in standard errors of both means.
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
import debrabanter  # noqa: E402


def options(m):
    by_error = ["--select-on", "error"]
    return {"default": [], "error": by_error, "penalised": [*by_error, "--bias", "penalised", "--bias-penalty", m]}


def run_set(args, name, refused):
    data = debrabanter.read(name)
    if not data:
        return []
    header, rows = data
    m, train, test = debrabanter.SETS[name][:3]
    small = len(rows) < debrabanter.SMALL
    count = args.splits or (debrabanter.SPLITS_SMALL if small else debrabanter.SPLITS_LARGE)
    splits = [lambda seed=seed: common.random_split(rows, seed, train, test) for seed in range(count)]
    variants = {(coding, bias): ["--kernel", "linear", "--landmarks", m, *more,
                                 *(["--multiclass", coding] if coding else [])]
                for coding in debrabanter.LINEAR[name] for bias, more in options(m).items()}
    lines = []
    for (coding, bias), trials in common.compare(args, header, splits, variants, refused).items():
        paper, paper_sd, _ = debrabanter.LINEAR[name][coding]
        mean, sd = common.mean_sd([100 * (1 - t.metrics["error"]) for t in trials])
        error = math.sqrt(sd ** 2 / len(trials) + paper_sd ** 2 / debrabanter.PAPER_SPLITS)
        lines.append({"set": name, "coding": coding, "variant": bias, "landmarks": m, "splits": len(trials),
                      "paper": paper, "paper_sd": paper_sd, "nysel": f"{mean:.4g}", "nysel_sd": common.text(sd, ".2g"),
                      "in_se": common.text((mean - paper) / error, "+.1f"),
                      "seconds": f"{sum(t.seconds for t in trials) / len(trials):.3f}"})
    return lines


def main():
    args, refused = common.comparison_options(__doc__, "bias.csv", debrabanter.LINEAR), set()
    common.run_sets(args, "linear kernel, the paper's number of landmarks", lambda name: run_set(args, name, refused))


if __name__ == "__main__":
    main()
