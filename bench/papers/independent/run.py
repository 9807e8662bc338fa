#!/usr/bin/python3
"""Programs that have nothing of nysel's in them, under the papers' protocols: what they reach on the same splits.

    run.py PAPER [--splits N] [--only NAME,...] [--quick] [--out FILE]      PAPER: one of the modules beside this file

Each module has SETS = {name: splits} and run_set(name, splits), which returns rows in the shape of ../lines.py; their
`way` is the name of the program. Results go to bench/results/independent.csv, with a column that names the paper; rows
of other papers and sets stay as they are.
"""
import argparse
import importlib
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]
import common  # noqa: E402

os.environ.setdefault("OMP_NUM_THREADS", "1")  # matrices are small: threads would wait for each other
common.need_numpy()
PAPERS = {"debrabanter": "fixed_size", "dingliao": "nystrom_lssvm", "vangestel": "evidence", "liu": "fast_cv",
          "bonidal": "l2svm"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paper", choices=PAPERS)
    parser.add_argument("--splits", type=int, help="splits of each set, at most")
    parser.add_argument("--only", help="these sets, comma separated")
    parser.add_argument("--quick", action="store_true", help="one split of the smallest set, not kept unless --out is given")
    parser.add_argument("--out")
    args = parser.parse_args()
    module = importlib.import_module(PAPERS[args.paper])
    out = args.out or (None if args.quick else common.RESULTS / "independent.csv")
    for name in args.only.split(",") if args.only else list(module.SETS)[:1 if args.quick else None]:
        began = time.time()
        new = [{"paper_name": args.paper, **r} for r in module.run_set(name, 1 if args.quick else min(
            args.splits or module.SETS[name], module.SETS[name]))]
        common.show(new, ["set", "line", "way", "splits", "value", "sd", "best", "paper", "paper_sd"])
        print(f"{time.time() - began:.0f} s\n", flush=True)
        sets = {r["set"] for r in new}
        kept = [r for r in common.load(out) if r["paper_name"] != args.paper or r["set"] not in sets] if out else []
        common.save(out, kept + new, "independent of nysel", quiet=True)


main()
