#!/usr/bin/env python3
"""Runs the commands that the documentation shows and compares what they print with what stands there.

    run_examples.py NYSEL FILE.md...            a test: fails where a command or its output is not as shown
    run_examples.py NYSEL --write FILE.md...    puts what is printed now in the place of output that differs from it

A command is a line of a code block that begins with `$ `; its output, both streams, stands below it. The commands of one
file run in one new folder, in their order, so that later ones find the files of earlier ones. A command ends with status
0, or with the one named in a comment behind it: `# exit status 1`. Words must be equal. Numbers may differ by a tenth,
because another processor rounds differently; seconds, and what stands in lines of time and memory, may have any value."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
MEASURED = re.compile(r"\s*(time|memory)\b")
SECONDS = re.compile(r"\d+\.\d+ s\b")
ROUNDING = 1e-6      # residuals and the like: what is below may be anything below
SHADE = re.compile("░+")     # the border of a region in a picture may be one letter off
STATUS = re.compile(r"# exit status (\d)$")


def examples(lines):
    """(index of the command's line, index behind its output, indentation) of every example, in order."""
    found, fenced, at = [], False, 0
    while at < len(lines):
        if lines[at].startswith("```"):
            fenced = not fenced
        indent = "" if fenced else "    "
        if lines[at].startswith(indent + "$ "):
            end = at + 1
            while end < len(lines) and not lines[end].startswith((indent + "$ ", "```")) and (
                    fenced or lines[end].startswith(indent) or continues(lines, end)):
                end += 1
            found.append((at, end, indent))
            at = end
        else:
            at += 1
    return found


def continues(lines, at):
    """Whether an empty line stands inside an indented block."""
    return not lines[at] and at + 1 < len(lines) and lines[at + 1].startswith("    ")


def run(command, folder, nysel):
    environment = {**os.environ, "PATH": f"{nysel.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "NO_COLOR": "1",
                   "OMP_WAIT_POLICY": "passive", "COLUMNS": "100"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout.decode().rstrip("\n").split("\n") if done.stdout else []


def near(shown, printed):
    a, b = float(shown), float(printed)
    largest = max(abs(a), abs(b))
    counts = a == int(a) and b == int(b)
    return abs(a - b) <= 0.1 * largest or (counts and abs(a - b) <= 2) or largest < ROUNDING


def same(shown, printed):
    """Whether two lines say the same."""
    shown, printed = (SECONDS.sub("so many s", line) for line in (shown, printed))
    words = [" ".join(SHADE.sub("░", NUMBER.sub("#", line)).split()) for line in (shown, printed)]
    numbers = [NUMBER.findall(line) for line in (shown, printed)]
    if words[0] != words[1]:
        return False
    return bool(MEASURED.match(shown)) or all(near(a, b) for a, b in zip(*numbers))


def difference(shown, printed):
    """A sentence about the first line that is not as shown, or None."""
    for number, line in enumerate(printed):
        if number >= len(shown) or not same(shown[number], line):
            there = f"'{shown[number]}'" if number < len(shown) else "nothing"
            return f"prints '{line}', and the file shows {there}"
    return f"does not print '{shown[len(printed)]}'" if len(shown) > len(printed) else None


def check(path, nysel, write):
    """The mistakes of one file; with write its outputs are replaced."""
    lines, problems, replaced, count = path.read_text().split("\n"), [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for at, end, indent in examples(lines):
            command = lines[at][len(indent) + 2:]
            status, printed = run(command, folder, nysel)
            wanted = STATUS.search(command)
            if status != (int(wanted[1]) if wanted else 0):
                problems.append(f"{path}:{at + 1}: '{command}' ends with status {status}: {' '.join(printed[-1:])}")
            shown = [line[len(indent):] for line in lines[at + 1:end]]
            wrong = difference(shown, printed)
            if wrong and not write:
                problems.append(f"{path}:{at + 1}: '{command}' {wrong}")
            count += 1
            if wrong:
                replaced.append((at, end, [(indent + line).rstrip() for line in printed]))
    if write and not problems:
        for at, end, printed in reversed(replaced):
            lines[at + 1:end] = printed
        path.write_text("\n".join(lines))
    return problems, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nysel", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    args = parser.parse_args()
    problems, count = [], 0
    for path in args.files:
        found, ran = check(path, args.nysel.resolve(), args.write)
        problems += found
        count += ran
    if not count:
        problems.append("there is no command in these files")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{count} commands of {len(args.files)} files do what is shown")


main()
