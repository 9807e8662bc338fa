#!/usr/bin/python3
"""Markdown tables from bench/results/*.csv, put between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` in README.md.

    tables.py [--readme FILE] [--check]       --check changes nothing and fails when the file is not up to date
    tables.py NAME                            prints one table

NAME is one of libsvm, select, sets, criteria, newton, machines, path, intervals, calibration, relevance, parts, read,
and of the papers' fastcv, debrabanter, more, dingliao, landmarks, vangestel, vangestel_ard, liu, bonidal_path, bonidal,
bonidal_large.
"""
import argparse
import pathlib
import re
import statistics
import sys

import common


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def footnote(rows):
    r = rows[0]
    return f"\n\n{r['cpu']}, {r['cores']} cores, {r['date']}, commit {r['commit']}; {r['options']}."


def percent(text):
    return f"{float(text) * 100:.2f}%" if text else ""


def seconds(text):
    return f"{float(text):.2g} s" if float(text) < 10 else f"{float(text):.0f} s"


def libsvm(rows):
    table = []
    for name in dict.fromkeys(r["set"] for r in rows):
        mine = [r for r in rows if r["set"] == name]

        def mean(column):
            values = [float(r[column]) for r in mine if r[column]]
            return statistics.mean(values) if values else None

        difference = ""
        pairs = [float(r["nysel_error"]) - float(r["libsvm_error"]) for r in mine if r["libsvm_error"]]
        if pairs:
            difference = f"{statistics.mean(pairs) * 100:+.2f}"
            if len(pairs) > 1:
                difference += f" ± {statistics.stdev(pairs) / len(pairs) ** 0.5 * 100:.2f}"
        tuned, grid = mean("libsvm_error"), mean("libsvm_grid_s")
        table.append([f"{name} ({mine[0]['rows']} rows, {len(mine)} split{'s' * (len(mine) > 1)})",
                      seconds(mean("nysel_s")), seconds(mean("svmtrain_cv_s")), f"{mean('ratio'):.2f}",
                      percent(mean("nysel_error")), percent(tuned) if tuned else "", difference,
                      seconds(grid) if grid else ""])
    return markdown(["data", "nysel, selection included", "one `svm-train -v 5`", "ratio", "nysel error",
                     "tuned LIBSVM error", "difference, points", "LIBSVM grid"], table) + footnote(rows)


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
                      seconds(r["liquidsvm_seconds"])])
    return markdown(["data (training rows, split)", "landmarks", "nysel error", "time", "liquidSVM error", "time"],
                    table) + footnote(rows)


def parts(rows):
    return markdown(["part", "measured", "value"],
                    [[r["name"], r["metric"], f"{r['value']} {r['unit']}"] for r in rows
                     if "share" in r["metric"] or "ratio" in r["metric"] or "rate" in r["metric"]]) + footnote(rows)


def read(rows):
    table = [[r["digits"], r["megabytes"] + " MB", f"{r['mb_per_s']} MB/s", f"{r['raw_mb_per_s']} MB/s"] for r in rows]
    return markdown(["digits written", "CSV file", "read into a data set", "bare read()"], table) + footnote(rows)


# ---- published results (bench/papers) --------------------------------------------------------------------------------

def groups(rows, *columns):
    """{values of the columns: rows that have them}, in the order of the file."""
    found = {}
    for r in rows:
        found.setdefault(tuple(r[c] for c in columns), []).append(r)
    return found


def spread(value, sd):
    return f"{value} ({sd})" if sd else value


def fastcv(rows):
    folds = list(dict.fromkeys(r["folds"] for r in rows))
    table = []
    for (name, m), mine in groups(rows, "set", "m").items():
        at = {r["folds"]: r for r in mine}
        last = at[folds[-1]]
        table.append([name, m, *(f"{at[f]['ratio']} / {at[f]['paper_ratio']}" for f in folds),
                      f"{seconds(last['simple_s'])} / {seconds(last['fast_s'])}",
                      f"{seconds(last['paper_simple_s'])} / {seconds(last['paper_fast_s'])}"])
    return markdown(["data", "landmarks", *(f"{f} folds" for f in folds), f"simple / fast, {folds[-1]} folds",
                     "the paper's"], table) + footnote(rows)


