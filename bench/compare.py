#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Compares two result files of tessera-bench case by case: faster, slower or within noise.
"""compare.py A.json B.json [--impl NAME]: B's times relative to A's.

A case is faster or slower where the medians differ by more than both the noise of the two measurements (three robust
standard deviations each, added) and two per cent; else it is within noise. Exit status 1 where any case is slower. Cases that
tessera-bench called suspect in either file are left out and counted.
"""
import argparse
import json
import math
import sys

LEAST_DIFFERENCE = 0.02
# What tells the cases of other suites apart.
NAMED = ["row", "text", "operator", "phase", "dim", "k", "p", "points", "unknowns", "storage", "stride", "held",
         "chains", "dp", "chi"]
# Suites whose regime follows from the case and the machine; earlier files have cache in all of them.
WITHOUT_REGIME = {"registers", "stride", "tccg", "two-site"}
# Suites whose cases differ in their batch; in others it follows from the machine, and times are those of an entry.
BY_BATCH = {"two-site"}


def key(result):
    left_out = {"launch_share"} | (set() if result["suite"] in BY_BATCH else {"batch"})  # measured, or of the machine
    case = {name: value for name, value in result["case"].items() if name not in left_out}
    if "m" in case:
        case.setdefault("group", "none")  # files from before groups
    regime = None if result["suite"] in WITHOUT_REGIME else result["regime"]
    return json.dumps([result["suite"], case, result["type"], result["threads"], regime], sort_keys=True)


def label(result):
    case = result["case"]
    if "m" in case:
        text = f"{case['m']}x{case['n']}x{case['k']} {case['trans']}"
        if case.get("group", "none") != "none":
            text += f" group {case['group']}"
        extras = [f"shared {case['shared']}" if case["shared"] != "none" else "", case["layout"]]
    elif "row" in case and "p" in case:
        text = f"({case['row']}) p={case['p']} q={case['points']}"
        extras = []
    else:
        named = NAMED + ["batch"] * (result["suite"] in BY_BATCH)
        text = " ".join(f"{name} {case[name]}" for name in named if name in case)
        extras = []
    extras += ["+=" if case.get("beta") else "", result["type"], result["regime"], f"{result['threads']}t"]
    return " ".join([result["suite"], text] + [extra for extra in extras if extra])


def load(file, impl):
    with open(file, encoding="utf-8") as stream:
        content = json.load(stream)
    if content.get("schema") != 1:
        sys.exit(f"{file}: schema {content.get('schema')}, this script reads 1")
    return {key(r): r for r in content["results"] if r["impl"] == impl}


def seconds_per_entry(result):
    return result["seconds"]["median"] / max(1, result["case"].get("batch", 1))


def verdict(a, b):
    """Time of b divided by time of a, and the verdict."""
    ratio = seconds_per_entry(b) / seconds_per_entry(a)
    noise = sum(3 * 1.4826 * r["seconds"]["mad"] / r["seconds"]["median"] for r in (a, b))
    if abs(ratio - 1) <= max(noise, LEAST_DIFFERENCE):
        return ratio, "within noise"
    return ratio, "faster" if ratio < 1 else "slower"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--impl", default="tessera", help="compare this implementation (default: tessera)")
    options = parser.parse_args()
    before, after = load(options.a, options.impl), load(options.b, options.impl)
    both = [k for k in before if k in after]
    shared = [k for k in both if not before[k].get("suspect") and not after[k].get("suspect")]
    if not shared:
        sys.exit("no case is in both files" + " without being suspect" * bool(both))
    width = max(len(label(before[k])) for k in shared)
    print(f"{'case':{width}}  {'A':>11}  {'B':>11}  {'B/A':>6}  verdict")
    count = {"faster": 0, "slower": 0, "within noise": 0}
    ratios = []
    for k in shared:
        ratio, said = verdict(before[k], after[k])
        count[said] += 1
        ratios.append(ratio)
        times = [f"{r['seconds']['median'] * 1e6:9.2f}us" for r in (before[k], after[k])]
        print(f"{label(before[k]):{width}}  {times[0]}  {times[1]}  {ratio:6.3f}  {said}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    only = len(before) + len(after) - 2 * len(both)
    print(f"{count['faster']} faster, {count['slower']} slower, {count['within noise']} within noise; "
          f"geometric mean of B/A {mean:.3f}; {only} cases are in one file only"
          + f"; {len(both) - len(shared)} suspect, left out" * (len(shared) < len(both)))
    sys.exit(1 if count["slower"] else 0)


if __name__ == "__main__":
    main()
