"""The tables of the five papers, all in one shape: what bench/papers/*.py measured beside what the paper prints.

Lines: data, quantity, settings, paper, nysel, difference, time, ratio. Values are means, with the deviation over splits
in brackets. The difference is in its standard errors, sqrt(sd^2 / splits + paper's sd^2 / paper's splits), and above 0
where nysel is better; a deviation that only one side has stands for both, where neither has one it is n/a. ratio: the
paper's time over nysel's. settings: `paper`, as the paper has it; `other`, another reading of the paper or a variant;
`nysel`, nysel's own choice of what the paper sets. Lines without settings (ranks, hyper-parameters, quotients of times)
are for reading and not counted in the summary.
"""
import collections
import math
import statistics

from shape import data, footnote, groups, markdown, seconds, spread

Line = collections.namedtuple("Line", "table data quantity settings paper nysel difference seconds ratio note")
RAETSCH_FEW = ("splice", "image")  # 20 replications, the others 100


def number(text):
    return float(text) if text else None


def line(row, table, name, quantity, settings="", paper="", nysel="", difference=None, time="", paper_time=""):
    """row: of the csv file, for its stamp; times as the file has them."""
    time, paper_time = number(time), number(paper_time)
    ratio = paper_time / time if time and paper_time else None
    return Line(table, name, quantity, settings, paper, nysel, difference, time, ratio, footnote([row]).strip())


def standard_errors(gain, sd, n, paper_sd, paper_n):
    """How much better nysel is, in standard errors; None where no deviation is known. Texts, but for gain."""
    sd, paper_sd = number(sd), number(paper_sd)
    sd, paper_sd = (paper_sd if sd is None else sd), (sd if paper_sd is None else paper_sd)
    if sd is None or not sd + paper_sd:
        return None
    return gain / math.sqrt(sd ** 2 / int(n) + paper_sd ** 2 / paper_n)


def beside(z, gain, sd, n, paper_sd, paper_n):
    """The same where the csv file has z (of all digits, below 0 is better) unless a single split left it unknown."""
    return -float(z) if z else standard_errors(gain, sd, n, paper_sd, paper_n)


def quotient(row, table, name, quantity, times, paper_times):
    """Times of two ways over each other, beside the paper's."""
    (a, b), (c, d) = map(float, times), map(float, paper_times)
    return line(row, table, name, quantity, "", f"{c / d:.3g}", f"{a / b:.3g}", time=b, paper_time=d)


# ---- De Brabanter et al. 2010 ----------------------------------------------------------------------------------------

def debrabanter_line(r):
    table = "12, 13" if r["measure"] != "accuracy" else "10, 11" if r["coding"] else "8, 9"
    difference = number(r["in_se"])
    if difference is None:
        sign = 1 if r["measure"] == "accuracy" else -1
        difference = standard_errors(sign * (float(r["nysel"]) - float(r["paper"])), r["nysel_sd"], r["splits"],
                                     r["paper_sd"], 10)
    same = r["kernel"] != "auto" and r["coding"] == r["paper_coding"]
    quantity = ", ".join(filter(None, [r["measure"], r["kernel"], r["coding"]]))
    return line(r, table, data(r["set"], r["rows"], r["splits"]), quantity, "paper" if same else "nysel",
                spread(r["paper"], r["paper_sd"]), spread(r["nysel"], r["nysel_sd"]), difference, r["seconds"],
                r["paper_seconds"])


def more_line(r):
    quantity = ", ".join(filter(None, ["accuracy", r["coding"], f"{r['landmarks']} landmarks",
                                       "for every machine" if r["way"] == "own" else ""]))
    return line(r, "10, 11" if r["coding"] else "8, 9", data(r["set"], r["rows"], r["splits"]), quantity, "other",
                spread(r["paper"], r["paper_sd"]), spread(r["nysel"], r["nysel_sd"]),
                standard_errors(float(r["nysel"]) - float(r["paper"]), r["nysel_sd"], r["splits"], r["paper_sd"], 10),
                r["seconds"], r["paper_seconds"])