def debrabanter(rows):
    def cell(r):
        return spread(r["nysel"], r["nysel_sd"]) + (f", {r['in_se']} se" if r["in_se"] else "") if r else ""

    table = []
    for (name, measure, coding), mine in groups(rows, "set", "measure", "coding").items():
        by, r = {x["kernel"]: x for x in mine}, mine[0]
        table.append([f"{name} ({r['rows']} rows, {r['splits']} split{'s' * (r['splits'] != '1')})", r["prototypes"],
                      measure + (f", {coding}" if coding else ""), spread(r["paper"], r["paper_sd"]) +
                      (f" {r['paper_coding']}" if r["paper_coding"] != coding else ""), cell(by.get("rbf")),
                      cell(by.get("auto")), seconds(r["paper_seconds"]), seconds(r["seconds"])])
    return markdown(["data", "landmarks", "measure", "paper", "nysel, rbf", "nysel, kernel auto", "paper's time",
                     "time, rbf"], table) + footnote(rows)


def dingliao(rows):
    ways = list(dict.fromkeys(r["way"] for r in rows))

    def cell(r):
        if not r:
            return ""
        z = f", z {r['z_paper']}" if r["z_paper"] else ""
        return f"{spread(r['nysel'], r['nysel_sd'])}{z}, {seconds(r['seconds'])}"

    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["way"]: x for x in mine}, mine[0]
        table.append([f"{name} ({r['rows']} rows, {r['splits']} split{'s' * (r['splits'] != '1')})",
                      spread(r["paper_exact"], r["paper_exact_sd"]),
                      spread(r["paper_approximate"], r["paper_approximate_sd"]),
                      *(cell(by.get(w)) for w in ways)])
    return markdown(["data", "paper, exact", "paper, approximate", *ways], table) + footnote(rows)


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
        table.append([f"{name} ({r['rows']} rows, {r['splits']} split{'s' * (r['splits'] != '1')})", r["landmarks"],
                      r["measure"], *(cell(by.get(m)) for m in methods)])
    return markdown(["data", "landmarks", "measure", *methods], table) + footnote(rows)


def more(rows):
    table = [[f"{r['set']} ({r['rows']} rows, {r['splits']} splits)", r["coding"] or "two classes",
              "for every machine" if r["way"] == "own" else "shared", r["landmarks"], r["paper"],
              spread(r["nysel"], r["nysel_sd"])] for r in rows]
    return markdown(["data", "coding", "landmarks are", "landmarks", "paper", "nysel"], table) + footnote(rows)


