#!/bin/bash
# --solver cg: selection on the low rank, then the exact machine; the model is that of --landmarks all.
. "$(dirname "$0")/lib.inc"

"$nysel" demo waveform --write train.csv --rows 700 -q || fail "demo --write"
"$nysel" demo waveform --write new.csv --rows 300 --seed 2 -q || fail "demo --write"
fixed=(--kernel rbf --bandwidth 5 --C 3 --search none)

expect 0 "train --solver cg" train train.csv --landmarks 40 "${fixed[@]}" --solver cg --solver-tol 1e-12 -o cg.nysel --json cg.json
check "the summary tells how it went" grep -q "solver          cg: exact on all 700 rows, [0-9]* iterations, residual" out
check "the JSON has the solver" python3 -c '
import json; j = json.load(open("cg.json")); s = j["solver"]
assert s["name"] == "cg" and s["iterations"] > 0 and s["residual"] <= 1e-12 and 0 < s["rank"] < 700, s
assert s["seconds"] <= j["seconds"]["train"] and j["landmarks"] <= 40 and j["options"]["solver"] == "cg"'
expect 0 "train --landmarks all" train train.csv --landmarks all --rank-tol 0 "${fixed[@]}" -o all.nysel --json all.json
check "the JSON has no solver" python3 -c 'import json; assert json.load(open("all.json"))["solver"] is None'
"$nysel" predict cg.nysel new.csv --scores >a.csv 2>err
"$nysel" predict all.nysel new.csv --scores >b.csv 2>err
check "both say the same" python3 - <<'P'
import csv
a, b = (list(csv.DictReader(open(f))) for f in ("a.csv", "b.csv"))
assert len(a) == len(b) == 300
worst = max(abs(float(x[k]) - float(y[k])) for x, y in zip(a, b) for k in ("score_1", "score_2", "score_3"))
assert worst < 1e-8, worst
assert all(x["prediction"] == y["prediction"] for x, y in zip(a, b))
P
expect 0 "info of the model" info cg.nysel
check "it tells the solver too" says out "solver          cg: exact on all 700 rows"

expect 0 "too few iterations" train train.csv --landmarks 40 "${fixed[@]}" --C 1e5 --solver cg --solver-iterations 1 -o few.nysel
check "it says so" grep -q "not converged: residual .* after 1 iterations; the low-rank machine was kept" out
check "the model works" "$nysel" test few.nysel new.csv
expect 2 "--solver cg --multiclass ovo" train train.csv --solver cg --multiclass ovo
check "the remedy is named" says err "--multiclass ova"
expect 2 "--solver cg --stream yes" train train.csv --solver cg --stream yes
check "the remedy is named" says err "--solver cg (use direct)"
"$nysel" demo waveform --write more.csv --rows 1800 -q || fail "demo --write"
expect 0 "by default an exact machine follows where it is cheap" train more.csv --effort fast --select-on mse -o auto.nysel --json auto.json
check "the JSON says so" python3 -c '
import json; j = json.load(open("auto.json")); s = j["solver"]
assert s["name"] == "cg" and s["residual"] <= 1e-2 and j["options"]["landmarks"] == "auto" and j["options"]["solver"] == "auto", s
assert not j["notes"], j["notes"]'
seq 1800 | awk '{print $1 % 5}' >folds.txt
for given in "--solver direct" "--criterion cv --folds 3" "--fold-file folds.txt" "--landmarks 200" "--rank 50" "--machine svm" "--multiclass ovo" "--landmarks grow"; do
    expect 0 "but not with $given" train more.csv $given --kernel rbf --bandwidth 4 --C 1 -o low.nysel --json low.json
    check "it is the low-rank machine" python3 - "$given" <<'P'
import json, sys
j = json.load(open("low.json"))
solver = j["solver"]["name"] if j["solver"] else None
assert solver == ("newton" if sys.argv[1] == "--machine svm" else None), solver
assert j["exact"] is False and j["landmarks"] < 1800, (j["exact"], j["landmarks"])
P
done
expect 0 "a C that is given" train more.csv --kernel rbf --bandwidth 4 --C 100000 -o low.nysel --json given.json
check "stays" python3 -c 'import json; C = json.load(open("given.json"))["C"]; assert {*C} == {100000}, C'

# Numbers bear a large C, which classes never need: without a posterior it must not be another machine.
"$nysel" demo sinc --write sinc.csv --rows 1700 -q || fail "demo --write"
expect 0 "numbers" train sinc.csv -o sinc.nysel --json sinc.json
expect 0 "numbers without a posterior" train sinc.csv --posterior no -o plain.nysel --json plain.json
check "have the same machine" python3 -c '
import json; a, b = (json.load(open(f)) for f in ("sinc.json", "plain.json"))
assert a["C"] == b["C"] and a["bandwidth"] == b["bandwidth"] and abs(a["criterion"]["error"] / b["criterion"]["error"] - 1) < 1e-6'

# Heavy-tailed inputs and hardly any noise, as counts of a computer's work have: the best C is huge, and leave-one-out
# errors at it may be noise. What is expected must be what comes.
python3 - <<'P'
import math, random
r = random.Random(4)
for name, rows in ("counts.csv", 2000), ("counts_new.csv", 1500):
    with open(name, "w") as f:
        f.write("a,b,c,d,y\n")
        for _ in range(rows):
            x = [math.exp(2 * r.gauss(0, 1)) for _ in range(4)]
            y = 90 / (1 + x[0] / 5 + x[1] / 50) - 3 * math.log(1 + x[2]) + r.gauss(0, 0.3)
            f.write(",".join("%.6g" % v for v in x) + ",%.6g\n" % y)
