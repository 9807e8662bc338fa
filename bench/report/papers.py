"""The tables of the five papers for docs/papers.md: what bench/papers/*.py and bench/papers/independent/*.py measured beside
what the papers print. One line for each printed figure: the paper's, nysel's as in the paper, nysel's default (`nysel train`),
programs independent of nysel. Values are means over splits, the deviation in brackets.

A difference has two figures, above 0 where nysel is better: in spreads of one split, (nysel - paper) / (deviation of
nysel's own splits), and in standard errors of the paper's claim, sqrt(sd^2 / splits + paper's sd^2 / paper's splits).
"""
import collections
import math

from shape import groups, markdown, seconds, spread

FEW = 5  # below so many splits our own deviation is no measure of a spread: the larger one of it and of the paper's is
# A printed figure with the rows that stand beside it; the rows have the columns of bench/papers/lines.py
Line = collections.namedtuple("Line", "paper table data line unit better printed printed_sd printed_splits printed_seconds "
                                      "paper_way default others independent")


def number(text):
    return float(text) if text not in ("", None) else None


# ---- lines from rows -------------------------------------------------------------------------------------------------

def lines_of(paper, rows, independent):
    """The lines of one paper, in the order of its file."""
    found = []
    for (table, name, line), mine in groups(rows, "table", "set", "line").items():
        by, r = {x["way"]: x for x in mine}, mine[0]
        beside = [x for x in independent if (x["paper_name"], x["table"], x["set"], x["line"]) == (paper, table, name, line)]
        others = [x for x in mine if x["way"] not in ("paper", "default")]
        found.append(Line(paper, table, f"{name} ({r['rows']})", line, r["unit"], r["better"], r["paper"], r["paper_sd"],
                          r["paper_splits"], r["paper_seconds"], by.get("paper"), by.get("default"), others, beside))
    return sorted(found, key=lambda x: [int(word) if word.isdigit() else 99 for word in x.table.split(", ")])


def gain(line, r):
    return (float(r["value"]) - float(line.printed)) * (1 if line.better == "more" else -1)


def one_split(line, r):
    """The spread of one split; None where it is not known. Where the test rows are always the same, it is that of as many
    independent rows."""
    mine, theirs = number(r["sd"]), number(line.printed_sd)
    if r.get("test_rows"):
        p = float(line.printed) / 100
        return 100 * math.sqrt(p * (1 - p) / int(r["test_rows"]))
    if mine is not None and int(r["splits"]) >= FEW:
        return mine or None
    return max(mine or 0, theirs) if theirs else None


def in_spreads(line, r):
    width = one_split(line, r)
    return gain(line, r) / width if width else None


def in_claim(line, r):
    """A deviation that only one side has stands for both."""
    mine, theirs = number(r["sd"]), number(line.printed_sd)
    mine, theirs = (theirs if mine is None else mine), (mine if theirs is None else theirs)
    if mine is None or not mine + theirs:
        return None
    return gain(line, r) / math.sqrt(mine ** 2 / int(r["splits"]) + theirs ** 2 / int(line.printed_splits or 1))


def worse(line, r, limit=2):
    difference = in_spreads(line, r)
    return difference is not None and difference < -limit


def explained(line):
    """Whether an independent program does no better than nysel, by more than a spread of one split."""
    width = one_split(line, line.paper_way) or 0
    sign = 1 if line.better == "more" else -1
    return any(sign * (float(x["value"]) - float(line.paper_way["value"])) <= width for x in line.independent)


# ---- tables ----------------------------------------------------------------------------------------------------------

def differences(line, r):
    if not r:
        return ""
    return " / ".join("n/a" if d is None else f"{d:+.1f}" for d in (in_spreads(line, r), in_claim(line, r)))


def figure(r):
    """The mean with its deviation, and the number of splits where it is not that of the whole table."""
    return "" if not r else f"{spread(r['value'], r['sd'])}, {r['splits']}"


def program(r):
    best = f", best of the grid {r['best']}" if r["best"] else ""
    return f"{r['way']}: {spread(r['value'], r['sd'])}, {r['splits']}{best}" + (f" ({r['note']})" if r["note"] else "")


def time(value):
    return seconds(value) if value not in ("", None) else ""


