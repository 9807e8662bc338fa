"""Tables of bench/scale (time and memory against sizes, and the exponents) and of bench/stage (stages and bounds)."""
from shape import footnote, markdown, percent, seconds


def count(text):
    return f"{int(text):,}"


def scale(rows):
    table = [[r["sweep"], count(r["value"]), count(r["rows"]), r["inputs"], r["landmarks"], seconds(r["seconds"]),
              seconds(r["cpu_seconds"]), f"{r['peak_mb']} MB", percent(r["error"]),
              percent(float(r["syrk_seconds"]) / float(r["seconds"]))] for r in rows]
    return markdown(["sweep", "value", "rows", "inputs", "landmarks", "time", "CPU time", "memory", "test error",
                     "time of the bare product"], table) + footnote(rows)


def scale_fit(rows):
    def measured(r):
        return r["exponent"] if r["holds"] == "yes" else f"**{r['exponent']}**"

    table = [[r["what"], f"{count(r['from'])} to {count(r['to'])}", measured(r), r["cpu_exponent"],
              r["memory_exponent"], r["theory"], r["limit"]] for r in rows]
    return markdown(["time against", "between", "exponent", "of CPU time", "of memory", "theory", "at most"],
                    table) + footnote(rows)


def stage(rows):
    table = [[r["stage"], r["size"], f"{float(r['seconds']) * 1e3:.3g} ms", r["bound"],
              f"{float(r['bound_seconds']) * 1e3:.3g} ms", r["fraction"]] for r in rows]
    return markdown(["stage", "size", "time", "bound", "its time", "fraction"], table) + footnote(rows)


TABLES = {"scale": ("scale.csv", scale), "scale_fit": ("scale_fit.csv", scale_fit), "stage": ("stage.csv", stage)}
