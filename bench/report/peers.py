"""Tables of bench/peers: every program beside nysel, and nysel against tuned LIBSVM."""
import statistics

from shape import footnote, groups, markdown, percent, seconds

TITLES = {
    "nysel": "nysel", "libsvm": "LIBSVM, tuned", "svmtrain": "`svm-train -v 5`, one point", "liblinear": "LIBLINEAR",
    "svc_grid": "SVC, grid", "svc_halving": "SVC, halving", "krr_grid": "KernelRidge, grid",
    "krr_halving": "KernelRidge, halving", "nystroem_ridge": "Nystroem + ridge",
    "nystroem_logistic": "Nystroem + logistic", "kernlab": "kernlab"}


def error(value, measure):
    return percent(value) if measure == "error" else f"{float(value):.4g}"


def mean(rows, column):
    values = [float(r[column]) for r in rows if r[column]]
    return statistics.mean(values) if values else None


def cell(rows, ours):
    """Mean error, time and memory of one program on one set. A machine whose wall clock was shared shows CPU time; a
    program that has run on some of the splits only has nysel's error there beside its own."""
    if not rows:
        return ""
    splits = {r["split"] for r in rows}
    there = [r for r in ours if r["split"] in splits]
    loaded = any("loaded machine" in r["note"] for r in rows)
    time = f"{seconds(mean(rows, 'cpu_seconds'))} CPU" if loaded else seconds(mean(rows, "seconds"))
    wrong = mean(rows, "error")
    shown = "" if wrong is None else error(wrong, rows[0]["measure"])
    if wrong is not None and len(there) < len(ours):
        shown += f" (nysel {error(mean(there, 'error'), rows[0]['measure'])} there)"
    shown += ", " if shown else ""
    return f"{shown}{time}, {mean(rows, 'peak_mb'):.0f} MB"


def peers(rows):
    """One line for each set, one column for each program that has results."""
    programs = [p for p in TITLES if any(r["program"] == p for r in rows)]
    table = []
    for (name,), mine in groups(rows, "set").items():
        by = groups(mine, "program")
        count = len({r["split"] for r in mine})
        unit = ", MSE" if mine[0]["measure"] == "mse" else ""
        table.append([f"{name} ({mine[0]['rows']} rows, {count} split{'s' * (count > 1)}{unit})",
                      *(cell(by.get((p,)), by.get(("nysel",), [])) for p in programs)])
    return markdown(["data", *(TITLES[p] for p in programs)], table) + footnote(rows)


def against_libsvm(rows):
    def shown(r, column):
        sd = r[column + "_sd"]
        return error(r[column], r["measure"]) + (f" ± {error(sd, r['measure'])}" if sd else "")

    table = []
    for r in rows:
        points = 100 if r["measure"] == "error" else 1
        difference = f"{float(r['difference']) * points:+.3g}"
        if r["stderr"]:
            difference += f" ± {float(r['stderr']) * points:.2g}"
        table.append([r["set"] + (" (MSE)" if r["measure"] == "mse" else ""), f"{r['splits']}, {r['over']}",
                      shown(r, "nysel"), shown(r, "libsvm"), difference, r["in_stderr"], r["verdict"]])
    return markdown(["data", "splits, standard error over", "nysel", "LIBSVM, tuned", "difference (points or MSE)",
                     "in standard errors", "not above by more than one"], table) + footnote(rows)


def cost(rows):
    return f"{seconds(mean(rows, 'cpu_seconds'))}, {mean(rows, 'peak_mb'):.0f} MB"


def front(rows, differences):
    """The README's table: nysel and tuned LIBSVM, errors and processor time, on the sets that both have run on."""
    by = groups(rows, "set", "program")
    table = []
    for d in differences:
        ours, theirs = by[d["set"], "nysel"], by[d["set"], "libsvm"]
        unit = " (MSE)" if d["measure"] == "mse" else ""
        table.append([d["set"] + unit, ours[0]["rows"], error(d["nysel"], d["measure"]),
                      error(d["libsvm"], d["measure"]), d["in_stderr"], cost(ours), cost(theirs)])
    return markdown(["data", "training rows", "nysel", "LIBSVM", "difference", "nysel, CPU time", "LIBSVM, CPU time"],
                    table) + footnote([r for r in rows if r["program"] == "nysel"])


TABLES = {"peers": ("peers.csv", peers), "against_libsvm": ("against_libsvm.csv", against_libsvm),
          "front": (["peers.csv", "against_libsvm.csv"], front)}
