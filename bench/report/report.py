#!/usr/bin/python3
"""Tables and plots from bench/results/*.csv: the tables go between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` of
README.md, docs/benchmarks.md and docs/papers.md, the plots to docs/plots/NAME.svg.

    report.py [--check]       --check changes nothing and fails when a file is not up to date
    report.py NAME            prints one table, or one plot as SVG
    report.py --list          the names, with the csv files that each is made from

The modules beside this one hold what there is to make, in TABLES = {name: (csv file or list of them, function)} and
PLOTS = {file name: (the same)}; the function gets the rows of each file (empty where it is absent) and returns the
text. What has no results at all is skipped, with a word; what its marker or file held stays.
"""
import argparse
import importlib
import pathlib
import re
import sys

from shape import common

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = ["README.md", "docs/benchmarks.md", "docs/papers.md"]
PLOT_FOLDER = "docs/plots"


def found(kind):
    """All of TABLES or PLOTS, from every module beside this one."""
    entries = {}
    for file in sorted(HERE.glob("*.py")):
        if file.stem != "report":
            new = getattr(importlib.import_module(file.stem), kind, {})
            if entries.keys() & new.keys():
                sys.exit(f"{file}: {', '.join(entries.keys() & new.keys())} is defined in another module, too")
            entries.update(new)
    return entries


def csv_names(entry):
    return [entry[0]] if isinstance(entry[0], str) else list(entry[0])


def make(name, entry):
    """The text of a table or plot; None, with a word, where there are no results."""
    rows = [common.load(common.RESULTS / file) for file in csv_names(entry)]
    text = entry[1](*rows) if any(rows) else None
    if not text:
        print(f"skipped: {name}: nothing in {', '.join(csv_names(entry))}", file=sys.stderr)
    return text


def filled(text, tables, where, problems):
    """The document with its tables made anew; adds to problems the markers that nothing fills."""
    for name in re.findall(r"<!-- bench:(\w+) -->", text):
        pattern = re.compile(rf"(<!-- bench:{name} -->\n).*?(<!-- /bench:{name} -->)", re.S)
        if name not in tables or not pattern.search(text):
            problems.append(f"{where}: marker {name}: " + ("no such table" if name not in tables else "it has no end"))
            continue
        table = make(name, tables[name])
        if table:
            text = pattern.sub(lambda m: m.group(1) + table.rstrip("\n") + "\n" + m.group(2), text)
    return text


def wanted(tables, plots, problems):
    """{path: text} of all documents and plots."""
    files = {}
    for name in DOCUMENTS:
        path = common.ROOT / name
        files[path] = filled(path.read_text(), tables, name, problems)
    for name, entry in plots.items():
        drawing = make(name, entry)
        if drawing:
            files[common.ROOT / PLOT_FOLDER / name] = drawing
    return files


def update(tables, plots, check):
    """Writes what has changed, or, to check, fails because of it. A marker that nothing fills is a failure as well."""
    problems = []
    for path, text in wanted(tables, plots, problems).items():
        if path.exists() and path.read_text() == text:
            continue
        if check:
            problems.append(f"{path.relative_to(common.ROOT)} is not up to date: run bench/report/report.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if problems:
        sys.exit("\n".join(problems))


def main():
    tables, plots = found("TABLES"), found("PLOTS")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", choices=[*tables, *plots], metavar="NAME")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    if args.list:
        for name, entry in {**tables, **plots}.items():
            print(f"{name:28}{', '.join(csv_names(entry))}")
    elif args.name:
        print(make(args.name, {**tables, **plots}[args.name]) or f"no results for {args.name} yet")
    else:
        update(tables, plots, args.check)


main()
