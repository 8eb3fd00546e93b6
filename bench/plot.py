#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws a result file of tessera-bench: rate over size with the bound as a line, and a roofline.
"""plot.py FILE.json [--out DIR] [--impl NAME,...]: writes FILE_rate_*.png and FILE_roofline.png.

A figure of rates has the size of a product or the order on its axis; of two-site updates there is one for each dp and
chi, over the entries of an update. Of the suites stride and registers it writes FILE_stride.png and
FILE_registers.png. Suites whose cases have no such axis get a roofline alone.

What tessera-bench called suspect is left out; the titles have how many points that are.
"""
import argparse
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import micro_tables  # noqa: E402

# Ours first in a strong colour; peers in muted colours that colour-blind readers can distinguish.
COLOURS = ["#d1495b", "#30638e", "#edae49", "#00798c", "#8d6a9f", "#6b8f71", "#a98467", "#7f7f7f"]
SIZE = (7.2, 4.2)


def load(file):
    with open(file, encoding="utf-8") as stream:
        content = json.load(stream)
    if content.get("schema") != 1:
        sys.exit(f"{file}: schema {content.get('schema')}, this script reads 1")
    if not content["results"]:
        sys.exit(f"{file}: holds no results to draw")
    return content


# The member of a case that is on the horizontal axis, and its name there; of products it is the size.
AXES = {"two-site": ("batch", "entries of an update"), "hydro": ("k", "order k")}


def axis_of(result):
    """(member of the case or None, its name); (None, None) where a case has nothing that is on an axis."""
    case = result["case"]
    if "m" in case:
        return None, "n"
    member, name = AXES.get(result["suite"], ("p", "order p"))
    return (member, name) if member in case else (None, None)


def position(result):
    """The value on the horizontal axis: n of a product (the cube root of m n k if it is not square), or a member."""
    case = result["case"]
    if "m" in case:
        return (case["m"] * case["n"] * case["k"]) ** (1 / 3)
    return case[axis_of(result)[0]]


def curve_of(result):
    """Results with equal values are in one figure."""
    case = result["case"]
    if result["suite"] == "two-site":
        return f"two-site dp={case['dp']} chi={case['chi']}"
    return f"contraction ({case['row']})" if "row" in case else result["suite"]


def style(impl, impls):
    index = impls.index(impl)
    return {"color": COLOURS[index % len(COLOURS)], "marker": "o" if impl == "tessera" else ".",
            "linewidth": 2.2 if impl == "tessera" else 1.1, "zorder": 3 if impl == "tessera" else 2}


def describe(result):
    case = result["case"]
    words = [result["type"], result["regime"], f"{result['threads']} thread" + "s" * (result["threads"] > 1)]
    if "beta" in case:
        words.append("C += A B" if case["beta"] else "C = A B")
    elif result["suite"] == "two-site":
        words.append("Y = G X M")
    if "m" in case:
        words += [case["trans"], case["layout"]] + ([f"shared {case['shared']}"] if case["shared"] != "none" else [])
    return ", ".join(words)


def without_suspects(results, title):
    """The results to draw, and the title with how many are left out."""
    kept = [r for r in results if not r.get("suspect")]
    return kept, title + f" ({len(results) - len(kept)} suspect, left out)" * (len(kept) < len(results))


