#!/usr/bin/python3
"""The linear lines of De Brabanter et al. (2010, tables 10 and 12) with the bias free and penalised as LS-SVMlab has it.

    bias.py BINARY [--splits N] [--only NAME,...] [--extra "OPTIONS"] [--jobs N] [--quick] [--out FILE]

Splits, sizes and numbers of landmarks m are those of debrabanter.py. Variants of each line, all linear:

    default     nysel's own: free bias, C by the squared error held out
    error       free bias, C by the misclassification rate (--select-on error), which is what the paper tunes by
    penalised   the same with --bias penalised --bias-penalty m: eq. (7) with the features of LS-SVMlab, which are
                sqrt(m) times those of the paper (C = m gamma)
    by itself   minimum output coding only: the same, each output trained as two classes of its own, so that C is
                chosen by the output's own errors, and decoded here by Hamming distance, ties by the first class. nysel
                itself chooses one C for all outputs by the errors of their decisions.

accuracy is the percentage of right labels; in_se is the difference to the paper in standard errors of both means.
"""
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402
import debrabanter  # noqa: E402


def options(m):
    by_error = ["--select-on", "error"]
    return {"default": [], "error": by_error, "penalised": [*by_error, "--bias", "penalised", "--bias-penalty", m]}


def by_itself(binary, header, train, test, m, extra):
    """Percentage of right labels where every output of minimum output coding is a model of its own; its seconds."""
    labels = sorted({row[-1] for row in train})
    code = {label: k for k, label in enumerate(labels)}
    bits, said, seconds = (len(labels) - 1).bit_length(), [], 0.0
    with tempfile.TemporaryDirectory(prefix="nysel_bench_") as where:
        data, fresh, model = (pathlib.Path(where) / name for name in ("train.csv", "test.csv", "model.nysel"))
        common.write_rows(fresh, header[:-1], [row[:-1] for row in test])
        for j in range(bits):
            common.write_rows(data, header, [[*row[:-1], f"bit{code[row[-1]] >> j & 1}"] for row in train])
            done, _ = common.train(binary, data, model, "--kernel", "linear", "--landmarks", m,
                                   *options(m)["penalised"], *extra)
            seconds += done.seconds
            out = common.run([binary, "predict", model, fresh, "--quiet"]).out.split("\n")[1:-1]
            said.append([line.split(",")[0] == "bit1" for line in out])
    right = 0
    for i, row in enumerate(test):
        wrong = [sum(said[j][i] != bool(k >> j & 1) for j in range(bits)) for k in range(len(labels))]
        right += labels[wrong.index(min(wrong))] == row[-1]
    return 100 * right / len(test), seconds


def line(name, coding, variant, accuracies, seconds):
    paper, paper_sd, _ = debrabanter.LINEAR[name][coding]
    mean, sd = common.mean_sd(accuracies)
    error = math.sqrt(sd ** 2 / len(accuracies) + paper_sd ** 2 / debrabanter.PAPER_SPLITS)
    return {"set": name, "coding": coding, "variant": variant, "landmarks": debrabanter.SETS[name][0],
            "splits": len(accuracies), "paper": paper, "paper_sd": paper_sd, "nysel": f"{mean:.4g}",
            "nysel_sd": common.text(sd, ".2g"), "in_se": common.text((mean - paper) / error, "+.1f"),
            "seconds": f"{sum(seconds) / len(seconds):.3f}"}


def run_set(args, name, refused):
    data = debrabanter.read(name)
    if not data:
        return []
    header, rows = data
    m, train, test = debrabanter.SETS[name][:3]
    small = len(rows) < debrabanter.SMALL
    count = args.splits or (debrabanter.SPLITS_SMALL if small else debrabanter.SPLITS_LARGE)
    splits = [lambda seed=seed: common.random_split(rows, seed, train, test) for seed in range(count)]
    variants = {(coding, variant): ["--kernel", "linear", "--landmarks", m, *more,
                                 *(["--multiclass", coding] if coding else [])]
                for coding in debrabanter.LINEAR[name] for variant, more in options(m).items()}
    lines = [line(name, coding, variant, [100 * (1 - t.metrics["error"]) for t in trials], [t.seconds for t in trials])
             for (coding, variant), trials in common.compare(args, header, splits, variants, refused).items()]
    if "moc" in debrabanter.LINEAR[name]:
        found = [by_itself(args.binary, header, *split(), m, args.extra.split()) for split in splits]
        lines.append(line(name, "moc", "by itself", *zip(*found)))
    return lines


def main():
    args, refused = common.comparison_options(__doc__, "bias.csv", debrabanter.LINEAR), set()
    common.run_sets(args, "linear kernel, the paper's number of landmarks", lambda name: run_set(args, name, refused))


if __name__ == "__main__":
    main()
