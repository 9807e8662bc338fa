#!/bin/bash
# predict_only.sh NYSEL SOURCE_DIR PROGRAM PREDICT_LIBRARY WHOLE_LIBRARY: a program that links libnysel-predict alone
# predicts what nysel predicts, to the last bit, and has no training code in it.
. "$2/tests/cli/lib.inc"
program=$3 predict_library=$4 whole_library=$5
export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Nehalem} # nysel starts itself again with another one, which rounds otherwise

# same MODEL DATA OPTIONS...: the program's rows are those of nysel predict.
same() {
    local model=$1 data=$2
    shift 2
    "$program" "$model" "$data" >own.csv && "$nysel" predict "$model" "$data" "$@" -o nysel.csv || return 1
    python3 - <<'P'
import csv
own, told = list(csv.reader(open("own.csv"))), list(csv.reader(open("nysel.csv")))[1:]
def value(text):
    try: return float(text)
    except ValueError: return text
assert len(own) == len(told) > 100 and all(list(map(value, a)) == list(map(value, b)) for a, b in zip(own, told))
P
}

for set in waveform mixture sinc; do
    "$nysel" demo $set --rows 300 --write $set.csv >/dev/null
done
awk -F, -v OFS=, 'NR > 1 { $1 = NR % 7 ? "c" NR % 3 : ""; } { print }' sinc.csv >mixed.csv # a column of words, with gaps
expect 0 "three classes" train waveform.csv -o waveform.nysel --threads 1
check "the same classes and probabilities" same waveform.nysel waveform.csv --proba
expect 0 "from the posterior, for another population" train mixture.csv -o mixture.nysel --threads 1 --proba-method posterior --prior uniform
check "the same" same mixture.nysel mixture.csv --proba
expect 0 "numbers" train sinc.csv -o sinc.nysel --threads 1 --machine svr --criterion cv --landmarks 40
check "the same numbers" same sinc.nysel sinc.csv
expect 0 "words, and missing values" train mixed.csv -o mixed.nysel --threads 1 --machine krr --search grid --missing mean
check "the same numbers again" same mixed.nysel mixed.csv
expect 0 "what the record alone has" train mixture.csv -o record.nysel --threads 1 --landmarks 20 --compare-criteria
check "is not in the way" same record.nysel mixture.csv --proba
head -c 3000 sinc.nysel >half.nysel
check "half a file is refused" eval '! "$program" half.nysel sinc.csv 2>own.err && says own.err "not a usable model file: half.nysel: "'

# Every symbol that the whole library defines and the library for prediction does not is training, or reporting.
defined() { nm --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u; }
defined "$whole_library" | grep -E '^ny_' >whole
defined "$predict_library" | grep -E '^ny_' >part
comm -23 whole part >training
for symbol in ny_train ny_fit ny_search_profile ny_criterion_loo ny_landmark_uniform ny_calibrate; do
    check "$symbol is training" grep -qx $symbol training
done
nm "$program" | awk '{ print $NF }' | sort -u >inside
check "the program predicts" grep -qx ny_predict inside
comm -12 training inside >both
check "and trains not" empty both
check "no symbol of training" eval '! grep -E "^(ny_train|ny_search_|ny_criterion_|nlopt_)" inside'
check "nor needs the library" eval '! readelf -d "$program" | grep -i nlopt'
check "which the whole one needs" eval 'nm "$whole_library" 2>/dev/null | grep -q " U nlopt_"'
finish
