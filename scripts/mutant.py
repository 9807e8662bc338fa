#!/usr/bin/env python3
"""Mutants: deliberate faults that a test must notice. scripts/mutate.sh runs them; this reads and applies them.

    mutant.py copy FROM TO          makes TO a copy of the source tree FROM; what is the same keeps its time of change
    mutant.py tests MUTANT          prints the tests that are asked first, a pattern of ctest -R
    mutant.py says MUTANT           prints what it breaks
    mutant.py where MUTANT TREE     prints the file of TREE that it changes; status 1 and a reason if there is none
    mutant.py apply MUTANT TREE     puts the fault into that file
    mutant.py check TREE MUTANT...  names those that do not apply; status 1 if there are any

A mutant is a text:

    What it breaks, in a sentence. Tests: PATTERN
    file: src/folder/name.c
    old:
    the lines that are looked for
    new:
    what takes their place, or nothing

White space in the old text stands for any white space, so lines may be wrapped anew. The text must be there exactly
once. Where the file is not there, or does not have the text, the only place in src, cli and include that has it is
taken: code may move from one file to another, and its mutants stay with it.
"""
import os
import re
import shutil
import sys

TREES = ("src", "cli", "include")  # where mutants may be
NOT_COPIED = re.compile(r"(\.git|build.*|__pycache__|.*\.nysel)$")


class Unfit(Exception):
    """The mutant cannot be used; the text says why."""


def read_text(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def read_mutant(path):
    form = re.compile(
        r"(?P<says>[^\n]+?) Tests: (?P<tests>\S+)\nfile: (?P<file>\S+)\nold:\n(?P<old>.+?\n)new:\n(?P<new>.*)", re.S
    )
    m = form.fullmatch(read_text(path))
    if not m or not m["old"].strip():
        raise Unfit("not of the form of a mutant (see scripts/mutant.py)")
    return m


def source_files(tree):
    for top in TREES:
        for folder, _, names in sorted(os.walk(os.path.join(tree, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.join(folder, name)


def places(mutant, files):
    old = re.compile(r"\s+".join(re.escape(word) for word in mutant["old"].split()))
    return [(path, m.span()) for path in files for m in old.finditer(read_text(path))]


def place(mutant, tree):
    """The one file that has the old text, and where in it."""
    named = os.path.join(tree, mutant["file"])
    found = places(mutant, [named] if os.path.exists(named) else []) or places(mutant, source_files(tree))
    if not found:
        raise Unfit(f"its old text is neither in {mutant['file']} nor elsewhere: refresh it")
    if len(found) > 1:
        files = ", ".join(sorted({os.path.relpath(path, tree) for path, _ in found}))
        raise Unfit(f"its old text is {len(found)} times in {files}: give it more lines")
    return found[0]


def apply(path, tree):
    mutant = read_mutant(path)
    file, (first, end) = place(mutant, tree)
    text = read_text(file)
    with open(file, "w", encoding="utf-8") as f:
        f.write(text[:first] + mutant["new"].strip() + text[end:])


def check(tree, *paths):
    unfit = 0
    for path in paths:
        try:
            place(read_mutant(path), tree)
        except Unfit as e:
            print(f"{os.path.basename(path)}: does not apply: {e}")
            unfit += 1
    return 1 if unfit else 0


def copy(source, target):
    wanted = set()
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if not NOT_COPIED.match(name)]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), source)
            if NOT_COPIED.match(name):
                continue
            wanted.add(path)
            old, new = os.path.join(source, path), os.path.join(target, path)
            os.makedirs(os.path.dirname(new), exist_ok=True)
            if not os.path.exists(new) or open(old, "rb").read() != open(new, "rb").read():
                shutil.copyfile(old, new)
                shutil.copymode(old, new)
    for folder, _, names in os.walk(target):
        for name in names:
            if os.path.relpath(os.path.join(folder, name), target) not in wanted:
                os.remove(os.path.join(folder, name))


def main(command, *args):
    try:
        if command == "copy":
            copy(*args)
        elif command == "apply":
            apply(*args)
        elif command == "check":
            return check(*args)
        elif command == "where":
            print(os.path.relpath(place(read_mutant(args[0]), args[1])[0], args[1]))
        else:
            print(read_mutant(*args)[command])
    except (Unfit, OSError) as e:
        print(e)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
