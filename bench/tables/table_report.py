"""What bench/tabular.py has measured: who wins, ties, loses; mean ranks; errors relative to the best.

The difference of two methods on a set is the mean over the splits both have. Its standard error is the larger of two:
the one that the differences of the splits show (their deviation / sqrt(splits)), and that of the test rows: on each
split the paired losses row by row, averaged as if splits were independent. Three or five splits alone often agree by
chance; the rows alone do not see that another training set gives another machine. A tie: at most one standard error.
Splits 0 to 2 (development) and 3, 4 (report) are told apart.
"""
import math

import numpy as np

import common
import table_losses

PARTS = {"development": (0, 1, 2), "report": (3, 4)}
ENOUGH = 0.8  # share of the sets that a method must have to be ranked


class Results:
    """Errors and losses of one group of splits."""

    def __init__(self, args, splits):
        asked = args.methods.split(",") if args.methods else None
        wanted = lambda r: (r["max_rows"] == str(args.max_rows) and r["set"] in args.only and int(r["split"]) in splits
                            and (not asked or r["method"] in asked or r["method"].split(":")[0] in asked))
        self.rows = {(r["set"], int(r["split"]), r["method"]): r for r in common.load(args.out) if wanted(r)}
        texts = {(*(r[c] for c in table_losses.KEY), r["version"]): r["losses"]
                 for r in common.load(table_losses.beside(args.out))}
        self.losses = {k: table_losses.unpacked(r, texts[*(r[c] for c in table_losses.KEY), r["version"]])
                       for k, r in self.rows.items()}
        self.methods = list(dict.fromkeys(k[2] for k in self.rows))
        self.sets = list(dict.fromkeys(k[0] for k in self.rows))

    def splits(self, name, *methods):
        return sorted({k for s, k, _ in self.rows if s == name and all((name, k, m) in self.rows for m in methods)})

    def mean(self, name, method, splits, column="error"):
        return float(np.mean([float(self.rows[name, k, method][column]) for k in splits]))

    def difference(self, name, a, b):
        """Mean difference of the errors (below 0: a is better) and its standard error; None where no split has both."""
        splits = self.splits(name, a, b)
        if not splits:
            return None
        each = [float(self.rows[name, k, a]["error"]) - float(self.rows[name, k, b]["error"]) for k in splits]
        over_splits = np.std(each, ddof=1) / math.sqrt(len(splits)) if len(splits) > 1 else 0.0
        over_rows = math.sqrt(np.mean([self.variance(name, k, a, b) for k in splits]) / len(splits))
        return float(np.mean(each)), max(over_splits, over_rows)

    def variance(self, name, split, a, b):
        """Of the difference on the test rows of one split. Classes: losses differ by wrong or not. Numbers: an RMSE r
        changes by loss / (2 r)."""
        row, (x, y) = self.rows[name, split, a], (self.losses[name, split, m] for m in (a, b))
        if row["task"] == "numbers":
            x, y = (v / (2 * (math.sqrt(v.mean()) or 1)) for v in (x, y))
        return np.var(x - y, ddof=1) / int(row["test_rows"])


def verdict(results, name, a, b):
    found = results.difference(name, a, b)
    return None if found is None else 0 if abs(found[0]) <= found[1] * (1 + 1e-9) else -1 if found[0] < 0 else 1


def duels(results, a):
    """A line for each rival of a: wins, ties, losses, and the sets that are lost with the difference in standard errors."""
    table = []
    for b in results.methods:
        both = {s: results.difference(s, a, b) for s in results.sets if b != a}
        both = {s: d for s, d in both.items() if d}
        if not both:
            continue
        found = [verdict(results, s, a, b) for s in both]
        z = {s: d[0] / d[1] if d[1] else float(np.sign(d[0])) for s, d in both.items()}
        lost = sorted((s for s, v in zip(both, found) if v == 1), key=z.get, reverse=True)
        held = found.count(-1) + found.count(0)
        table.append({"against": b, "sets": len(both), "wins": found.count(-1), "ties": found.count(0),
                      "losses": found.count(1), "wins or ties": f"{held / len(found):.0%}",
                      "lost on": ", ".join(f"{s} {z[s]:.1f}" for s in lost)})
    return table


def ranks(results, methods, sets):
    """Mean rank, geometric mean of the error over the least of these methods, the worst set, processor time, memory."""
    error, used = {}, {}
    for s in sets:
        splits = results.splits(s, *methods)
        rows = sum(int(results.rows[s, k, methods[0]]["test_rows"]) for k in splits)
        classes = results.rows[s, splits[0], methods[0]]["task"] == "classes"
        least = 0.5 / rows if classes else 1e-12  # no error on the test rows counts as half of one
        error[s] = {m: max(results.mean(s, m, splits), least) for m in methods}
        used[s] = {m: [results.mean(s, m, splits, c) for c in ("cpu_seconds", "peak_mb")] for m in methods}
    table = []
    for m in methods:
        place = [0.5 + sum(e[o] < e[m] for o in methods) + 0.5 * sum(e[o] == e[m] for o in methods) for e in error.values()]
        over = {s: e[m] / min(e.values()) for s, e in error.items()}
        worst = max(over, key=over.get)
        table.append({"method": m, "mean rank": f"{np.mean(place):.2f}", "best on": sum(p < 2 for p in place),
                      "error / least": f"{math.exp(np.mean(np.log(list(over.values())))):.3f}",
                      "worst": f"{worst} ({over[worst]:.2f})",
                      "median cpu s": f"{np.median([u[m][0] for u in used.values()]):.2f}",
                      "total cpu s": f"{sum(u[m][0] for u in used.values()):.0f}",
                      "largest MB": f"{max(u[m][1] for u in used.values()):.0f}"})
    return sorted(table, key=lambda line: float(line["mean rank"]))


def errors(results):
    """Mean error of every method on every set; `best`: the least possible one where it is known."""
    table = []
    for s in results.sets:
        line = {"set": s, "best": next(r["best"] for k, r in results.rows.items() if k[0] == s)}
        for m in results.methods:
            splits = results.splits(s, m)
            line[m] = f"{results.mean(s, m, splits):.4g}" if splits else ""
        table.append(line)
    return table


def report(args):
    for title, splits in PARTS.items():
        splits = [k for k in splits if k in args.splits]
        results = Results(args, splits) if splits else None
        if not results or not results.rows:
            continue
        size = f"at most {args.max_rows} rows" if args.max_rows else "all rows"
        print(f"\n==== {title}: splits {', '.join(map(str, splits))}; {len(results.sets)} sets, {size} ====\n\n"
              "Mean errors (RMSE or share of wrong classes)\n")
        table = errors(results)
        common.show(table, list(table[0]))
        for a in [m for m in results.methods if m.startswith("nysel")]:
            table = duels(results, a)
            if table:
                print(f"\n{a}: wins, ties (at most one standard error of the difference), losses\n")
                common.show(table, list(table[0]))
        covered = {m: {s for s in results.sets if results.splits(s, m)} for m in results.methods}
        ranked = [m for m in results.methods if len(covered[m]) >= ENOUGH * max(map(len, covered.values()))]
        sets = [s for s in results.sets if results.splits(s, *ranked)]
        if len(ranked) > 1 and sets:
            left = [m for m in results.methods if m not in ranked]
            few = f"; too few sets: {', '.join(left)}" if left else ""
            print(f"\nRanks over the {len(sets)} sets that all of these have{few}\n")
            table = ranks(results, ranked, sets)
            common.show(table, list(table[0]))
