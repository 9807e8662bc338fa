#!/usr/bin/env python3
"""The documentation holds together: the README is short, every link has a target, every `make` target and every option
that is named exists, and every document can be reached from the README. Run as a test: check_docs.py SOURCE_DIR NYSEL"""
import pathlib
import re
import subprocess
import sys

LARGEST_README = 10 * 1024
HISTORY = {"CHANGELOG.md"}          # tells what was, so it may name what is no longer there
OTHER_PROGRAMS = {"--install", "--prefix", "--cflags", "--libs"}       # options of CMake and pkg-config

root = pathlib.Path(sys.argv[1]).resolve()
table = subprocess.run([sys.argv[2], "help", "--options-markdown"], check=True, capture_output=True, text=True).stdout
options = set(re.findall(r"--[\w-]+", table)) | {"--help", "--version"} | OTHER_PROGRAMS
targets = set(re.findall(r"^([\w-]+):", (root / "Makefile").read_text(), re.M))
documents = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("bench/*.md")])
guide = [root / "README.md", root / "docs/glossary.md", *sorted(root.glob("docs/guide/*.md"))]
errors = []


def prose(path):
    """The text without its code blocks, whose brackets are no links and whose # are no headings."""
    return re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)


def anchors(path):
    """The names that GitHub gives to the headings."""
    headings = re.findall(r"^#+ (.*)$", prose(path), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def links(path):
    """(text of the link, file it leads to, anchor) of every link inside the repository."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if not re.match(r"\w+:", target):
            file, _, anchor = target.partition("#")
            yield target, (path.parent / file).resolve() if file else path, anchor


size = (root / "README.md").stat().st_size
if size > LARGEST_README:
    errors.append(f"README.md has {size} bytes, {LARGEST_README} are allowed: move something to docs/guide")
for path in documents:
    where = path.relative_to(root)
    for target, file, anchor in links(path):
        if not file.exists():
            errors.append(f"{where}: {target}: there is no such file")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            errors.append(f"{where}: {target}: there is no such heading")
    if path.name not in HISTORY:
        for name in sorted(set(re.findall(r"`make ([\w-]+)", path.read_text())) - targets):
            errors.append(f"{where}: 'make {name}': the Makefile has no such target")
for path in guide:
    for option in sorted(set(re.findall(r"(?<![\w-])--[a-zA-Z][\w-]*", path.read_text())) - options):
        errors.append(f"{path.relative_to(root)}: {option}: there is no such option")
seen, waiting = set(), [root / "README.md"]
while waiting:
    path = waiting.pop()
    if path.suffix == ".md" and path.exists() and path not in seen:
        seen.add(path)
        waiting += [file / "README.md" if file.is_dir() else file for _, file, _ in links(path)]
errors += [f"{d.relative_to(root)}: no link leads here from the README" for d in documents if d not in seen]
if errors:
    sys.exit("\n".join(errors))
print(f"{len(documents)} documents hold together, the README has {size} bytes")