def criteria(rows):
    names = list(dict.fromkeys(r["criterion"] for r in rows))
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["criterion"]: x for x in mine}, mine[0]
        unit = "%" if r["measure"] == "error" else ""
        table.append([f"{name} ({r['rows']} rows, {r['splits']} split{'s' * (r['splits'] != '1')})"
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
        table.append([f"{name} ({r['rows']} rows, {r['splits']} splits)",
                      *(f"{float(by[x]['coverage']) * 100:.1f}%" for x in levels),
                      f"{float(last['gaussian']) * 100:.1f}%", last["width"], last["gaussian_width"]])
    return markdown(["data", *(f"{float(x) * 100:g}%" for x in levels), "plain Gaussian, 95%", "width, 95%",
                     "plain Gaussian's"], table) + footnote(rows)


def calibration(rows):
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["method"]: x for x in mine}, mine[0]
        table.append([f"{name} ({r['rows']} rows, {r['classes']} classes, {r['splits']} splits)",
                      *(" / ".join(by[m][c] for m in ("calibration", "posterior")) for c in ("log_loss", "brier", "gap"))])
    return markdown(["data", "log loss, calibration / posterior", "Brier score", "gap"], table) + footnote(rows)


def relevance(rows):
    def cell(r):
        unit = "%" if r["measure"] == "error" else ""
        change = f", {r['change']}%" + (f" ± {r['change_se']}" if r["change_se"] else "")
        kept = f", {r['kept']} of {r['columns']} columns" if r["way"] == "select" else ""
        return r["error"] + unit + (f"{change}{kept}, x {r['ratio']}" if r["way"] != "defaults" else "")

    table = []
    for (name,), mine in groups(rows, "set").items():
        r = mine[0]
        table.append([f"{name} ({r['rows']} rows, {r['splits']} split{'s' * (r['splits'] != '1')})"
                      + (", MSE" if r["measure"] == "mse" else ""), *(cell(x) for x in mine)])
    return markdown(["data", "defaults", "`--ard`", "`--select-inputs`"], table) + footnote(rows)


def vangestel_ard(rows):
    table = [[r["landmarks"], r["way"], r["paper"], spread(r["nysel"], r["nysel_sd"]),
              f"{r['x2_gone']} and {r['x3_gone']} of {r['runs']} runs" if r["way"] == "selected" else ""] for r in rows]
    return markdown(["landmarks", "inputs", "paper", "nysel", "x2 and x3 removed"], table) + footnote(rows)


def vangestel(rows):
    table = []
    for (name, share), mine in groups(rows, "set", "landmarks").items():
        r = mine[0]
        cells = {x["criterion"]: spread(x["nysel"], x["nysel_sd"]) + (f", {x['difference']}" if x["difference"] else "")
                 for x in mine}
        table.append([f"{name} ({r['rows']} rows, {r['runs']} run{'s' * (r['runs'] != '1')})", share, r["paper"],
                      cells.get("evidence", ""), cells.get("evidence-nystrom", f"{cells['loo']} (loo)" if "loo" in cells else ""),
                      f"{r['paper_log_sigma']} / {r['paper_log_gamma']}", f"{r['log_sigma']} / {r['log_gamma']}"])
    return markdown(["data", "landmarks", "paper", "evidence", "evidence-nystrom", "paper's log sigma / log gamma",
                     "nysel's"], table) + footnote(rows)


def liu(rows):
    def cell(r):
        if not r:
            return ""
        error, time = spread(r["full"], r["full_sd"]), seconds(r["seconds"])
        if r["paper"]:
            error, time = f"{error} / {spread(r['paper'], r['paper_sd'])}", f"{time} / {seconds(r['paper_seconds'])}"
        return f"{error}, {time}"

    ways = list(dict.fromkeys(r["way"] for r in rows))
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["way"]: x for x in mine}, mine[0]
        unit = "" if r["unit"] == "%" else ", MSE" + (f" / {r['unit']}" if r["unit"] != "1" else "")
        table.append([f"{name} ({r['rows']} rows, {r['splits']} split{'s' * (r['splits'] != '1')}){unit}", r["machine"],
                      r["landmarks"], *(cell(by.get(w)) for w in ways)])
    return markdown(["data", "machine", "landmarks", *ways], table) + footnote(rows)


def slash(ours, paper):
    return f"{ours} / {paper}" if paper else ours


def bonidal_path(rows):
    table = []
    for (name, kernel), mine in groups([{**r, "kernel": r["way"].split(",")[0]} for r in rows if r["table"] == "2"],
                                       "set", "kernel").items():
        low, full = (next((r for r in mine if r["way"].endswith(end)), None) for end in ("80 %", "all"))
        if low and full:
            table.append([f"{name[5:]} ({low['rows']} rows), {kernel}", slash(low["rank"], low["paper_rank"]),
                          slash(low["points"], low["paper_points"]),
                          slash(seconds(low["seconds"]), seconds(low["paper_seconds"])),
                          seconds(low["exact_seconds"]), slash(f"{float(low['value']):.5f}", low["paper"]),
                          low["worst"], full["rank"], seconds(full["seconds"]), full["worst"]])
    return markdown(["data, kernel", "rank", "breakpoints", "path", "10 exact machines", "objective / exact",
                     "worst off by", "all rows: rank", "path", "worst off by"], table) + footnote(rows)


def bonidal(rows):
    def cell(r):
        if not r:
            return ""
        z = f", z {r['z_paper']}" if r["z_paper"] else ""
        return r["value"] + (f" ± {r['se']}" if r["se"] else "") + f"{z}, {seconds(r['seconds'])}"

    rows = [r for r in rows if r["table"] in ("3", "4")]
    ways = {n: list(dict.fromkeys(r["way"] for r in rows if r["table"] == n)) for n in "43"}
    table = []
    for (name,), mine in groups(rows, "set").items():
        by, r = {x["way"]: x for x in mine}, mine[0]
        line = [f"{name} ({r['rows']} rows, {r['splits']} split{'s' * (r['splits'] != '1')})"]
        for n in "43":
            paper = next((x for x in mine if x["table"] == n), None)
            line += [f"{spread(paper['paper'], paper['paper_sd'])}, {seconds(paper['paper_seconds'])}" if paper else "",
                     *(cell(by.get(w)) for w in ways[n])]
        table.append(line)
    return markdown(["data", "paper, table 4", *ways["4"], "paper, table 3", *ways["3"]], table) + footnote(rows)