def debrabanter(landmarks, fastcv, rows, more):
    lines = [line(r, "1", data(r["set"], r["rows"], r["splits"]), f"L2, {r['method']} landmarks", "paper",
                  spread(r["paper"], r["paper_sd"]), spread(r["error"], r["sd"]),
                  standard_errors(float(r["paper"]) - float(r["error"]), r["sd"], r["splits"], r["paper_sd"], 30),
                  r["seconds"]) for r in landmarks if r.get("paper")]
    lines += [line(r, "3" if r["set"] == "concrete" else "4", f"{r['set']}, {r['m']} landmarks",
                   f"time of simple / fast, {r['folds']} folds", "", r["paper_ratio"], r["ratio"], None,
                   r["fast_s"], r["paper_fast_s"]) for r in fastcv]
    return lines + sorted([debrabanter_line(r) for r in rows] + [more_line(r) for r in more],
                          key=lambda x: int(x.table.split(",")[0]))


# ---- Ding and Liao 2012, Van Gestel et al. 2002, Liu et al. 2018 -----------------------------------------------------

def dingliao(rows):
    settings = {"exact": "paper", "algorithm2": "paper", "retrained": "other"}
    lines = []
    for (name,), mine in groups(rows, "set").items():
        for r in mine:
            kind = "exact" if r["way"] in ("exact", "defaults") else "approximate"
            paper, paper_sd = r[f"paper_{kind}"], r[f"paper_{kind}_sd"]
            difference = beside(r["z_paper"], float(paper) - float(r["nysel"]), r["nysel_sd"], r["splits"], paper_sd,
                                20 if name in RAETSCH_FEW else 100)
            lines.append(line(r, "2", data(name, r["rows"], r["splits"]), f"error %, {r['way']}",
                              settings.get(r["way"], "nysel"), spread(paper, paper_sd),
                              spread(r["nysel"], r["nysel_sd"]), difference, r["seconds"], r["paper_seconds"]))
        by = {r["way"]: r for r in mine}
        if {"exact", "algorithm2"} <= by.keys():
            pair = [by["exact"], by["algorithm2"]]
            lines.append(quotient(mine[0], "2", data(name, mine[0]["rows"], mine[0]["splits"]),
                                  "time of exact / algorithm2", [r["seconds"] for r in pair],
                                  [r["paper_seconds"] for r in pair]))
    return lines


def vangestel(rows, relevance):
    """The paper's deviations are over draws of landmarks on one data set. So are ours of ripley_synth; of the others
    they are over data sets, and the paper's value counts as one run of the same deviation."""
    lines = []
    for r in rows:
        table = "1" if r["set"] == "sinc" else "adult" if r["set"].startswith("adult") else "2"
        paper_sd, paper_n = (r["paper_sd"], 10) if r["set"] == "ripley_synth" else ("", 1)
        gain = (float(r["nysel"]) - float(r["paper"])) * (-1 if r["set"] == "sinc" else 1)
        as_paper = r["criterion"] == "evidence-nystrom"
        where = data(r["set"], r["rows"], r["runs"]).replace("split", "run")
        quantity = f"{'100 x MSE' if r['set'] == 'sinc' else 'accuracy'}, {r['criterion']}, {r['landmarks']} landmarks"
        lines.append(line(r, table, where, quantity, "paper" if as_paper else "nysel",
                          spread(r["paper"], r["paper_sd"]), spread(r["nysel"], r["nysel_sd"]),
                          standard_errors(gain, r["nysel_sd"], r["runs"], paper_sd, paper_n), r["seconds"]))
        lines.append(line(r, table, where, f"log sigma, log gamma, {r['criterion']}, {r['landmarks']} landmarks", "",
                          f"{r['paper_log_sigma']}, {r['paper_log_gamma']}", f"{r['log_sigma']}, {r['log_gamma']}"))
    for r in relevance:
        gone = f" (x2, x3 dropped in {r['x2_gone']}, {r['x3_gone']})" if r["way"] == "selected" else ""
        lines.append(line(r, "section 4.1", f"sinc, 3 inputs (200 rows, {r['runs']} runs)",
                          f"MSE, {r['landmarks']} landmarks, {r['way']}{gone}", "paper", r["paper"],
                          spread(r["nysel"], r["nysel_sd"]),
                          standard_errors(float(r["paper"]) - float(r["nysel"]), r["nysel_sd"], r["runs"], "", 1),
                          r["seconds"]))
    return lines


