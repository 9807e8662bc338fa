"""Tables of what is neither papers nor peers: the scripts bench/*.py and the C programs bench/bench_*.c."""
import statistics

from shape import data, footnote, groups, markdown, percent, seconds, spread


def select(rows):
    def show(r, column):
        return percent(r[column]) if r["measure"] == "error" else f"{float(r[column]):.4g} (RMSE)"

    table = [[r["set"], r["rows"], r["inputs"], r["landmarks"], seconds(r["select_train_s"]),
              seconds(r["one_training_s"]), r["ratio"], show(r, "select_train_error"), show(r, "one_training_error"),
              f"{r['peak_mb']} / {r['predicted_mb']} MB"] for r in rows]
    return markdown(["data", "rows", "inputs", "landmarks", "select + train", "one training", "ratio", "error",
                     "error of the one", "memory, measured / predicted"], table) + footnote(rows)


def sets(rows):
    def show(r, column):
        return f"{float(r[column]) * 100:.1f}%" if r["measure"] == "error" else f"{float(r[column]):.3g}"

    table = []
    for r in rows:
        spread = f" ± {show(r, 'spread')}" if r["spread"] else ""
        table.append([f"{r['set']} ({r['rows']}, {r['split']})" + (" MSE" if r["measure"] == "mse" else ""),
                      r["landmarks"], show(r, "error") + spread, seconds(r["seconds"]), show(r, "liquidsvm_error"),
                      seconds(r["liquidsvm_seconds"]), f"{float(r['times']):.3g}",
                      f"{float(r['times_evened']):.3g}" if r["times_evened"] else ""])
    return markdown(["data (training rows, split)", "landmarks", "nysel error", "time", "liquidSVM error", "time",
                     "times as fast", "if the machines were the same"], table) + footnote(rows)


def parts(*files):
    rows = [r for rows in files for r in rows]
    return markdown(["part", "measured", "value"],
                    [[r["name"], r["metric"], f"{r['value']} {r['unit']}"] for r in rows
                     if "share" in r["metric"] or "ratio" in r["metric"] or "rate" in r["metric"]]) + footnote(rows)


def read(rows):
    table = [[r["digits"], r["megabytes"] + " MB", f"{r['mb_per_s']} MB/s", f"{r['raw_mb_per_s']} MB/s"] for r in rows]
    return markdown(["digits written", "CSV file", "read into a data set", "bare read()"], table) + footnote(rows)


def landmarks(rows):
    methods = list(dict.fromkeys(r["method"] for r in rows))

    def cell(r):
        if not r:
            return ""
        against = f", {r['against']} ± {r['against_se']}" if r["method"] != "rpcholesky" and r["against_se"] else ""
        return f"{spread(r['error'], r['sd'])}{against}, {seconds(r['seconds'])}"

    table = []
    for (name, _), mine in groups(rows, "set", "landmarks").items():
        by, r = {x["method"]: x for x in mine}, mine[0]
        table.append([data(name, r["rows"], r["splits"]), r["landmarks"],
                      r["measure"], *(cell(by.get(m)) for m in methods)])
    return markdown(["data", "landmarks", "measure", *methods], table) + footnote(rows)


def criteria(rows):
    names = list(dict.fromkeys(r["criterion"] for r in rows))
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["criterion"]: x for x in mine}, mine[0]
        unit = "%" if r["measure"] == "error" else ""
        table.append([data(name, r["rows"], r["splits"])
                      + ("" if unit else ", MSE"),
                      *(f"{spread(by[c]['error'] + unit, by[c]['sd'])}, x {by[c]['ratio']}" if c in by else ""
                        for c in names)])
    return markdown(["data", *names], table) + footnote(rows)


def intervals(rows):
    levels = list(dict.fromkeys(r["level"] for r in rows))
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["level"]: x for x in mine}, mine[0]
        last = by["0.95"]
        table.append([data(name, r["rows"], r["splits"]),
                      *(f"{float(by[x]['coverage']) * 100:.1f}%" for x in levels),
                      f"{float(last['gaussian']) * 100:.1f}%", last["width"], last["gaussian_width"]])
    return markdown(["data", *(f"{float(x) * 100:g}%" for x in levels), "plain Gaussian, 95%", "width, 95%",
                     "plain Gaussian's"], table) + footnote(rows)


def honesty(rows):
    percent = lambda text: f"{float(text) * 100:.1f}%" if text else ""
    table = [[data(r["set"], r["rows"], r["splits"]), percent(r["coverage"]), percent(r["chosen"]), percent(r["fresh"]),
              percent(r["two_stderr"]), r["upper_over_lower"]] for r in rows]
    return markdown(["data", "held by the 95% limits", "splits they were chosen on", "the others",
                     "held by two standard errors", "upper / lower limit"], table) + footnote(rows)


def honesty_sets(rows):
    table = [[data(r["set"], r["rows"], r["splits"]), f"{r['expected']} ({r['lower']} .. {r['upper']})", r["fresh"], r["ratio"],
              r["baseline"], r["linear"], r["10nn"], r["z"]] for r in rows if r.get("expected")]
    return markdown(["data", "expected (95% limits)", "fresh rows", "fresh / expected", "baseline", "linear", "10 neighbours",
                     "nysel less the best of these, in standard errors"], table) + footnote(rows)


def honesty_intervals(rows):
    table = [[data(r["set"], r["rows"], "1"), r["coverage"], r["constant_coverage"], r["nll"], r["constant_nll"]] for r in rows]
    return markdown(["data", "targets inside 95%", "inside a constant width", "Gaussian -log likelihood", "of a constant width"],
                    table) + footnote(rows)