def cells(x):
    notes = [r["note"] for r in (x.paper_way, x.default) if r and r["note"]]
    beside = [*map(program, x.independent), *(f"nysel, {program(r)}" for r in x.others), *notes]
    return [x.data, f"{x.line}, {x.unit}", spread(x.printed, x.printed_sd), figure(x.paper_way),
            differences(x, x.paper_way), figure(x.default), differences(x, x.default), "; ".join(beside),
            time(x.printed_seconds), time((x.paper_way or {}).get("seconds")), time((x.default or {}).get("seconds"))]


HEADER = ["data (training rows)", "line", "paper", "as in the paper, splits", "difference", "default, splits", "difference",
          "independent programs, other ways, notes", "paper's time", "as in the paper", "default"]


def stamps(lines):
    """Which rows are of which commit and machine."""
    found = {}
    for x in lines:
        for r in [x.paper_way, x.default, *x.others, *x.independent]:
            if r:
                kind = "independent programs" if r in x.independent else "nysel"
                key = (kind, r["commit"], r["cpu"], r["cores"], r["date"])
                found.setdefault(key, dict.fromkeys([]))[x.data.rsplit(" (", 1)[0]] = None
    every = {x.data.rsplit(" (", 1)[0] for x in lines}
    return "\n".join(f"- {kind} at commit {commit}, {cpu}, {cores} cores, {date}: "
                     f"{'all' if set(names) == every else ', '.join(names)}"
                     for (kind, commit, cpu, cores, date), names in found.items())


def title(table):
    return f"Table{'s' * (',' in table)} {table}" if table[0].isdigit() else table.capitalize()


def tables_of(lines):
    texts = []
    for table in dict.fromkeys(x.table for x in lines):
        mine = [x for x in lines if x.table == table]
        texts.append(f"**{title(table)}**\n\n{markdown(HEADER, [cells(x) for x in mine])}\n\n{stamps(mine)}")
    return "\n\n".join(texts)


# ---- Bonidal et al. 2013: its file has columns of its own ------------------------------------------------------------

# table: {line: (ways as in the paper, the first that there is counts; how other ways of this line begin)}
BONIDAL = {
    "3": {"path": (["gradient's sigma, error", "sigma found"], ("sigma",)), "gradient": (["gradient"], ("gradient on",))},
    "4": {"path": (["zhang, error"], ("zhang", "sqrt", "radius"))},
    "5": {"60 %": (["60 %, error"], ("60 %",)), "600": (["600, error"], ("600",)), "gradient": (["gradient, 600"], ())},
    "6": {"60 %": (["60 %"], ("400",)), "gradient": (["gradient"], ())},
    "8": {"span": (["span, error"], ("span",))}}
BONIDAL_RUNS = {"ringnorm": 20, "splice": 20, "image": 20, "spambase": 30, "artificial": 10}  # the others 100


def of_bonidal(r, printed, table, line, way):
    sd = f"{float(r['se']) * int(r['splits']) ** 0.5:.3g}" if r["se"] else ""
    return {**r, "set": r["set"] if table != "6" else f"{r['set']}-{r['rows']}", "table": table, "line": line, "way": way,
            "unit": "error %", "better": "less", "sd": sd, "best": "", "note": "", "paper": printed["paper"],
            "paper_sd": printed["paper_sd"], "paper_splits": BONIDAL_RUNS.get(r["set"], 100),
            "paper_seconds": printed["paper_seconds"]}


def bonidal_rows(rows):
    """The rows of errors in the shape of bench/papers/lines.py. The default is the machine l2svm without other options."""
    found = []
    default = {r["set"]: r for r in rows if r["way"] == "defaults"}
    for table, lines in BONIDAL.items():
        mine = [r for r in rows if r["table"] == table and r["measure"] == "error" and not r["set"].startswith("liblinear-")]
        for (name, _), here in groups(mine, "set", "rows").items():
            by = {r["way"]: r for r in here}
            for line, (ways, others) in lines.items():
                used = next((way for way in ways if way in by), None)
                if not used:
                    continue
                kept = {"paper": by[used], **({"default": default[name]} if name in default else {})}
                kept |= {way: r for way, r in by.items() if others and way.startswith(others) and way != used}
                found += [of_bonidal(r, by[used], table, line, way) for way, r in kept.items() if r["value"]]
    return found


