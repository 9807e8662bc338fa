"""What the tables of bench/report have in common: Markdown, and numbers as texts. Makes bench/common.py importable."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common  # noqa: E402, F401


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def footnote(rows):
    r = rows[0]
    return f"\n\n{r['cpu']}, {r['cores']} cores, {r['date']}, commit {r['commit']}; {r['options']}."


def percent(text):
    return f"{float(text) * 100:.2f}%" if text else ""


def seconds(text):
    return f"{float(text):.2g} s" if float(text) < 10 else f"{float(text):.0f} s"


def groups(rows, *columns):
    """{values of the columns: rows that have them}, in the order of the file."""
    found = {}
    for r in rows:
        found.setdefault(tuple(r[c] for c in columns), []).append(r)
    return found


def spread(value, sd):
    return f"{value} ({sd})" if sd else value


def slash(ours, paper):
    return f"{ours} / {paper}" if paper else ours


def data(name, rows, splits):
    """What stands in the first column."""
    return f"{name} ({rows} rows, {splits} split{'s' * (str(splits) != '1')})"
