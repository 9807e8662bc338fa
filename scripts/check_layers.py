#!/usr/bin/env python3
"""A file may include its own folder and folders earlier in LAYERS; cli sees the public header only; a few system
headers have one home each. The same holds for symbols: an object file may not use one that a later folder defines.
Run as a test: check_layers.py SOURCE_DIR OBJECT_DIR, where OBJECT_DIR/FOLDER/FILE.c.o belong to SOURCE_DIR/src"""
import pathlib
import re
import subprocess
import sys

LAYERS = ["base", "linalg", "options", "table", "read", "codes", "demo", "scale", "kernel", "machine", "model",
          "landmark", "factor", "loss", "solver", "criterion", "search", "train", "report", "api"]
HOMES = {"omp.h": {"base"}, "cblas.h": {"linalg"}, "zip.h": {"model"}, "zlib.h": {"read"},
         "jansson.h": {"model", "report"}, "Random123/philox.h": {"base"}, "nlopt.h": {"search"}}

root = pathlib.Path(sys.argv[1])
errors, names = [], {}
for path in sorted([*root.glob("src/*/*.[ch]"), *root.glob("cli/*.[ch]")]):
    folder = path.parent.name
    where = path.relative_to(root)
    if path.name in names:
        errors.append(f"{where}: the name is taken by {names[path.name]}")
    names[path.name] = where
    for number, line in enumerate(path.read_text().splitlines(), 1):
        m = re.match(r'\s*#\s*include\s*([<"])([^">]+)[">]', line)
        if m:
            quote, header = m.groups()
            if header in HOMES and folder not in HOMES[header]:
                errors.append(f"{where}:{number}: {header} belongs to {', '.join(sorted(HOMES[header]))}")
            if folder == "cli" and quote == '"' and "/" in header:
                errors.append(f"{where}:{number}: cli includes <nysel.h> only")
            if folder in LAYERS and "/" in header and quote == '"':
                other = header.split("/")[0]
                if other not in LAYERS or LAYERS.index(other) > LAYERS.index(folder):
                    errors.append(f"{where}:{number}: {folder} may not include {header}")
        if folder != "base" and folder in LAYERS and re.search(r"(?<![_\w.>])(malloc|calloc|realloc|strdup|aligned_alloc)\s*\(", line):
            errors.append(f"{where}:{number}: memory comes from base/alloc.h")
        if folder in LAYERS and re.search(r"(?<![_\w])(printf|exit|abort|setlocale|srand|rand)\s*\(", line):
            errors.append(f"{where}:{number}: the library does not print, exit or touch global state")

defined, used = {}, []
for path in sorted(root.glob("src/*/*.c")):
    where = f"{path.parent.name}/{path.name}"
    listing = subprocess.run(["nm", f"{sys.argv[2]}/{where}.o"], capture_output=True, text=True, check=True).stdout
    for kind, symbol in (line.split()[-2:] for line in listing.splitlines()):
        if kind == "U":
            used.append((where, symbol))
        elif kind.isupper():
            defined[symbol] = where
for where, symbol in used:
    home = defined.get(symbol, where)
    if LAYERS.index(home.split("/")[0]) > LAYERS.index(where.split("/")[0]):
        errors.append(f"src/{where}: {symbol} belongs to {home}, a later layer")
if not defined:
    errors.append("no symbols: the object files hold none")
print("\n".join(errors) or f"{len(names)} files in their layers")
sys.exit(bool(errors))
