#!/bin/bash
# Machines of other losses on the command line: columns and JSON of quantiles, what solver and loss tell, probabilities.
. "$(dirname "$0")/lib.inc"
few="--kernel rbf --landmarks 60"

"$nysel" demo sinc --write train.csv --rows 300 >/dev/null
"$nysel" demo sinc --write new.csv --rows 200 --seed 2 >/dev/null
expect 0 "train quantiles" train train.csv -o q.nysel --machine quantile --quantiles 0.95,0.05,0.5 $few --json report.json
check "the summary names the loss" says out "expected pinball loss"
check "and the quantiles" says out "quantiles       0.05, 0.5, 0.95"
check "and the solver" says out "solver          newton: "
check "and that the folds are approximate" says out "(10-fold cross-validation by Newton steps)"
check "the record has solver and loss" python3 -c '
import json; r = json.load(open("report.json")); s, l = r["solver"], r["loss"]
assert s["name"] == "newton" and s["steps"] > 0 and 0 <= s["gap"] < 1e-6 and len(s["objective"]) == 3, s
assert l["name"] == "pinball" and l["quantiles"] == [0.05, 0.5, 0.95] and l["width"] > 0 and l["noise"] > 0, l
assert 0 <= l["crossed"] <= 1 and len(r["C"]) == 3'
expect 0 "predict" predict q.nysel new.csv
check "header" test "$(head -1 out)" = prediction,q0.05,q0.5,q0.95
check "columns in order, the middle one is the prediction" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert len(rows) == 200
for r in rows: assert float(r["q0.05"]) <= float(r["q0.5"]) <= float(r["q0.95"]) and r["prediction"] == r["q0.5"]'
expect 0 "with an interval and scores" predict q.nysel new.csv --interval 0.9 --scores
check "its ends are quantiles" python3 -c '
import csv
rows = list(csv.DictReader(open("out")))
assert list(rows[0]) == ["prediction", "q0.05", "q0.5", "q0.95", "lower", "upper", "score_1", "score_2", "score_3"]
for r in rows: assert r["lower"] == r["q0.05"] == r["score_1"] and r["upper"] == r["q0.95"] == r["score_3"]'
expect 0 "JSON" predict q.nysel new.csv --interval 0.9 --json
check "has them too" python3 -c '
import json; p = json.load(open("out"))
assert p["quantiles"] == [0.05, 0.5, 0.95] and "scores" not in p and "noise_sd" not in p
assert [v[1] for v in p["quantile_values"]] == p["prediction"] and [v[0] for v in p["quantile_values"]] == p["lower"]'
expect 2 "another interval" predict q.nysel new.csv --interval 0.8
check "says which quantiles it takes" says err "--quantiles 0.1,0.5,0.9"
expect 0 "test" test q.nysel new.csv --interval 0.9
check "tells each quantile" says out "quantile 0.95      pinball loss"
check "and the coverage" says out "of the targets are in the 90% interval"
expect 0 "one quantile" train train.csv -o one.nysel --machine quantile $few
expect 0 "predicts" predict one.nysel new.csv
check "one column" test "$(head -1 out)" = prediction
expect 2 "quantiles out of range" train train.csv --machine quantile --quantiles 0.5,1
expect 0 "svr" train train.csv -o svr.nysel --machine svr $few --json report.json
check "tells its epsilon" says out "(half the noise)"
check "in the record too" python3 -c '
import json; l = json.load(open("report.json"))["loss"]
assert l["name"] == "insensitive" and abs(l["epsilon"] - l["noise"] / 2) < 1e-12 * l["noise"], l'
expect 2 "has no interval" predict svr.nysel new.csv --interval 0.9
check "but knows who has" says err "--machine quantile --quantiles 0.05,0.5,0.95"

"$nysel" demo waveform --write classes.csv --rows 300 >/dev/null
for code in ova ovo moc; do
    expect 0 "logistic $code" train classes.csv -o l.nysel --machine logistic --multiclass $code --proba-method link $few
    expect 0 "probabilities of $code" predict l.nysel classes.csv --proba
    check "sum to one and agree with the label" python3 -c '
import csv
for r in csv.DictReader(open("out")):
    p = {k[2:]: float(v) for k, v in r.items() if k.startswith("p_")}
    assert abs(sum(p.values()) - 1) < 1e-9 and max(p, key=p.get) == r["prediction"], r'
done
expect 2 "--proba-method link for another machine" train classes.csv --machine svm --proba-method link
check "is refused" says err "--machine logistic"
finish