def robust(rows):
    """The worst of all sizes, sides and seeds, ours and the oracle's, and how many are above the goal."""
    table = []
    for name in dict.fromkeys(r["set"] for r in rows):
        for machine in dict.fromkeys(r["machine"] for r in rows):
            line = [name, machine]
            for share, goal in ("0.05", 1.1), ("0.2", 1.3):
                own = [r for r in rows if (r["set"], r["machine"], r["share"]) == (name, machine, share)]
                worst = lambda key: f"{max(float(r[key]) for r in own):.2f}"
                line += [worst("ratio"), worst("oracle"), f"{sum(float(r['ratio']) > goal for r in own)} of {len(own)}"]
            table.append(line)
    return markdown(["data", "machine", "5% wrong", "oracle", "above 1.10", "20% wrong", "oracle", "above 1.30"],
                    table) + footnote(rows)


def calibration(rows):
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["method"]: x for x in mine}, mine[0]
        table.append([f"{name} ({r['rows']} rows, {r['classes']} classes, {r['splits']} splits)",
                      *(" / ".join(by[m][c] for m in ("calibration", "posterior"))
                        for c in ("log_loss", "brier", "gap"))])
    return markdown(["data", "log loss, calibration / posterior", "Brier score", "gap"], table) + footnote(rows)


def seeds(rows):
    table = [[data(r["set"], r["rows"], r["seeds"]).replace("splits", "seeds"), r["kernels"].replace("+", ", "),
              f"{r['least']} .. {r['most']}", r["spread_percent"] + "%", r["se_percent"] + "%", r["in_se"],
              f"{r['test_least']} .. {r['test_most']}"] for r in rows]
    return markdown(["data", "kernels", "value", "spread", "standard error", "spread in standard errors", "test error"],
                    table) + footnote(rows)


def relevance(rows):
    def cell(r):
        unit = "%" if r["measure"] == "error" else ""
        change = f", {r['change']}%" + (f" ± {r['change_se']}" if r["change_se"] else "")
        kept = f", {r['kept']} of {r['columns']} columns" if r["way"] == "select" else ""
        return r["error"] + unit + (f"{change}{kept}, x {r['ratio']}" if r["way"] != "defaults" else "")

    table = []
    for (name,), mine in groups(rows, "set").items():
        r = mine[0]
        table.append([data(name, r["rows"], r["splits"])
                      + (", MSE" if r["measure"] == "mse" else ""), *(cell(x) for x in mine)])
    return markdown(["data", "defaults", "`--ard`", "`--select-inputs`"], table) + footnote(rows)


def path(rows):
    table = [[f"{r['set']} ({r['rows']} rows)", r["landmarks"], r["breakpoints"], seconds(r["path_s"]),
              seconds(r["train_s"]), f"{r['ratio']} (most {r['ratio_most']})",
              f"{r['cpu_ratio']} (most {r['cpu_ratio_most']})", r["kkt"]] for r in rows]
    return markdown(["data", "landmarks", "breakpoints", "path", "one training", "ratio", "of CPU time",
                     "conditions hold to"], table) + footnote(rows)


def newton(rows):
    ways = list(dict.fromkeys(r["way"] for r in rows))
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["way"]: x for x in mine}, mine[0]
        unit = "%" if r["measure"] == "error" else " (RMSE)"
        table.append([f"{name} ({r['rows']} rows, {r['landmarks']} landmarks)", r["machine"],
                      *(f"{seconds(by[w]['seconds'])}, x {by[w]['ratio']}" for w in ways),
                      " / ".join(by[w]["cv_value"] for w in ways if w != "plain"),
                      " / ".join(by[w]["error"] for w in ways if w != "plain") + unit])
    chosen = " / ".join(w for w in ways if w != "plain")
    return markdown(["data", "machine", *ways, f"exact CV loss at the choice, {chosen}", f"test error, {chosen}"],
                    table) + footnote(rows)


def machines(rows):
    table = []
    for (name, machine), mine in groups(rows, "set", "machine").items():
        def mean(column):
            return statistics.mean(float(r[column]) for r in mine)

        r = mine[0]
        table.append([data(name, r["rows"], len(mine)), machine,
                      seconds(mean("nysel_s")), seconds(mean("svmtrain_cv_s")), f"{mean('ratio'):.2f}",
                      percent(mean("error")) if r["measure"] == "error" else f"{mean('error'):.4g} (RMSE)",
                      percent(mean("libsvm_error")) if r["libsvm_error"] else ""])
    return markdown(["data", "machine", "nysel, selection included", "one `svm-train -v 5`", "ratio", "nysel error",
                     "tuned LIBSVM error"], table) + footnote(rows)


TABLES = {
    "select": ("select_ratio.csv", select),
    "sets": ("sets.csv", sets),
    "parts": (["gram.csv", "kernel.csv", "cg.csv"], parts),
    "read": ("read.csv", read),
    "landmarks": ("landmark_methods.csv", landmarks),
    "seeds": ("seeds.csv", seeds),
    "criteria": ("criteria.csv", criteria),
    "intervals": ("intervals.csv", intervals),
    "honesty": ("honesty_coverage.csv", honesty),
    "honesty_sets": ("honesty_sets.csv", honesty_sets),
    "honesty_intervals": ("honesty_intervals.csv", honesty_intervals),
    "robust": ("robust.csv", robust),
    "calibration": ("calibration.csv", calibration),
    "relevance": ("relevance.csv", relevance),
    "path": ("path.csv", path),
    "newton": ("newton.csv", newton),
    "machines": ("machines.csv", machines),
}
