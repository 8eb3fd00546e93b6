# SPDX-License-Identifier: BSD-3-Clause
# Lint: line 1 of every source names the licence, line 2 says in one sentence what the file is for; of a Python module
# that is its docstring.
import tree

LICENCE = "SPDX-License-Identifier: BSD-3-Clause"


def marks(path):
    """What begins a comment in the language of the file: #include is none in C++."""
    if path.suffix.lower() == ".f90":
        return ("!",)
    if path.suffix == ".py":
        return ("#", '"""')
    return ("//", "/*") if path.suffix in tree.CODE else ("#",)


def comment(line, path):
    """The text of a comment line, or None."""
    for mark in marks(path):
        if line.startswith(mark):
            return line[len(mark):].removesuffix("*/").strip()
    return None


def has_head(path):
    name = path.name
    return (path.suffix in tree.CODE | tree.SCRIPTS or name == "CMakeLists.txt" or name.endswith(".cmake.in")
            or tree.lines(path)[:1] == ["#!/usr/bin/env bash"] or tree.lines(path)[:1] == ["#!/usr/bin/env python3"])


def faults_of(path, name):
    head = tree.lines(path)[:3]
    if head and head[0].startswith("#!"):
        head = head[1:]
    if not head or comment(head[0], path) != LICENCE:
        yield f"{name}: line 1 must be a comment with '{LICENCE}'"
    purpose = comment(head[1], path) if len(head) > 1 else None
    if not purpose or len(purpose) < 12:
        yield f"{name}: line 2 must be a comment that says what the file is for"


found, count = [], 0
for path, name in tree.files():
    if path.suffix in {".png", ".md", ".json"} or not has_head(path):
        continue
    count += 1
    found += faults_of(path, name)
tree.finish(found, count)