P
expect 0 "counts of heavy tails" train counts.csv -o counts.nysel --json counts.json --kernel matern32
expect 0 "their test" test counts.nysel counts_new.csv --json counts_test.json
check "the expected error is no noise" python3 -c '
import json; c = json.load(open("counts.json")); e = c["criterion"]["error"]
t = json.load(open("counts_test.json"))["metrics"]["rmse"]
assert 0.29 < e < 6 and 0.5 < t / e < 2, (e, t, c["C"], c["solver"])'

# By default a separable kernel is chosen there: its leave-one-out error is that of the machine by the whole kernel matrix,
# and its error on new rows less than half of the one above.
expect 0 "the default" train counts.csv --metric none -o best.nysel --json best.json
expect 0 "its test" test best.nysel counts_new.csv --json best_test.json
read -r kernel bandwidth C < <(python3 -c '
import json; j = json.load(open("best.json")); C = j["C"]
print(j["kernel"], j["bandwidth"], C[0] if isinstance(C, list) else C)')
expect 0 "the whole kernel matrix" train counts.csv --kernel "$kernel" --bandwidth "$bandwidth" --C "$C" --search none \
    --landmarks all --solver direct --rank-tol 1e-15 --json dense.json
check "says the same" python3 -c '
import json; a, b = (json.load(open(f))["criterion"]["error"] for f in ("best.json", "dense.json"))
old = json.load(open("counts_test.json"))["metrics"]["rmse"]; t = json.load(open("best_test.json"))["metrics"]["rmse"]
assert abs(a / b - 1) < 0.1 and t < old / 2, (a, b, t, old)'

# The leave-one-out errors by which numbers choose C are those of that C: beside a machine by the whole kernel matrix.
python3 -c '
import math, random
r = random.Random(3)
print(*"abcdefghijy", sep=",")
for _ in range(2100):
    x = [r.random() for _ in range(10)]
    y = 10 * math.sin(math.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4] + r.gauss(0, 1)
    print(*("%.6f" % v for v in [*x, y]), sep=",")' >friedman.csv
expect 0 "numbers that choose for themselves" train friedman.csv --kernel rbf -o own.nysel --json own.json
bandwidth=$(python3 -c 'import json; print(repr(json.load(open("own.json"))["bandwidth"]))')
C=$(python3 -c 'import json; print(repr(json.load(open("own.json"))["C"]))')
expect 0 "the same by the kernel matrix" train friedman.csv --kernel rbf --search none --bandwidth "$bandwidth" --C "$C" \
    --landmarks all --solver direct -o dense.nysel --json dense.json
check "have the same leave-one-out error" python3 -c '
import json; a, b = (json.load(open(f)) for f in ("own.json", "dense.json"))
a, b, solver = a["criterion"]["value"], b["criterion"]["value"], a["solver"]["name"]
assert solver == "cg" and abs(a / b - 1) < 0.02, (a, b, solver)'

expect 0 "an exact machine" train train.csv -o exact.nysel --json exact.json
expect 0 "--solver cg on top of it" train train.csv --solver cg -o again.nysel --json again.json
check "keeps its exact leave-one-out errors" python3 -c '
import json; a, b = (json.load(open(f)) for f in ("exact.json", "again.json"))
assert a["exact"] and a["criterion"] == b["criterion"] and b["solver"]["name"] == "cg", (a["criterion"], b["criterion"])'

awk -F, -v OFS=, 'NR > 1 {$NF = (NR % 2 ? "" : "-") "9" NR "e305"} {print}' train.csv | head -90 >huge.csv
timeout 60 "$nysel" train huge.csv --task regression -q -o huge.nysel 2>err
check "targets that overflow end with a word" test $? -eq 1 -a -s err

# Smaller machines take the kernel for another than the one that is best for all rows: the second one has its try there.
python3 - <<'P'
import random
for name, inputs, seed in ("kinks", 5, "abs0"), ("board", 2, "check0"):
    r = random.Random(seed)
    with open(f"{name}.csv", "w") as f:
        print(*(f"x{j}" for j in range(inputs)), "y", sep=",", file=f)
        for _ in range(2300):
            x = [r.uniform(-1, 1) for _ in range(inputs)]
            if name == "kinks":
                y = "%.5f" % (sum(map(abs, x)) + 0.1 * r.gauss(0, 1))
            else:
                y = "ab"[(int(3 * x[0] + 9) + int(3 * x[1] + 9) + (r.random() < 0.1)) % 2]
            print(*("%.5f" % v for v in x), y, sep=",", file=f)
P
for set in kinks board; do
    for kernel in auto rbf matern32; do
        expect 0 "$set, --kernel $kernel" train $set.csv --kernel $kernel -o kernel.nysel --json $kernel.json
    done
    check "auto is as good as the better kernel alone" python3 -c '
import json; auto, *alone = (json.load(open(f"{k}.json"))["criterion"]["value"] for k in ("auto", "rbf", "matern32"))
assert auto <= 1.01 * min(alone), (auto, alone)'
done

# Where the exact machine is not cheap it follows only if more landmarks gain.
"$nysel" demo sinc --write many.csv --rows 40000 -q || fail "demo --write"
expect 0 "a curve that few landmarks tell" train many.csv --kernel rbf --bandwidth 1 --C 10 -o many.nysel --json many.json
check "is left to them" python3 -c '
import json; j = json.load(open("many.json")); assert j["landmarks"] < 2000 and not j["exact"] and j["solver"] is None, j["solver"]'

expect 2 "an unknown solver" train train.csv --solver qr
check "the solvers are named" says err "auto|direct|cg"
finish