def liu(rows):
    """newton and the defaults stand beside the paper's CV (10 folds for the defaults)."""
    lines, times = [], []
    for (name,), mine in groups(rows, "set").items():
        by, first = {r["way"]: r for r in mine}, mine[0]
        where = data(name, first["rows"], first["splits"])
        unit = "error %" if first["unit"] == "%" else "MSE" + (f" / {first['unit']}" if first["unit"] != "1" else "")
        for r in mine:
            p = by[r["way"].replace("newton", "CV").replace("defaults", "10-CV")]
            difference = beside(r["z_paper"], float(p["paper"]) - float(r["full"]), r["full_sd"], r["splits"],
                                p["paper_sd"], 50)
            lines.append(line(r, "1", where, f"{unit}, {r['way']}", "paper" if r["paper"] else "nysel",
                              spread(p["paper"], p["paper_sd"]), spread(r["full"], r["full_sd"]), difference,
                              r["seconds"], p["paper_seconds"]))
        for folds in ("5", "10"):
            pair = [by[f"{folds}-CV"], by[f"{folds}-FBIF"]]
            times.append(quotient(first, "2", f"{where}, {first['machine']}", f"time of {folds}-CV / {folds}-FBIF",
                                  [r["seconds"] for r in pair], [r["paper_seconds"] for r in pair]))
    return lines + times


# ---- Bonidal et al. 2013 ---------------------------------------------------------------------------------------------

BONIDAL = {"3": {"sigma found": "paper"}, "4": {"zhang, error": "paper"},
           "5": {"60 %, error": "paper", "600, error": "paper"}, "6": {"60 %": "paper"}, "8": {"span, error": "paper"}}
BONIDAL_OWN = ("defaults", "search")
BONIDAL_RUNS = {"ringnorm": 20, "splice": 20, "image": 20, "spambase": 30, "artificial": 10}  # the others 100


def bonidal_path(rows):
    lines = []
    for r in rows:
        kernel, _, share = r["way"].rpartition(", ")
        if share != "80 %":
            continue
        where = data(r["set"].removeprefix("path-"), r["rows"], 1)
        full = next((x for x in rows if x["set"] == r["set"] and x["way"] == f"{kernel}, all"), r)
        lines += [line(r, "2", where, f"objective / exact, {kernel}", "paper", r["paper"],
                       f"{float(r['value']):.5f} (worst off by {r['worst']}; every row: {full['worst']})", None,
                       r["seconds"], r["paper_seconds"]),
                  line(r, "2", where, f"rank, breakpoints, {kernel}", "", f"{r['paper_rank']}, {r['paper_points']}",
                       f"{r['rank']}, {r['points']}"),
                  quotient(r, "2", where, f"time of ten exact machines / path, {kernel}",
                           [r["exact_seconds"], r["seconds"]], [r["paper_exact_seconds"], r["paper_seconds"]])]
    return lines


def bonidal_line(r):
    table, name = r["table"], r["set"].removeprefix("liblinear-")
    where = data(name, r["rows"], r["splits"] or 1)
    peer = r["set"] != name
    settings = BONIDAL[table].get(r["way"], "nysel" if r["way"] in BONIDAL_OWN else "other")
    if r["measure"] == "exponent":
        return [line(r, table, f"{name} ({r['rows']} rows)", f"exponent of the time, {r['way']}", "", r["paper"],
                     r["seconds"])]
    sd = f"{float(r['se']) * int(r['splits']) ** 0.5:.2g}" if r["se"] else ""
    difference = beside(r["z_paper"], float(r["paper"]) - float(r["value"]), sd, r["splits"], r["paper_sd"],
                        BONIDAL_RUNS.get(name, 100)) if r["paper"] and r["value"] else None
    what = "error %" if r["measure"] else "time"
    lines = [line(r, table, where, f"{what}, {r['way']}", settings if r["paper"] and not peer else "",
                  spread(r["paper"], r["paper_sd"]), spread(r["value"], sd), difference, r["seconds"],
                  r["paper_seconds"])]
    if r["paper_rank"] and not peer:
        lines.append(line(r, table, where, f"rank, {r['way']}", "", r["paper_rank"], r["rank"]))
    if r["paper_exact_seconds"]:
        lines.append(line(r, table, where, f"testing, {r['way']}", time=r["exact_seconds"],
                          paper_time=r["paper_exact_seconds"]))
    return lines


