"""The plots: error against time of nysel and its peers (peers.csv), time and memory against rows (scale.csv)."""
import statistics

import plot
from shape import groups

COLORS = {"nysel": "#cf222e", "libsvm": "#0969da", "liblinear": "#bc4c00", "kernlab": "#8250df"}
SKLEARN = "#1a7f37"
SETS = ["spambase", "satimage", "magic04", "letter", "adult", "mnist", "abalone", "cpusmall"]
ERRORS = {"error": ("test error, %", 100), "mse": ("test MSE", 1), "rmse": ("test RMSE", 1)}
SWEEPS = {"n": "one training", "rows": "one training, 300 landmarks", "search300": "selection, 300 landmarks",
          "search": "selection, default landmarks"}
LINES = ["#0969da", "#1a7f37", "#cf222e", "#bc4c00"]


def error_against_time(rows, name):
    """One point for each program, the mean over the splits that all of them have; those without an error are left
    out."""
    rows = [r for r in rows if r["set"] == name and r["error"] and r["seconds"]]
    programs = groups(rows, "program").values()
    common = set.intersection(*({r["split"] for r in mine} for mine in programs)) if programs else set()
    rows = [r for r in rows if r["split"] in common]
    series = []
    for (program,), mine in groups(rows, "program").items():
        unit = ERRORS.get(mine[0]["measure"], (mine[0]["measure"], 1))[1]
        x, y = (statistics.mean(float(r[c]) for r in mine) for c in ("seconds", "error"))
        series.append(plot.Series("", [(x, unit * y, program)], COLORS.get(program, SKLEARN)))
    if len(series) < 2:
        return None
    errors = [s.points[0][1] for s in series]
    return plot.Panel(name, "time with selection, s", ERRORS.get(rows[0]["measure"], (rows[0]["measure"],))[0], series,
                      True, min(errors) > 0 and max(errors) > 2 * min(errors))


def peers(rows):
    panels = [error_against_time(rows, name) for name in SETS]
    panels = [panel for panel in panels if panel]
    return plot.figure(panels) if panels else None


def against_rows(rows, column, unit):
    series = []
    for sweep, name in SWEEPS.items():
        points = sorted((float(r["value"]), float(r[column])) for r in rows if r["sweep"] == sweep and r[column])
        if len(points) > 1:
            series.append(plot.Series(name, points, LINES[len(series)], True))
    return plot.Panel(f"{unit[0].capitalize()} against rows", "rows", ", ".join(unit), series, True, True, True) \
        if series else None


def scale(rows):
    panels = [against_rows(rows, "seconds", ("time", "s")), against_rows(rows, "peak_mb", ("memory", "MB"))]
    panels = [panel for panel in panels if panel]
    return plot.figure(panels) if panels else None


PLOTS = {"peers.svg": ("peers.csv", peers), "scale.svg": ("scale.csv", scale)}
