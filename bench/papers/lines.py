"""Rows of results in the one shape that bench/report/papers.py reads: a line of a paper's table, and what came out.

A row is one way to reach one printed figure. `way` is `paper` (the protocol as printed), `default` (`nysel train`
without options), the name of a program that has nothing of nysel's in it, or another variant. `value` and `sd` are
mean and deviation over the splits, `best` and `best_sd` those of the best point of the grid on the test set itself
(independent programs only, where it was looked at), `note` says where the way departs from the paper. `test_rows` is there
where all splits have the same test rows: their number then says more of a spread than the deviation over the splits.
"""
import statistics

import common


class Printed:
    """A figure of the paper: the table, the line in it, mean, deviation, splits and seconds. better: `more` or `less`."""

    def __init__(self, table, line, value, sd="", splits="", seconds="", better="less", unit="error %"):
        self.table, self.line, self.value, self.sd, self.splits, self.seconds = table, line, value, sd, splits, seconds
        self.better, self.unit = better, unit


def row(name, rows, printed, way, values, seconds=None, best=None, test_rows="", note=""):
    """values, best: one for each split; seconds: one for each split, or nothing."""
    mean, sd = common.mean_sd(values)
    top, top_sd = common.mean_sd(best) if best else ("", float("nan"))
    return {"table": printed.table, "set": name, "rows": rows, "line": printed.line, "unit": printed.unit,
            "better": printed.better, "way": way, "splits": len(values), "value": f"{mean:.5g}",
            "sd": common.text(sd, ".3g"), "seconds": f"{statistics.mean(seconds):.3g}" if seconds else "",
            "best": f"{top:.5g}" if best else "", "best_sd": common.text(top_sd, ".3g"), "paper": printed.value,
            "paper_sd": printed.sd, "paper_splits": printed.splits, "paper_seconds": printed.seconds, "test_rows": test_rows,
            "note": note}