def bonidal_path(rows):
    """Table 2: the objective on the path."""
    table = []
    for r in rows:
        kernel, _, share = r["way"].rpartition(", ")
        if r["table"] != "2" or share != "80 %":
            continue
        full = next((x for x in rows if x["set"] == r["set"] and x["way"] == f"{kernel}, all"), r)
        table.append([f"{r['set'].removeprefix('path-')} ({r['rows']})", kernel, r["paper"], f"{float(r['value']):.5f}",
                      full["worst"], f"{r['paper_rank']}, {r['paper_points']}", f"{r['rank']}, {r['points']}",
                      f"{time(r['paper_seconds'])}, {time(r['paper_exact_seconds'])}",
                      f"{time(r['seconds'])}, {time(r['exact_seconds'])}"])
    first = next((r for r in rows if r["table"] == "2"), None)
    if not table:
        return ""
    return "**Table 2**\n\n" + markdown(
        ["data", "kernel", "paper: objective / exact", "nysel", "every row: worst off by", "paper: rank, breakpoints", "nysel",
         "paper: time of the path, of ten exact machines", "nysel, numpy"], table) + \
        f"\n\n- nysel at commit {first['commit']}, {first['cpu']}, {first['cores']} cores, {first['date']}: all"


# ---- times -----------------------------------------------------------------------------------------------------------

def fastcv(rows):
    """De Brabanter et al., tables 3 and 4."""
    table = [[r["set"], r["m"], r["folds"], r["paper_ratio"], r["ratio"], time(r["paper_fast_s"]), time(r["fast_s"])]
             for r in rows]
    r = rows[0]
    return "**Tables 3, 4**\n\n" + markdown(["data", "prototypes", "folds", "paper: simple / fast", "nysel: simple / fast",
                                             "paper: fast", "nysel: fast"], table) + \
        f"\n\n- nysel at commit {r['commit']}, {r['cpu']}, {r['cores']} cores, {r['date']}: all"


def of_like(line):
    """The row of FBIF that is of the same rank as that of cross-validation."""
    return next((r for r in line.others if r["way"] == "bif"), line.paper_way)


def quotients(lines):
    """Liu et al., table 2: how many times the time of FBIF cross-validation takes, both of low rank for SVM."""
    by = {(x.data, x.line): x for x in lines}
    table = []
    for data in dict.fromkeys(x.data for x in lines):
        cells = [data]
        for folds in ("5", "10"):
            pair = [by.get((data, f"{folds}-{way}")) for way in ("CV", "FBIF")]
            if all(pair) and all(x.paper_way for x in pair):
                cells += [f"{float(pair[0].printed_seconds) / float(pair[1].printed_seconds):.3g}",
                          f"{float(pair[0].paper_way['seconds']) / float(of_like(pair[1])['seconds']):.3g}"]
        if len(cells) == 5:
            table.append(cells)
    return "**Table 2, quotients of times**\n\n" + markdown(
        ["data", "paper: 5-CV / 5-FBIF", "nysel", "paper: 10-CV / 10-FBIF", "nysel"], table) if table else ""


def fbif_times(rows):
    """Liu et al., table 2, kernel ridge regression: processor time, and the errors that it leads to."""
    table = []
    for (name, n, folds), mine in groups(rows, "set", "rows", "folds").items():
        by = {r["way"]: r for r in mine}

        def ratio(a, b):
            return f"{float(by[a]['seconds']) / float(by[b]['seconds']):.2g}"
        first, scale = mine[0], "" if mine[0]["unit"] == "1" else f" / {mine[0]['unit']}"
        errors = [spread(by[way]["mse"], by[way]["sd"]) if by[way]["mse"] else "" for way in ("cv", "fbif", "cv_low", "bif")]
        part = "" if first["grid"] == "all" else f", {first['grid']} points"
        table.append([f"{name} ({n}{part})", folds, first["paper_ratio"], ratio("retrain", "fbif"), ratio("cv", "fbif"),
                      ratio("retrain", "cv"), ratio("cv_low", "bif"), ratio("low", "bif"), time(by["fbif"]["seconds"]),
                      f"{first['paper_cv']}, {first['paper_fbif']}{scale}", *errors])
    r = rows[0]
    return "**Table 2, kernel ridge regression: quotients of processor times, and errors**\n\n" + markdown(
        ["data (training rows)", "folds", "paper: CV / FBIF", "retraining / fbif", "cv / fbif", "retraining / cv",
         "low rank: cv / bif", "low rank: shared part / bif", "fbif", "paper: MSE of CV, FBIF", "cv", "fbif",
         "low rank: cv", "low rank: bif"], table) + \
        f"\n\n- nysel at commit {r['commit']}, {r['cpu']}, {r['cores']} cores, {r['date']}"


