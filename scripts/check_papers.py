#!/usr/bin/env python3
"""docs/papers.md holds: every row of its tables `in the paper | what | code | how to call it | test` names code and a test
that are there, or says after a dash why not, and every option named exists. Run as a test: check_papers.py SOURCE_DIR NYSEL

A name is `path:function`. A function of C is one whose name stands before a bracket in that file, a test one that the file
hands to cmocka, a function of Python one that the file defines."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
document = root / "docs/papers.md"
table = subprocess.run([sys.argv[2], "help", "--options-markdown"], check=True, capture_output=True, text=True).stdout
options = set(re.findall(r"--[\w-]+", table))
errors, rows, papers = [], 0, 0


def is_there(path, name):
    if not (root / path).is_file():
        return False
    text = (root / path).read_text()
    if path.startswith("tests/"):
        return re.search(rf"cmocka_unit_test\w*\(\s*{name}\b", text)
    if path.endswith(".py"):
        return re.search(rf"^def {name}\(", text, re.M)
    return re.search(rf"^\w[\w \*]*\b{name}\(", text, re.M)


def look(where, cell, kind):
    """A cell of names, or of a dash and a reason."""
    if cell.startswith("–"):
        return
    names = re.findall(r"`([\w./]+):(\w+)`", cell)
    if not names:
        errors.append(f"{where}: no {kind} is named")
    for path, name in names:
        if kind == "test" and not path.startswith("tests/"):
            errors.append(f"{where}: {path} is no test")
        if not is_there(path, name):
            errors.append(f"{where}: {path}: there is no {name}")


inside = False
for number, line in enumerate(document.read_text().splitlines(), 1):
    cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
    if cells == ["in the paper", "what", "code", "how to call it", "test"]:
        inside, papers = True, papers + 1
    elif not cells:
        inside = False
    elif inside and set(line) - set("|-"):
        where, rows = f"docs/papers.md:{number}", rows + 1
        if len(cells) != 5:
            errors.append(f"{where}: {len(cells)} cells instead of 5")
            continue
        look(where, cells[2], "code")
        look(where, cells[4], "test")
        for option in re.findall(r"(?<![\w-])--[a-zA-Z][\w-]*", cells[3]):
            if option not in options:
                errors.append(f"{where}: {option}: there is no such option")
if papers != 5:
    errors.append(f"docs/papers.md: {papers} tables of what is where instead of five")
if errors:
    sys.exit("\n".join(errors))
print(f"{rows} rows of five papers, all there")