def bonidal(rows):
    lines = [x for r in rows if r["table"] != "2" for x in bonidal_line(r)]
    return bonidal_path([r for r in rows if r["table"] == "2"]) + sorted(lines, key=lambda x: x.table)


# ---- tables ----------------------------------------------------------------------------------------------------------

# name: the paper, csv files, function of their rows
PAPERS = {
    "debrabanter": ("De Brabanter et al. 2010", ["landmark_methods.csv", "fastcv.csv", "debrabanter.csv",
                                                 "more_landmarks.csv"], debrabanter),
    "dingliao": ("Ding and Liao 2012", ["dingliao.csv"], dingliao),
    "vangestel": ("Van Gestel et al. 2002", ["vangestel.csv", "vangestel_ard.csv"], vangestel),
    "liu": ("Liu et al. 2018", ["liu.csv"], liu),
    "bonidal": ("Bonidal et al. 2013", ["bonidal.csv"], bonidal),
}
FILES = [file for _, files, _ in PAPERS.values() for file in files]


def times(ratio):
    """Three digits are enough."""
    return f"{ratio:.3g}" if ratio < 100 else f"{float(f'{ratio:.3g}'):,.0f}"


def cells(x):
    difference = f"{x.difference:+.1f}" if x.difference is not None else "n/a" if x.settings else ""
    return [x.data, x.quantity, x.settings, x.paper, x.nysel, difference,
            seconds(x.seconds) if x.seconds is not None else "", times(x.ratio) if x.ratio is not None else ""]


def tables_of(lines):
    """One table for each of the paper's."""
    texts = []
    for table in dict.fromkeys(x.table for x in lines):
        mine = [x for x in lines if x.table == table]
        title = f"Table{'s' * (',' in table)} {table}" if table[0].isdigit() else table.capitalize()
        notes = "\n\n".join(dict.fromkeys(x.note for x in mine))
        texts.append(f"**{title}**\n\n" + markdown(
            ["data", "quantity", "settings", "paper", "nysel", "difference, standard errors", "nysel's time",
             "paper's time / nysel's"], [cells(x) for x in mine]) + f"\n\n{notes}")
    return "\n\n".join(texts)


def by_paper(rows):
    """(name of the paper, its lines), from the rows of FILES."""
    rows = iter(rows)
    for title, files, function in PAPERS.values():
        lines = function(*(next(rows) for _ in files))
        if lines:
            yield title, lines


def summary(*rows):
    table = []
    for title, lines in by_paper(rows):
        for settings in ("paper", "other", "nysel"):
            mine = [x for x in lines if x.settings == settings]
            known = [x.difference for x in mine if x.difference is not None]
            ratios = [x.ratio for x in mine if x.ratio is not None]
            if mine:
                table.append([title, settings, len(mine), sum(d > 2 for d in known), sum(abs(d) <= 2 for d in known),
                              sum(d < -2 for d in known), len(mine) - len(known),
                              times(statistics.median(ratios)) if ratios else ""])
    return markdown(["paper", "settings", "lines", "better", "within 2 standard errors", "worse", "no standard error",
                     "paper's time / nysel's, median"], [list(map(str, row)) for row in table])


def everything(*rows):
    parts = [f"### {title}\n\n{tables_of(lines)}" for title, lines in by_paper(rows)]
    return "\n\n".join([summary(*rows), *parts])


TABLES = {name: (files, lambda *rows, function=function: tables_of(function(*rows)))
          for name, (_, files, function) in PAPERS.items()}
TABLES["papers_summary"] = (FILES, summary)
TABLES["papers"] = (FILES, everything)