# ---- all papers ------------------------------------------------------------------------------------------------------

# name: the paper, csv files of rows in the one shape
PAPERS = {
    "debrabanter": ("De Brabanter et al. 2010", ["debrabanter.csv"]),
    "dingliao": ("Ding and Liao 2012", ["dingliao.csv"]),
    "vangestel": ("Van Gestel et al. 2002", ["vangestel.csv", "vangestel_ard.csv"]),
    "liu": ("Liu et al. 2018", ["liu.csv"]),
    "bonidal": ("Bonidal et al. 2013", ["bonidal.csv"]),
}
FILES = [*(file for _, files in PAPERS.values() for file in files), "independent.csv"]


def all_lines(files):
    """{name of the paper: its lines} from the rows of FILES."""
    files, independent = list(files[:-1]), files[-1]
    found = {}
    for name, (_, own) in PAPERS.items():
        rows = [r for _ in own for r in files.pop(0)]
        rows = bonidal_rows(rows) if name == "bonidal" else rows
        found[name] = lines_of(name, rows, independent)
    return found


def share(part, whole):
    return f"{part} ({100 * part / whole:.0f}%)" if whole else "0"


def counted(name, lines):
    ours, own = [x for x in lines if x.paper_way], [x for x in lines if x.default]
    behind = [x for x in ours if worse(x, x.paper_way)]
    return [name, str(len(lines)), share(sum(gain(x, x.paper_way) >= 0 for x in ours), len(ours)),
            share(sum(not worse(x, x.paper_way, 1) for x in ours), len(ours)), str(len(behind)),
            str(sum(explained(x) for x in behind)), share(sum(gain(x, x.default) >= 0 for x in own), len(own)),
            share(sum(not worse(x, x.default, 1) for x in own), len(own)),
            share(sum(not worse(x, x.default) for x in own), len(own))]


def summary(*files):
    found = all_lines(files)
    rows = [counted(PAPERS[name][0], lines) for name, lines in found.items()]
    rows.append(counted("all", [x for lines in found.values() for x in lines]))
    return markdown(["paper", "lines", "as in the paper: at least as good", "not worse by more than one spread",
                     "worse by more than two", "of these an independent program is as far off",
                     "default: at least as good", "not worse by more than one spread", "by more than two"], rows)


def behind(*files):
    """The lines that stay worse by more than two spreads of one split, as in the paper or by default."""
    rows = []
    for name, lines in all_lines(files).items():
        for x in lines:
            ways = [(label, r) for label, r in (("as in the paper", x.paper_way), ("default", x.default)) if r and worse(x, r)]
            for label, r in ways:
                rows.append([PAPERS[name][0], x.data, f"{x.line}, {x.unit}", label, spread(x.printed, x.printed_sd),
                             figure(r), differences(x, r), "; ".join(map(program, x.independent)) or "none"])
    return markdown(["paper", "data", "line", "way", "paper's", "nysel", "difference", "independent programs"], rows) \
        if rows else "None."


def paper_text(name, extra=None):
    """The function that makes the tables of one paper from the rows of its files, of independent.csv and of extra ones."""
    def text(*files):
        own = PAPERS[name][1]
        rows = [r for part in files[:len(own)] for r in part]
        lines = lines_of(name, bonidal_rows(rows) if name == "bonidal" else rows, files[len(own)])
        parts = [tables_of(lines)] if lines else []
        if name == "bonidal":
            parts.insert(0, bonidal_path(rows))
        if name == "liu":
            parts.append(quotients(lines))
        if extra and files[-1]:
            parts.insert(len(parts) if name == "liu" else 0, extra(files[-1]))
        return "\n\n".join(filter(None, parts))
    return text


EXTRA = {"debrabanter": ("fastcv.csv", fastcv), "liu": ("fbif_time.csv", fbif_times)}
TABLES = {name: ([*files, "independent.csv", *([EXTRA[name][0]] if name in EXTRA else [])],
                 paper_text(name, EXTRA[name][1] if name in EXTRA else None)) for name, (_, files) in PAPERS.items()}
TABLES["papers_summary"] = (FILES, summary)
TABLES["papers_behind"] = (FILES, behind)
