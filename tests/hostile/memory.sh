#!/bin/bash
# --memory is a promise: whatever the file, the peak of the process stays within the limit and 32 MB, or the run is
# refused at once with the numbers and what helps.
. "$(dirname "$0")/../cli/lib.inc"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
peaks=1
[ -n "$sanitizer" ] && peaks=0 && skip "peaks: the sanitizer's own memory would count"

cat >within.py <<'P2'
import resource, subprocess, sys
# within.py MB CODE NYSEL ARGUMENTS...: the peak of the only child, and its exit status. A run that goes far beyond is
# ended by the address space it is given. 0 MB: only the exit status counts.
limit, code = int(sys.argv[1]), int(sys.argv[2])
cap = 4 << 30 if limit else resource.RLIM_INFINITY
done = subprocess.run(sys.argv[3:], stdin=subprocess.DEVNULL, stdout=open("out", "w"), stderr=open("err", "w"),
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (cap, cap)), timeout=100)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(f"peak {peak} MB, status {done.returncode}", file=sys.stderr)
sys.exit(0 < limit < peak - 32 or done.returncode != code)
P2
# within LIMIT CODE NAME ARGUMENTS...
within() {
    local limit=$1 code=$2 name=$3
    shift 3
    check "$name within $limit MB, status $code" python3 within.py $((peaks * limit)) "$code" "$nysel" "$@" \
        --memory "${limit}M"
    [ "$code" -eq 0 ] || check "... and says what may be used" says err "MB may be used"
}

python3 - <<'P2'
import gzip, random
random.seed(1)
with gzip.open("line.csv.gz", "wb", 1) as file:  # one line of 300 MB in half a megabyte
    file.write(b"a,b\n1,2\n")
    for _ in range(300):
        file.write(b"1" * (1 << 20))
with gzip.open("rows.csv.gz", "wb", 1) as file:  # 1.2 million rows, thirty times what the size of the file promises
    file.write(b"a,b,y\n")
    block = b"".join(b"%d,%d,%d\n" % (i % 7, i % 5, i % 3) for i in range(10000))
    for _ in range(120):
        file.write(block)
with open("fields.csv", "wb") as file:  # a table of 30 million columns
    for _ in range(60):
        file.write(b"1," * (1 << 19))
with open("quote.csv", "wb") as file:  # a quote that is never closed
    file.write(b'a,b\n1,2\n3,"')
    for _ in range(100):
        file.write(b"x\n" * (1 << 19))
with open("wide.csv", "w") as file:
    for _ in range(20):
        file.write(",".join(str(random.randint(0, 9)) for _ in range(200000)) + "\n")
with open("levels.csv", "w") as file:  # 10,000 rows x 2001 inputs: 160 MB
    file.write("a,b,c,y\n")
    for i in range(10000):
        file.write(f"{random.random()},u{random.randrange(1000)},v{random.randrange(1000)},{i % 2}\n")
with open("classes.csv", "w") as file:
    file.write("a,b,c,y\n")
    for i in range(8000):
        k = random.randrange(400)
        file.write(f"{k % 10 + random.random()},{k // 10 % 10 + random.random()},{k // 100},k{k}\n")
with open("small.csv", "w") as file:
    file.write("a,b,y\n")
    for i in range(200):
        a = random.random()
        file.write(f"{a},{random.random()},{a > 0.5}\n")
P2
expect 0 "a model" train small.csv -q -o small.nysel

within 48 1 "/dev/zero" train /dev/zero
within 48 1 "/dev/zero for info" info /dev/zero
within 48 1 "/dev/zero for test" test small.nysel /dev/zero
within 48 1 "/dev/zero for predict" predict small.nysel /dev/zero
within 48 1 "--fold-file /dev/zero" train small.csv --fold-file /dev/zero
within 48 1 "a gzipped line of 300 MB" train line.csv.gz
check "the file is named" says err "line.csv.gz: a line of more than"
within 48 1 "30 million fields" train fields.csv
within 48 1 "a quote that is never closed" train quote.csv
within 48 1 "200,000 columns" train wide.csv
check "the file is named" says err "wide.csv"
within 256 1 "200,000 columns of which the model would not fit" train wide.csv --landmarks 10 --kernel linear
within 400 0 "200,000 columns with room for them" train wide.csv -q --landmarks 10 --kernel linear -o wide.nysel
within 48 0 "rows that turn out to be many" train rows.csv.gz -q --landmarks 20 --kernel rbf --bandwidth 2 --search none \
    --json rows.json
check "all of them were used" python3 -c 'import json; assert json.load(open("rows.json"))["data"]["rows"] == 1200000'
within 48 1 "the same at once" train rows.csv.gz --stream no
check "the remedy is an option that helps" says err "use --stream yes"
within 48 0 "2000 levels" train levels.csv -q --landmarks 20 --kernel rbf --bandwidth 2 --search none
within 48 1 "2000 levels at once" train levels.csv --stream no
within 48 1 "400 classes" train classes.csv
check "the remedy is an option that helps" says err "--multiclass moc"
within 48 0 "400 classes with it" train classes.csv -q --multiclass moc --landmarks 50 --kernel rbf --bandwidth 1 \
    --search none -o classes.nysel
within 100 0 "400 classes in passes" train classes.csv -q --stream yes --kernel rbf --bandwidth 1:4:1
within 48 0 "probabilities of 400 classes" predict classes.nysel classes.csv --proba -o proba.csv

# The targets of pairs are stored nowhere: what is predicted is what is taken, whatever the number of classes.
for classes in 3 10 30; do
    python3 - $classes <<'P2'
import random, sys
random.seed(2)
classes = int(sys.argv[1])
middle = [[random.gauss(0, 2) for _ in range(5)] for _ in range(classes)]
with open("pairs.csv", "w") as file:
    for i in range(6000):
        file.write(",".join("%.3f" % random.gauss(m, 1) for m in middle[i % classes]) + f",c{i % classes}\n")
P2
    expect 0 "pairs of $classes classes" train pairs.csv -q --multiclass ovo --landmarks 100 --kernel rbf --threads 1 \
        --json pairs.json
    check "pairs of $classes classes take what is predicted" python3 -c "
import json
j = json.load(open('pairs.json'))
assert $peaks == 0 or 1 / 1.5 < j['predicted_bytes'] / j['peak_bytes'] < 1.5"
done
within 20 0 "less than the program itself takes" train small.csv -q
finish