def bonidal_large(rows):
    def cell(r):
        error = r["value"] + (f" ± {r['se']}" if r["se"] else "") + ("%" if r["measure"] == "error" else "")
        return slash(error, r["paper"] and r["paper"] + (f" ({r['paper_sd']})" if r["paper_sd"] else ""))

    table = []
    for mine in groups([{**r, "set": r["set"].removeprefix("liblinear-")} for r in rows
                        if r["table"] in ("5", "6", "8")], "set").values():
        for r in mine:
            time = slash(seconds(r["seconds"]), r["paper_seconds"] and seconds(r["paper_seconds"]))
            table.append([f"{r['set']} ({r['rows']} rows)", r["way"], r["landmarks"], slash(r["rank"], r["paper_rank"]),
                          *(["exponent of the time", *(slash(r[c], r["paper"]) for c in ("seconds", "cpu_s"))]
                            if r["measure"] == "exponent" else [cell(r), time, seconds(r["cpu_s"])])])
    return markdown(["data", "way", "landmarks", "rank", "test error", "time", "CPU time"], table) + footnote(rows)


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
        table.append([f"{name} ({r['rows']} rows, {len(mine)} split{'s' * (len(mine) > 1)})", machine,
                      seconds(mean("nysel_s")), seconds(mean("svmtrain_cv_s")), f"{mean('ratio'):.2f}",
                      percent(mean("error")) if r["measure"] == "error" else f"{mean('error'):.4g} (RMSE)",
                      percent(mean("libsvm_error")) if r["libsvm_error"] else ""])
    return markdown(["data", "machine", "nysel, selection included", "one `svm-train -v 5`", "ratio", "nysel error",
                     "tuned LIBSVM error"], table) + footnote(rows)


def load(*names):
    return [row for name in names for row in common.load(common.RESULTS / name)]


TABLES = {"libsvm": (libsvm, ["peers_libsvm.csv"]), "select": (select, ["select_ratio.csv"]),
          "sets": (sets, ["sets.csv"]), "parts": (parts, ["gram.csv", "kernel.csv", "cg.csv"]),
          "read": (read, ["read.csv"]), "fastcv": (fastcv, ["fastcv.csv"]),
          "debrabanter": (debrabanter, ["debrabanter.csv"]), "dingliao": (dingliao, ["dingliao.csv"]),
          "landmarks": (landmarks, ["landmark_methods.csv"]), "more": (more, ["more_landmarks.csv"]),
          "criteria": (criteria, ["criteria.csv"]), "newton": (newton, ["newton.csv"]),
          "machines": (machines, ["machines.csv"]), "liu": (liu, ["liu.csv"]),
          "path": (path, ["path.csv"]), "bonidal_path": (bonidal_path, ["bonidal.csv"]),
          "bonidal": (bonidal, ["bonidal.csv"]), "bonidal_large": (bonidal_large, ["bonidal.csv"]),
          "vangestel": (vangestel, ["vangestel.csv"]),
          "vangestel_ard": (vangestel_ard, ["vangestel_ard.csv"]), "relevance": (relevance, ["relevance.csv"]),
          "intervals": (intervals, ["intervals.csv"]), "calibration": (calibration, ["calibration.csv"])}


def make(name):
    function, files = TABLES[name]
    rows = load(*files)
    return function(rows) if rows else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", choices=TABLES)
    parser.add_argument("--readme", default=common.ROOT / "README.md")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if args.name:
        print(make(args.name) or f"no results for {args.name} yet")
        return
    path = pathlib.Path(args.readme)
    text = path.read_text()
    new = text
    for name in TABLES:
        pattern = re.compile(rf"(<!-- bench:{name} -->\n).*?(<!-- /bench:{name} -->)", re.S)
        table = make(name)
        if not pattern.search(new):
            print(f"{path}: no markers for {name}", file=sys.stderr)
        elif not table:
            print(f"no results for {name} yet", file=sys.stderr)
        else:
            new = pattern.sub(lambda m: m.group(1) + table + "\n" + m.group(2), new)
    if args.check:
        sys.exit(f"{path}: tables are not those of bench/results: run bench/tables.py" if new != text else 0)
    path.write_text(new)


main()
