"""plug-in bandwidths equal R's bw.SJ(method = "ste")

R bins too: 1000 bins by default, equal over the range, and stops its root finder at a hundredth of the search interval.
So it is asked with 10000 bins and a fine root, and for columns of few distinct values the same equation is also solved
in R with the sums over all pairs, which has no bins at all.
"""
import csv
import gzip
import pathlib
import shutil
import subprocess

import numpy as np

import peer

R_CODE = """
x <- scan(file("stdin"), quiet = TRUE)
n <- length(x)
scale <- min(sd(x), IQR(x) / 1.349)
top <- 1.144 * scale * n^(-1/5)
first <- bw.SJ(x, nb = 10000, method = "ste", tol = 1e-6 * top)
binned <- bw.SJ(x, nb = 10000, method = "ste", tol = 1e-6 * first)
v <- sort(unique(x))
exact <- NA
if (length(v) <= 1000) {
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
    exact <- uniroot(gap, c(0.8, 1.25) * first, extendInt = "yes", tol = 1e-7 * first)$root
}
cat(sprintf("%.17g", c(binned, exact)))
"""
SETS = {"housing": ["crim", "nox", "rm", "dis", "lstat"], "concrete": ["cement", "water", "coarse_agg", "age"],
        "abalone": ["length", "whole_weight", "shell_weight"], "magic04": ["fLength", "fSize", "fConc", "fAlpha"]}


def call(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: exit {done.returncode}: {done.stderr.strip()}")
    return [float(v) if v != "NA" else None for v in done.stdout.split()]


def generated():
    r = np.random.RandomState(3)
    yield "normal, 400", r.randn(400)
    yield "normal, 20000", r.randn(20000) * 1e-3 + 50
    yield "two modes, 3000", np.where(r.rand(3000) < 0.6, r.randn(3000), 6 + r.randn(3000) / 4)
    yield "gamma, 5000", r.gamma(2.0, 3.0, 5000)
    yield "uniform, 1000", r.rand(1000)
    yield "t with 4 degrees of freedom, 2000", r.standard_t(4, 2000)
    yield "whole numbers, 2000", np.round(r.randn(2000) * 30)


def run(tool, results):
    program = pathlib.Path(tool.binary).parent / "bench" / "bench_plugin"
    if not shutil.which("Rscript"):
        return results.skip("plug-in bandwidths", "there is no Rscript: make deps-peers")
    if not program.exists():
        return results.skip("plug-in bandwidths", f"{program} is not built")
    columns = list(generated())
    for name, wanted in SETS.items():
        columns += [(f"{name}, {column}", values) for column, values in real(name, wanted)]
    for name, values in columns:
        text = "\n".join(repr(float(v)) for v in values)
        ours, (binned, exact) = call([program], text)[0], call(["Rscript", "-e", R_CODE], text)
        results.close(f"{name}: R with 10000 bins", ours, binned, 5e-3)
        if exact:
            results.close(f"{name}: R with all pairs", ours, exact, 1e-3)


def real(name, wanted):
    """(column, values) of a set of NYSEL_DATA; nothing when it is not there."""
    path = peer.DATA / f"{name}.csv.gz"
    if not path.exists():
        return
    with gzip.open(path, "rt", newline="") as file:
        header, *rows = [row for row in csv.reader(file) if row]
    for column in wanted:
        yield column, [float(row[header.index(column)]) for row in rows]
