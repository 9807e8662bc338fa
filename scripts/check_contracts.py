#!/usr/bin/python3
"""Every function that a header declares has its contract: a comment above it, beside it, or above the group it is in.

    check_contracts.py SOURCE
"""
import pathlib
import re
import sys

FUNCTION = re.compile(r"(?!typedef|extern)[A-Za-z_][\w ]* \**(\w+)\(")


def block_end(lines, i):
    """The line on which the braces that open at line i are closed, or the declaration ends."""
    depth = 0
    for j in range(i, len(lines)):
        depth += lines[j].count("{") - lines[j].count("}")
        if depth <= 0 and re.search(r"[;}]", lines[j]):
            return j
    return len(lines) - 1


def without(path):
    lines, covered, i = path.read_text().split("\n"), False, 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("/*"):
            covered = not line.startswith("/* ----")  # the title of a section is no contract
            while "*/" not in lines[i]:
                i += 1
        elif line.startswith("#"):
            while lines[i].endswith("\\"):
                i += 1
        elif not line.strip():
            covered = False
        elif re.match(r"(typedef )?(struct|enum|union)\b", line):
            covered &= "{" not in line  # the comment above it is the type's
            i = block_end(lines, i)
        elif FUNCTION.match(line):
            first, i = i, block_end(lines, i)
            if not covered and "/*" not in "".join(lines[first:i + 1]):
                yield first + 1, FUNCTION.match(line).group(1)
        i += 1


root = pathlib.Path(sys.argv[1])
bad = [f"{path.relative_to(root)}:{line}: {name} has no contract above it"
       for folder in ("include", "src", "cli") for path in sorted((root / folder).rglob("*.h"))
       for line, name in without(path)]
print("\n".join(bad) or "every function that a header declares has its contract")
sys.exit(bool(bad))
