#!/usr/bin/env bash
# bench/tabular.py: two tiny sets, two methods, resumed and reported; its arithmetic against an independent one.
. "$(dirname "$0")/lib.inc"
export PYTHONDONTWRITEBYTECODE=1 TMPDIR=$work NYSEL_RESULTS=$work
python=/usr/bin/python3
[ -x $python ] || python=python3
if ! $python -c "import numpy, sklearn" 2>python.err; then
    skip "bench/tabular.py: numpy or scikit-learn is missing"
    finish
fi
bench() { $python "$source_dir/bench/tabular.py" "$@"; }
tiny=(--only sk_iris,gen_categories --splits 0,1 --max-rows 150)

check "the tables" bench "$nysel" --methods nysel,knn "${tiny[@]}"
check "nothing failed" empty check.err
lines() { [ "$(wc -l <"$1")" -eq "$2" ]; }
check "a line for each set, split and method" lines tabular.csv 9
check "its losses beside" lines tabular_losses.csv 9
check "again with --add" bench "$nysel" --methods nysel,knn "${tiny[@]}" --add
check "what is there is left out" lines tabular.csv 9
check "a variant is another method" bench "$nysel" --nysel 'linear=--kernel linear' --methods nysel "${tiny[@]}" --add
check "it is added" lines tabular.csv 13
bench --report --max-rows 150 >report.out 2>report.err
check "the report has ranks" says report.out "Ranks over the 2 sets"
check "and duels" says report.out "nysel:default: wins, ties"
check "other rows are not mixed in" empty <(bench --report --max-rows 151)
refused() { ! "$@"; }
check "an unknown set is refused" refused bench "$nysel" --only sk_irises

check "the arithmetic" $python - "$source_dir" <<'P'
import argparse, csv, math, pathlib, sys
sys.path[:0] = [sys.argv[1] + "/bench", sys.argv[1] + "/bench/tables"]
import numpy as np
import table_generated, table_losses, table_report, table_sets

# The least errors that are known in closed form: normal classes four deviations apart; noise of deviation 125.
assert abs(table_generated.best("gen_twonorm") - math.erfc(math.sqrt(2)) / 2) < 5e-4
assert abs(table_generated.best("gen_friedman2") - 125) < 1e-9
# A nearly perfect classifier of moons, neighbours of 20,000 drawn rows, is a little worse than the best, never better.
names, X, y, _ = table_generated.moons(np.random.RandomState(1), 24000)
from sklearn.neighbors import KNeighborsClassifier
wrong = (KNeighborsClassifier(100).fit(X[:20000], y[:20000]).predict(X[20000:]) != y[20000:]).mean()
assert -0.012 < wrong - table_generated.best("gen_moons") < 0.02, wrong

# Splits: two thirds, all rows once, no row twice; with a limit the test rows are others than the training rows.
table = table_sets.Table("numbers", ["a", "y"], [[str(i), "0"] for i in range(9000)])
a, b = table_sets.part(table, 1, 0)
assert (len(a), len(b)) == (6000, 3000) and len({r[0] for r in a + b}) == 9000
a, b = table_sets.part(table, 1, 300)
assert (len(a), len(b)) == (200, 5000) and len({r[0] for r in a + b}) == 5200
assert table_sets.splits(table, 0) == [0, 1, 2, 3, 4]
assert table_sets.splits(table._replace(rows=table.rows * 2), 0) == [0, 1, 3]
assert table_sets.splits(table._replace(rows=table.rows * 2), 3000) == [0, 1, 2, 3, 4]

# Labels agree as numbers, too.
assert list(table_losses.of("classes", ["1", "b", "+1"], ["1.0", "c", "1"])) == [0, 1, 0]

# The difference of two RMSEs and its standard error against the bootstrap, from packed losses.
rng = np.random.RandomState(2)
args = argparse.Namespace(methods=None, max_rows=0, only=["s"], splits=[0], out=pathlib.Path("made.csv"))
base, rows, packed = rng.normal(size=4000), [], []
errors = {"nysel:a": base + 0.3 * rng.normal(size=4000), "b": base + 0.5 * rng.normal(size=4000)}
for name, e in errors.items():
    rows.append({"set": "s", "split": "0", "method": name, "max_rows": "0", "version": "1", "task": "numbers",
                 "test_rows": "4000", "error": repr(math.sqrt(np.mean(e ** 2))), "best": "", "cpu_seconds": "1", "peak_mb": "1"})
    packed.append(table_losses.packed(rows[-1], e ** 2))
for path, lines in ((args.out, rows), (table_losses.beside(args.out), packed)):
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, list(lines[0]))
        out.writeheader()
        out.writerows(lines)
results = table_report.Results(args, [0])
mean, se = results.difference("s", "nysel:a", "b")
rmse = lambda e, i: math.sqrt(np.mean(e[i] ** 2))
again = [rmse(errors["nysel:a"], i) - rmse(errors["b"], i) for i in (rng.randint(0, 4000, 4000) for _ in range(1000))]
assert abs(mean - rmse(errors["nysel:a"], slice(None)) + rmse(errors["b"], slice(None))) < 1e-12
assert abs(se / np.std(again) - 1) < 0.2, (se, np.std(again))  # of a quarter of the rows
assert table_report.verdict(results, "s", "nysel:a", "b") == -1 and table_report.verdict(results, "s", "b", "nysel:a") == 1
# Wrong in the same way: the row-wise losses of classes, 30 and 20 rows wrong of 1000, 20 of them the same.
x, y = np.zeros(1000), np.zeros(1000)
x[:30], y[:20] = 1, 1
row = {**rows[0], "task": "classes", "test_rows": "1000", "error": "0.03"}
assert (table_losses.unpacked(row, table_losses.packed(row, x)["losses"]) == x).all()
results.rows = {("s", 0, "a"): row, ("s", 0, "b"): {**row, "error": "0.02"}}
results.losses = {("s", 0, "a"): x, ("s", 0, "b"): y}
mean, se = results.difference("s", "a", "b")
assert abs(mean - 0.01) < 1e-12 and abs(se - math.sqrt(0.01 * 0.99 / 999)) < 1e-9
P
finish
