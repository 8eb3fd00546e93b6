# SPDX-License-Identifier: BSD-3-Clause
"""Compiles sources that have changed, and those that include a header that has, each by itself: in a unity build a
source may lack an include that another one has, and -Wshadow is off.

Usage: alone.py BUILD [COMMITS], a build without unity. Changed: by the last so many commits, a merge counted as one;
all sources without a number, or where git does not know.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#include [<"]([^>"]+)[>"]', re.MULTILINE)


def changed(commits):
    """Paths below the root, or None."""
    done = subprocess.run(("git", "diff", "--name-only", "--relative", f"HEAD~{commits}"), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.split("\n") if done.returncode == 0 else None


def is_affected(source, root, names):
    included = INCLUDE.findall(pathlib.Path(source).read_text(encoding="utf-8"))
    return os.path.relpath(source, root) in names or any(f"/{name}".endswith(f"/{header.removeprefix('../')}")
                                                         for header in included for name in names)


def compiles(entry):
    words = shlex.split(entry["command"])
    options = [word for i, word in enumerate(words) if word != "-o" and words[i - 1] != "-o"]
    done = subprocess.run([*options, "-fsyntax-only", "-Werror=shadow", "-Wshadow"], cwd=entry["directory"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout if done.returncode else ""


def main():
    entries = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text(encoding="utf-8"))
    names = changed(sys.argv[2]) if len(sys.argv) > 2 else None
    if names is not None:
        entries = [entry for entry in entries if is_affected(entry["file"], os.getcwd(), names)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [said for said in pool.map(compiles, entries) if said]
    print(*wrong, f"{len(entries)} sources compiled alone, {len(wrong)} with faults", sep="\n")
    sys.exit(len(wrong) > 0)


if __name__ == "__main__":
    main()
