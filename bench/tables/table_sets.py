"""The sets of bench/tabular.py: real ones of ../shared/data, of scikit-learn, of R and Debian's R packages, and
generated ones with known best error.

read(name)      Table: task ("classes" or "numbers"), header and rows as texts, the target last; None where it is not
                there, which is said
names()         all of them, the real ones of ../shared/data first
part(name, k)   header, training and test rows of split k: two thirds to train

A set above 50,000 rows takes part with 50,000 fixed rows. Of data that two sources have, one copy is in the list:
scikit-learn's digits are optdigits' test rows, raetsch_twonorm, _ringnorm and _waveform are generated anew, mnist and
kddcup are left out.
"""
import collections
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "peers"))
import common

np = common.need_numpy()
import data
import table_generated

MOST = 50000  # rows of a set
FRESH = 5000  # test rows where --max-rows leaves more than a third
LARGE = 10000  # rows above which there are 3 splits instead of 5
MISSING = data.MISSING
Table = collections.namedtuple("Table", "task header rows")

FILES = {
    "numbers": ["bodyfat", "mpg", "housing", "concrete", "abalone", "cpusmall", "pyrim", "triazines", "keggundirected"],
    "classes": ["a2a", "australian", "breast-cancer-ljubljana", "breast-cancer-wisconsin", "crabs", "german.numer",
                "heart_statlog", "ionosphere", "liver-disorders", "optdigits", "pendigits", "pima_diabetes",
                "raetsch_banana", "raetsch_flare-solar", "raetsch_image", "raetsch_splice", "raetsch_thyroid",
                "raetsch_titanic", "ripley_synth", "satimage", "sonar", "spambase", "magic04", "letter", "adult", "ijcnn1",
                "covtype_part", "shuttle"]}
LEARN = {"sk_diabetes": ("numbers", "load_diabetes"), "sk_breast_cancer": ("classes", "load_breast_cancer"),
         "sk_wine": ("classes", "load_wine"), "sk_iris": ("classes", "load_iris")}
# (package, data, target, columns that give the target away or only number the rows)
OF_R = {
    "numbers": ["datasets quakes mag", "datasets ChickWeight weight", "datasets airquality Ozone", "datasets CO2 uptake",
                "mlbench Servo Class", "mlbench Ozone V4", "MASS cpus perf name,estperf", "MASS nlschools lang",
                "rpart solder skips", "modeldata biomass HHV sample,dataset", "modeldata Sacramento price",
                "modeldata car_prices Price", "modeldata meats protein water,fat", "modeldata ames Sale_Price",
                "modeldata Chicago ridership date", "modeldata stackoverflow Salary", "AER HousePrices price",
                "AER CASchools math read,district,school", "AER Guns violent murder,robbery", "AER NMES1988 visits",
                "AER DoctorVisits visits", "carData Salaries salary", "carData SLID wages", "AER CPS1988 wage",
                "ggplot2 diamonds price"],
    "classes": ["datasets infert case", "MASS birthwt low bwt", "mlbench Glass Type", "mlbench HouseVotes84 Class",
                "mlbench Soybean Class", "mlbench Vehicle Class", "mlbench Vowel Class", "mlbench Zoo type",
                "mlbench DNA Class", "kernlab musk Class", "kernlab promotergene Class", "kernlab income INCOME",
                "modeldata penguins species", "modeldata ad_data Class", "modeldata attrition Attrition",
                "modeldata cells class case", "modeldata credit_data Status", "modeldata hpc_data class",
                "modeldata mlc_churn churn", "modeldata wa_churn churn", "modeldata two_class_dat Class",
                "carData BEPS vote", "carData Chile vote", "carData TitanicSurvival survived", "carData WVS poverty",
                "AER HMDA deny", "AER HealthInsurance insurance", "AER SmokeBan smoker"]}
R = {"r_" + line.split()[1]: (task, *(line.split() + [""])[:4]) for task, lines in OF_R.items() for line in lines}
TO_CSV = """a <- commandArgs(TRUE); e <- new.env(); data(list = a[2], package = a[1], envir = e)
d <- as.data.frame(get(a[2], e))
drop <- strsplit(a[4], ",")[[1]]; d <- d[, c(setdiff(names(d), c(a[3], drop)), a[3])]
write.csv(d, stdout(), row.names = FALSE, na = "")"""


def names():
    return [*FILES["numbers"], *FILES["classes"], *LEARN, *table_generated.SETS, *R]


# ---- readers ---------------------------------------------------------------------------------------------------------

def of_learn(name):
    try:
        from sklearn import datasets
    except ImportError:
        print(f"skipped: {name}: scikit-learn is not installed", file=sys.stderr)
        return None
    task, loader = LEARN[name]
    found = getattr(datasets, loader)()
    label = (lambda t: str(found.target_names[t]).replace(" ", "_")) if task == "classes" else (lambda t: f"{t:.10g}")
    header = [str(n).replace(" ", "_") for n in found.feature_names]
    rows = [[f"{v:.10g}" for v in x] + [label(t)] for x, t in zip(found.data, found.target)]
    return Table(task, header + ["target"], rows)


def of_r(name):
    """R's own datasets, or those of a package, which install.sh may have put below the build folder."""
    task, package, which, target, drop = R[name]
    if not shutil.which("Rscript"):
        print(f"skipped: {name}: R is not installed", file=sys.stderr)
        return None
    where = common.ROOT / "build" / "rlib" / "usr" / "lib" / "R"
    command = ["Rscript", "--vanilla", "-e", TO_CSV, package, which, target, drop]
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "R_LIBS": f"{where / 'site-library'}:{where / 'library'}"})
    if done.returncode:
        print(f"skipped: {name}: {done.stderr.strip().splitlines()[0]} (bench/tables/install.sh)", file=sys.stderr)
        return None
    rows = list(csv.reader(io.StringIO(done.stdout)))
    return Table(task, rows[0], [row for row in rows[1:] if row[-1] not in MISSING])


def of_file(name):
    task = "numbers" if name in FILES["numbers"] else "classes"
    sparse = (common.data_dir() / f"{name}.svm.gz").exists()
    found = common.read_sparse(name) if sparse else common.read_all(name)
    return Table(task, *found) if found else None


def of_generator(name):
    task, header, X, y = table_generated.draw(name)
    value = lambda v: v if isinstance(v, str) else f"{v:.7g}"
    return Table(task, header + ["target"], [[value(v) for v in x] + [value(t)] for x, t in zip(X, y)])


def read(name):
    readers = ((of_generator, table_generated.SETS), (of_learn, LEARN), (of_r, R))
    reader = next((reader for reader, known in readers if name in known), of_file)
    table = reader(name)
    if table and len(table.rows) > MOST:
        some = np.random.RandomState(1).permutation(len(table.rows))[:MOST]
        return table._replace(rows=[table.rows[i] for i in some])
    return table


# ---- splits ----------------------------------------------------------------------------------------------------------

def splits(table, most):
    """The splits a set has: of a large one two for development (0, 1) and one for the report (3)."""
    return [0, 1, 3] if min(len(table.rows), most or MOST) > LARGE else [0, 1, 2, 3, 4]


def part(table, k, most):
    """Training and test rows of split k. most: of so many rows two thirds train (0: of all); tested is on the rest, at
    most 5000 rows where `most` leaves more."""
    n = len(table.rows)
    if not most or n <= most:
        return common.random_split(table.rows, k)
    cut = most * 2 // 3
    return common.random_split(table.rows, k, cut, min(n - cut, max(FRESH, most - cut)))


def has_missing(table):
    return any(text in MISSING for row in table.rows for text in row[:-1])
