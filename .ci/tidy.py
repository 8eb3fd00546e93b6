# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy over the sources of a build, several of them as one translation unit: headers are parsed and analysed
once for all of these.

Usage: tidy.py BUILD SKIP [COMMITS], where SKIP is a regular expression of sources to leave out; with a number only those
that the last so many commits have changed, as of alone.py. Sources of one unit are compiled with the same options; one
whose names collide with those of others goes to another unit.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import alone

MOST = 48  # sources in a unit


def sources_by_options(build, skip, commits):
    """From the compile commands of the build, without unity: {(folder, options): [source]}."""
    groups = {}
    names = alone.changed(commits) if commits else None
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        if not entry["file"].endswith(".cpp") or skip.search(entry["file"]):
            continue
        if names is not None and not alone.is_affected(entry["file"], os.getcwd(), names):
            continue
        options = [word for i, word in enumerate(words) if i > 0 and word not in ("-o", "-c", entry["file"]) and
                   words[i - 1] != "-o"]
        groups.setdefault((entry["directory"], *options), []).append(entry["file"])
    return groups


def write_unit(folder, sources):
    unit = folder / ("unit_" + re.sub(r"\W+", "_", sources[0].removeprefix(os.getcwd())) + f"_{len(sources)}.cpp")
    unit.write_text("".join(f'#include "{source}"\n' for source in sources), encoding="utf-8")
    return unit


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def accepted(folder, key, sources):
    """A unit of those of the sources that compile together, and the others, whose names collide with theirs."""
    unit = write_unit(folder, sources)
    said = run("clang++", "-fsyntax-only", "-w", "-ferror-limit=0", *key[1:], unit, cwd=key[0])
    if said.returncode == 0 or len(sources) == 1:
        return (unit, key, sources), []
    wrong = set(re.findall(r"^(\S+?):\d+:\d+: (?:fatal )?error: ", said.stdout, re.MULTILINE))
    keep = [source for source in sources if source not in wrong]
    if not 0 < len(keep) < len(sources):  # an error in a header
        keep = sources[:len(sources) // 2]
    found, others = accepted(folder, key, keep)
    return found, [source for source in sources if source not in keep] + others


def units_of(pool, folder, groups):
    """Few units with all sources, those with most sources first."""
    units = []
    while groups:
        parts = [(key, some[i:i + MOST]) for key, some in groups.items() for i in range(0, len(some), MOST)]
        groups = {}
        for (key, _), (unit, others) in zip(parts, pool.map(lambda part: accepted(folder, *part), parts)):
            units.append(unit)
            if others:
                groups.setdefault(key, []).extend(others)
    return sorted(units, key=lambda unit: -len(unit[2]))


def check(unit, key, sources):
    # The analyzer follows what a unit includes, which is the sources; not those of the build folder, which only
    # instantiate kernels.
    follow = ["--extra-arg=-Xclang", "--extra-arg=-analyzer-opt-analyze-headers"]
    if sources[0].startswith(f"{unit.parent.parent}/"):
        follow = []
    return run("clang-tidy", "--quiet", *follow, unit, "--", *key[1:], cwd=key[0])


def main():
    build, skip = pathlib.Path(sys.argv[1]).resolve(), re.compile(sys.argv[2])
    folder = build / "units"
    folder.mkdir(exist_ok=True)
    commits = sys.argv[3] if len(sys.argv) > 3 else None
    groups = sources_by_options(build, skip, commits)
    if not groups and not commits:
        sys.exit(f"{build}/compile_commands.json has no source to check")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        units = units_of(pool, folder, groups)
        for (unit, _, sources), result in zip(units, pool.map(lambda unit: check(*unit), units)):
            print(f"{unit.name}, {len(sources)} sources\n{result.stdout}", end="", flush=True)
            failed += result.returncode != 0
    print(f"{sum(len(unit[2]) for unit in units)} sources in {len(units)} units, {failed} with faults")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
