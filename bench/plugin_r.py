#!/usr/bin/python3
"""Plug-in bandwidths of nysel beside those of R, column by column.   plugin_r.py BENCH_PLUGIN [SET ...]

r: bw.SJ(method = "ste") as it comes (1000 bins, loose root). r1000, r10000: that many bins, root to 1e-7. limit: the
same equation in R with sums over all pairs (up to 1500 distinct values), or R with 100000 bins. Ratios are nysel / R.
Where R has no answer nysel takes the normal reference rule.
"""
import subprocess
import sys

import common

SETS = ["magic04", "concrete", "housing", "abalone", "cpusmall", "pima_diabetes"]
R_CODE = """
x <- scan(file("stdin"), quiet = TRUE)
n <- length(x)
scale <- min(sd(x), IQR(x) / 1.349)
sj <- function(...) tryCatch(bw.SJ(x, method = "ste", ...), error = function(e) NA)
first <- sj(nb = 10000, tol = 1e-6 * scale)
tight <- if (is.na(first)) 1 else 1e-7 * first
v <- sort(unique(x))
if (is.na(first) || length(v) > 1500) {
    limit <- if (is.na(first)) NA else sj(nb = 100000, tol = tight)
} else {
    w <- tabulate(match(x, v))
    squares <- outer(v, v, "-")^2
    weights <- outer(w, w)
    psi <- function(r, g) {
        t <- pmin(squares / g^2, 1400)
        p <- if (r == 4) t^2 - 6 * t + 3 else t^3 - 15 * t^2 + 45 * t - 15
        sum(weights * p * exp(-t / 2)) / (n * (n - 1) * g^(r + 1) * sqrt(2 * pi))
    }
    ratio <- 1.357 * (psi(4, 1.24 * scale * n^(-1/7)) / -psi(6, 1.23 * scale * n^(-1/9)))^(1/7)
    gap <- function(h) (1 / (2 * sqrt(pi) * n * psi(4, ratio * h^(5/7))))^(1/5) - h
    limit <- uniroot(gap, c(0.8, 1.25) * first, extendInt = "yes", tol = tight)$root
}
cat(sprintf("%.17g", c(sj(), sj(nb = 1000, tol = tight), sj(nb = 10000, tol = tight), limit)))
"""
KEYS = ["r", "r1000", "r10000", "limit"]


def call(command, text):
    words = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.split()
    return [float(w) if w != "NA" else None for w in words]


def compare(program, name, column, values):
    text = "\n".join(values)
    ours, theirs = call([program], text)[0], call(["Rscript", "-e", R_CODE], text)
    row = {"set": name, "column": column, "rows": len(values), "distinct": len(set(map(float, values))),
           "nysel": f"{ours:.6g}"}
    row.update({k: "none" if v is None else f"{v:.6g}" for k, v in zip(KEYS, theirs)})
    row.update({f"ratio_{k}": "" if v is None else f"{ours / v:.5f}" for k, v in zip(KEYS[2:], theirs[2:])})
    return row


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rows = []
    for name in sys.argv[2:] or SETS:
        path = common.data_file(name)
        header, records = common.read_rows(path) if path else ([], [])
        for j, column in enumerate(header):
            try:
                rows.append(compare(sys.argv[1], name, column, [str(float(r[j])) for r in records]))
            except ValueError:
                pass  # categories
    if not rows:
        return
    common.show(rows, list(rows[0]))
    print("\nlargest deviation in percent (from R with 10000 bins; from the limit)")
    for name in dict.fromkeys(row["set"] for row in rows):
        worst = [max(abs(float(row[key]) - 1) for row in rows if row["set"] == name and row[key])
                 for key in ("ratio_r10000", "ratio_limit")]
        print(f"{name:15s} {100 * worst[0]:8.3f} {100 * worst[1]:8.3f}")


main()
