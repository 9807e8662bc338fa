#!/usr/bin/python3
"""Do robust machines stay where they are when some targets are wrong?

    robust.py BINARY [--only SET,...] [--machines NAME,...] [--shares P,...] [--off SIZE,...] [--seeds N|A-B]
              [--out FILE]

A share of the training targets is moved by `off` times the noise (real sets: times the standard deviation of the
target), to both sides or all upwards. The error on clean fresh rows (root mean square; mean absolute for quantile) is
divided by that of the same machine trained on the clean targets. The goal is at most 1.10, and 1.30 where a fifth of
the targets is wrong. Beside it stand the ratio's standard error over the fresh rows, on which both machines are judged,
and the oracle's ratio: the same machine, trained on the rows that are right. Cases above the goal are counted, and those
that are so by more than the standard error: of the others the fresh rows do not tell.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

import common

np = common.need_numpy()
REAL = ["housing", "concrete"]
SETS = ["sinc", "friedman", "steep", "wide", *REAL]


def generated(name, rng):
    """Inputs, targets, standard deviation of the noise: 400 rows to train on, 1000 to test on."""
    n = 1400
    if name == "sinc":
        x, noise = rng.uniform(-10, 10, (n, 1)), 0.1
        y = np.sinc(x[:, 0] / np.pi)
    elif name == "steep":  # the noise is a thousandth of the signal
        x, noise = rng.uniform(-6, 6, (n, 1)), 0.01
        y = 10 * np.sin(x[:, 0])
    elif name == "wide":  # a linear signal in many inputs
        x, noise = rng.randn(n, 20), 1
        y = x[:, :5].sum(1)
    else:
        x, noise = rng.uniform(0, 1, (n, 10)), 1
        y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, y + noise * rng.randn(n), noise, 400


def load(name, seed):
    rng = np.random.RandomState(seed)
    if name not in REAL:
        return generated(name, rng)
    found = common.read_all(name)
    if not found:
        return None
    rows = np.array([[float(v) for v in row] for row in found[1]])
    rows = rows[rng.permutation(len(rows))]
    return rows[:, :-1], rows[:, -1], rows[:, -1].std(), len(rows) // 2


def spoilt(y, share, off, noise, sides, seed):
    rng = np.random.RandomState(1000 + seed)
    y = y.copy()
    wrong = rng.permutation(len(y))[:max(1, round(share * len(y)))]
    sign = rng.choice([-1, 1], len(wrong)) if sides == "both" else 1
    y[wrong] += sign * off * noise
    return y


def losses(binary, folder, machine, x, y, train):
    """Those of the rows after `train`, whose targets are clean: squared or, for quantile, absolute errors."""
    header = [*(f"x{j}" for j in range(x.shape[1])), "y"]
    rows = [[repr(float(v)) for v in (*a, b)] for a, b in zip(x, y)]
    common.write_rows(folder / "train.csv", header, rows[:train])
    common.write_rows(folder / "test.csv", header, rows[train:])
    run = subprocess.run([binary, "train", folder / "train.csv", "-o", folder / "m.nysel", "--machine", machine,
                          "--threads", "1", "--quiet"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{machine}: {run.stderr}")
    said = subprocess.run([binary, "predict", folder / "m.nysel", folder / "test.csv"], capture_output=True, text=True)
    f = np.array([float(row["prediction"]) for row in csv.DictReader(said.stdout.splitlines())])
    away = np.abs(f - y[train:])
    return away if machine == "quantile" else away ** 2


def error(machine, loss):
    return float(loss.mean() if machine == "quantile" else np.sqrt(loss.mean()))


def standard_error(machine, loss, clean):
    """Of error(loss) / error(clean), losses of the same rows: r = mean a / mean b varies as mean(a - r b) / mean b does,
    and the root of r as half of that over the root."""
    r = loss.mean() / clean.mean()
    se = float(np.std(loss - r * clean) / clean.mean() / np.sqrt(len(loss)))
    return se if machine == "quantile" else se / (2 * np.sqrt(r))


def seeds_of(text):
    """"3": 0, 1, 2; "3-5": 3, 4, 5."""
    first, _, last = text.rpartition("-")
    return range(int(first), int(last) + 1) if first else range(int(last))


def main():
    parser = common.argparse.ArgumentParser(description=__doc__, formatter_class=common.argparse.RawTextHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--only", default=",".join(SETS))
    parser.add_argument("--machines", default="huber,svr,quantile")
    parser.add_argument("--shares", default="0.01,0.05,0.2")
    parser.add_argument("--off", default="10,1000,1e6")
    parser.add_argument("--seeds", type=seeds_of, default="1")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    table, worst, missed = [], {}, np.zeros(3, int)
    with tempfile.TemporaryDirectory() as name:
        for given in args.only.split(","):
            for seed in args.seeds:
                found = load(given, seed)
                if not found:
                    continue
                x, y, noise, train = found
                for machine in args.machines.split(","):
                    clean_losses = losses(args.binary, pathlib.Path(name), machine, x, y, train)
                    clean = error(machine, clean_losses)
                    print(f"{given:10} {machine:9} seed {seed}  clean {clean:.4g}  noise {noise:.3g}", flush=True)
                    for share in map(float, args.shares.split(",")):
                        right = spoilt(y[:train], share, 1, noise, "one", seed) == y[:train]
                        right = np.append(right, np.full(len(y) - train, True))
                        oracle = error(machine, losses(args.binary, pathlib.Path(name), machine, x[right], y[right],
                                                       int(right[:train].sum())))
                        for off in map(float, args.off.split(",")):
                            for sides in ("both", "one"):
                                bad = spoilt(y[:train], share, off, noise, sides, seed)
                                found_losses = losses(args.binary, pathlib.Path(name), machine, x,
                                                      np.concatenate([bad, y[train:]]), train)
                                got, se = error(machine, found_losses), standard_error(machine, found_losses,
                                                                                       clean_losses)
                                limit = 1.3 if share > 0.1 else 1.1
                                above, surely = got > limit * clean, got > (limit + se) * clean
                                table.append([given, seed, machine, share, off, sides, clean, got, got / clean,
                                              oracle / clean, se])
                                worst[machine, share] = max(worst.get((machine, share), 0), got / clean)
                                missed += np.array([1, above, surely])
                                print(f"  {share:4.0%} off by {off:<8g} {sides:4}  {got / clean:8.3f} +- {se:.3f}"
                                      f"  oracle {oracle / clean:.3f}"
                                      f"{f'  <- above {limit}' if above else ''}"
                                      f"{' by less than its error' if above and not surely else ''}", flush=True)
    for (machine, share), ratio in worst.items():
        print(f"worst of {machine} with {share:.0%} wrong: {ratio:.3f}")
    print("{} cases, {} above the goal, {} by more than the standard error".format(*missed))
    names = ["set", "seed", "machine", "share", "off", "sides", "clean", "error", "ratio", "oracle", "se"]
    common.save(args.out, [dict(zip(names, row)) for row in table], f"--shares {args.shares} --off {args.off}, "
                f"seeds {args.seeds[0]} to {args.seeds[-1]}, one thread")


if __name__ == "__main__":
    main()