def draw_rate(results, impls, title, file):
    results, title = without_suspects(results, title)
    if not results:
        print(f"{title}: nothing to draw")
        return
    figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
    ours = sorted((r for r in results if r["impl"] == "tessera"), key=position)
    axes.plot([position(r) for r in ours], [r["flops"] / r["bound"]["seconds"] * 1e-9 for r in ours], color="black",
              linestyle="--", linewidth=1.2, label="bound")
    for impl in impls:
        mine = sorted((r for r in results if r["impl"] == impl), key=position)
        if not mine:
            continue
        rate = [r["flops"] / r["seconds"]["median"] * 1e-9 for r in mine]
        spread = [3 * 1.4826 * r["seconds"]["mad"] / r["seconds"]["median"] * v for r, v in zip(mine, rate)]
        axes.errorbar([position(r) for r in mine], rate, yerr=spread, capsize=2, label=impl, **style(impl, impls))
    axes.set_xlabel(axis_of(results[0])[1])
    if results[0]["suite"] == "two-site":
        axes.set_xscale("log", base=2)
    axes.set_ylabel("GFLOP/s")
    axes.set_ylim(bottom=0)
    axes.set_title(f"{title}\n{describe(results[0])}", fontsize=10)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, frameon=False)
    figure.savefig(file, dpi=150)
    plt.close(figure)
    print(file)


def draw_roofline(results, impls, title, file):
    results, title = without_suspects(results, title)
    if not any(r["impl"] == "tessera" for r in results):
        print(f"{title}: no bound to draw")
        return
    figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
    bounds = [r["bound"] for r in results if r["impl"] == "tessera"]
    bandwidth = sorted(b["bandwidth"] for b in bounds if b["bandwidth"])
    peak = max(b["peak"] for b in bounds)
    middle = bandwidth[len(bandwidth) // 2]
    intensity = [r["flops"] / r["bytes"] for r in results]
    ends = [min(intensity + [peak / middle]) / 2, max(intensity + [peak / middle]) * 2]
    roof = [ends[0], peak / middle, ends[1]]
    axes.loglog(roof, [min(peak, middle * x) * 1e-9 for x in roof], color="black", linewidth=1.5,
                label=f"{middle * 1e-9:.0f} GB/s (median), {peak * 1e-9:.0f} GFLOP/s")
    for impl in impls:
        mine = [r for r in results if r["impl"] == impl]
        chosen = style(impl, impls)
        axes.loglog([r["flops"] / r["bytes"] for r in mine],
                    [r["flops"] / r["seconds"]["median"] * 1e-9 for r in mine], linestyle="none",
                    marker=chosen["marker"], color=chosen["color"], label=impl, zorder=chosen["zorder"])
    axes.set_xlabel("flop per byte")
    axes.set_ylabel("GFLOP/s")
    axes.set_title(title, fontsize=10)
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize=8, frameon=False)
    figure.savefig(file, dpi=150)
    plt.close(figure)
    print(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--out", help="folder for the figures (default: beside the file)")
    parser.add_argument("--impl", help="only these implementations (tessera is always drawn)")
    options = parser.parse_args()
    content = load(options.file)
    source = pathlib.Path(options.file)
    folder = pathlib.Path(options.out) if options.out else source.parent
    folder.mkdir(parents=True, exist_ok=True)
    results = content["results"]
    impls = list(dict.fromkeys(r["impl"] for r in results))
    if options.impl:
        wanted = options.impl.split(",")
        impls = [i for i in impls if i == "tessera" or i in wanted]
        results = [r for r in results if r["impl"] in impls]
    machine = content["platform"]["platform"]
    on_gpu = any(r["target"] == "cuda" for r in results)
    title = machine["gpu"]["name"] if on_gpu else machine["cpu"]
    for suite in ("stride", "registers"):
        if any(r["suite"] == suite for r in content["results"]):
            where = micro_tables.Run(options.file).where
            micro_tables.draw(suite, content["results"], where, folder / f"{source.stem}_{suite}.png")
            return
    curves = {}
    for result in results:
        curves.setdefault(curve_of(result), []).append(result)
    for name, members in curves.items():
        if axis_of(members[0])[1] is None:
            print(f"{name}: its cases have no size or order to draw rates over")
            continue
        tail = "".join(c if c.isalnum() else "_" for c in name).strip("_")
        draw_rate(members, impls, f"{name}, {title}", folder / f"{source.stem}_rate_{tail}.png")
    draw_roofline(results, impls, title, folder / f"{source.stem}_roofline.png")


if __name__ == "__main__":
    main()
