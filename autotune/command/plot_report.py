#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws the results of tessera-tune: the gain of each case, the candidates tried, the quality of search and model.
"""plot_report.py FOLDER: reads FOLDER/data.json, writes pictures and index.html, which shows them, beside it."""
import html
import itertools
import json
import math
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("matplotlib is not installed; Debian: apt-get install python3-matplotlib")

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, PercentFormatter, StrMethodFormatter  # noqa: E402

# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#666666"
PLACES = {"cache": "in cache", "stream": "from memory"}
PANELS_A_ROW, PANELS_A_PAGE = 3, 12


def size_of(case, target):
    """The case's name without the column's title: "5x5x5", "mass 3-D p1 q3"."""
    words = case["name"].split(" ")
    for known in (target, case["type"], case["regime"]):
        if words and words[0] == known:
            words.pop(0)
    return " ".join(words)


def columns_of(data):
    columns = {}
    for case in data["cases"]:
        columns.setdefault((case["type"], case["regime"]), []).append(case)
    return columns


def gain_of(case):
    """Speedup over the former kernel of the library; None if there is nothing to compare with."""
    return case["present_seconds"] / case["seconds"] if case["present"] == "runs" else None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def words_on(case):
    without = {"none": "no row today", "fails": "today's row fails", "unknown": "today's time not recorded"}
    gain = gain_of(case)
    return (without[case["present"]] if gain is None else f"{gain:.2f}x") + " (tie)" * case["tie"]


def fraction_of(case):
    """Fraction of the bound, marked if the run flagged it as suspect; data.json of earlier versions has no mark."""
    return f"{case['fraction']:.0%}" + " (suspect)" * is_suspect(case)


def is_suspect(case):
    return case.get("suspect", False)


def draw_gains(axes, cases, target, title, largest):
    gains = [gain_of(case) for case in cases]
    lines = range(len(cases))
    axes.barh(lines, [(gain or 1) - 1 for gain in gains], left=1, height=0.7, color=BLUE)
    for line, case, gain in zip(lines, cases, gains):
        axes.annotate(words_on(case), (max(gain or 1, 1), line), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=8, color="black" if gain else GREY)
        axes.annotate(fraction_of(case), (1, line), xycoords=("axes fraction", "data"), xytext=(-3, 0),
                      textcoords="offset points", va="center", ha="right", fontsize=8,
                      color=ORANGE if is_suspect(case) else GREEN)
    known = [gain for gain in gains if gain]
    mean = f"\ngeometric mean {geometric_mean(known):.2f}x" if known else "\nno case to compare with"
    axes.set_title(title + mean, fontsize=10, loc="left")
    axes.annotate("of the\nbound", (1, 1), xycoords="axes fraction", xytext=(-3, 3), textcoords="offset points",
                  va="bottom", ha="right", fontsize=8, color=GREEN)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(lines, [size_of(case, target) for case in cases], fontsize=8)
    axes.set_ylim(len(cases) - 0.4, -0.6)
    # Space for the text at the right.
    axes.set_xlim(min([1, *known]) - 0.02, 1 + 1.9 * max(0.25, largest - 1))
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.spines[["top", "right", "left"]].set_visible(False)


def draw_summary(data, file):
    columns = columns_of(data)
    most = max(map(len, columns.values()))
    figure, grid = plt.subplots(1, len(columns), figsize=(max(7, 3.7 * len(columns)), 2.1 + 0.2 * most),
                                squeeze=False, layout="constrained")
    largest = max([gain_of(case) or 1 for case in data["cases"]])
    for axes, ((kind, regime), cases) in zip(grid[0], columns.items()):
        draw_gains(axes, cases, data["target"], f"{kind}, {PLACES[regime]}", largest)
    figure.suptitle(f"Speedup by tuning, over what the library runs today\n{data['device']}, {data['target']}",
                    fontsize=12)
    any_suspect = any(is_suspect(case) for case in data["cases"])
    suspects = "\nsuspect: too far above the bound, which was measured too low" * any_suspect
    figure.supxlabel("speedup;  green: fraction of the machine's bound that the tuned kernel reaches\n"
                     "tie: the best candidates are equally fast within the noise" + suspects, fontsize=9)
    figure.savefig(file, dpi=140)
    plt.close(figure)


def widest_axes(data, case):
    """The two axes with the most values among the measured candidates."""
    values = [sorted({c["values"][i] for c in case["candidates"]}) for i in range(len(data["axes"]))]
    order = sorted(range(len(values)), key=lambda i: -len(values[i]))
    return [(i, values[i]) for i in order[:2]]


def best_by_cell(case, x, y):
    """The least seconds for each pair of values."""
    best = {}
    for candidate in case["candidates"]:
        if candidate["seconds"] is not None:
            cell = candidate["values"][x], candidate["values"][y]
            best[cell] = min(candidate["seconds"], best.get(cell, math.inf))
    return best


def draw_case(axes, data, case):
    (x, xs), (y, ys) = widest_axes(data, case)
    best = best_by_cell(case, x, y)
    fastest = min(best.values())
    speeds = [[fastest / best[cell] if (cell := (column, line)) in best else math.nan for column in xs] for line in ys]
    axes.imshow(speeds, cmap="Blues", vmin=0, vmax=1.3, origin="lower", aspect="auto")
    for (j, line), (i, column) in itertools.product(enumerate(ys), enumerate(xs)):
        if (column, line) in best:
            speed = speeds[j][i]
            axes.text(i, j, f"{100 * speed:.0f}", ha="center", va="center", fontsize=7,
                      color="white" if speed > 0.85 else "black")
    i, j = xs.index(case["winner"][x]), ys.index(case["winner"][y])
    axes.add_patch(plt.Rectangle((i - 0.5, j - 0.5), 1, 1, fill=False, edgecolor=ORANGE, linewidth=3, clip_on=False))
    axes.set_xticks(range(len(xs)), xs, fontsize=8)
    axes.set_yticks(range(len(ys)), ys, fontsize=8)
    axes.set_xlabel(data["axes"][x], fontsize=9)
    axes.set_ylabel(data["axes"][y], fontsize=9)
    gain = ("speedup " if gain_of(case) else "") + words_on(case)
    axes.set_title(f"{case['name']}\n{gain}, {fraction_of(case)} of the bound", fontsize=9, loc="left")


def was_measured(case):
    """True if the winner is among the recorded candidates: a record may have cases of earlier runs."""
    return any(c["values"] == case["winner"] and c["seconds"] is not None for c in case["candidates"])


def draw_cases(data, cases, file):
    rows = math.ceil(len(cases) / PANELS_A_ROW)
    figure, grid = plt.subplots(rows, PANELS_A_ROW, figsize=(13, 1.3 + 3.3 * rows), squeeze=False, layout="constrained")
    for axes, case in itertools.zip_longest(grid.flat, cases):
        if case is None:
            axes.set_axis_off()
        else:
            draw_case(axes, data, case)
    figure.suptitle("What was tried in each case: the best speed for each pair of values of two tuning parameters, "
                    "in percent of the fastest\n"
                    "orange frame: the winner, chosen in longer runs of the best ones;  "
                    "white: not tried, or failed", fontsize=11)
    figure.savefig(file, dpi=110)
    plt.close(figure)


def draw_rarity(axes, cases):
    """The speed of candidates relative to the best of their case."""
    speeds = []
    for case in cases:
        times = [c["seconds"] for c in case["candidates"] if c["seconds"] is not None]
        speeds += [min(times) / time for time in times]
    speeds.sort()
    axes.step(speeds, [i / len(speeds) for i in range(len(speeds))], where="post", color=BLUE, linewidth=2)
    axes.set_title("How rare fast candidates are, all cases", fontsize=10, loc="left")
    axes.set_xlabel("speed, relative to the best of the case")
    axes.set_ylabel("share of the measured candidates that are slower")
    axes.set_xlim(0, 1.02)
    axes.set_ylim(0, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(alpha=0.25)


def draw_model(axes, cases):
    tried = [(c["predicted"], c["seconds"], c["values"] == case["winner"]) for case in cases
             for c in case["candidates"] if c["predicted"] > 0 and c["seconds"] is not None]
    for winners, style in ((False, {"color": BLUE, "markersize": 3, "alpha": 0.4, "label": "candidates"}),
                           (True, {"color": ORANGE, "markersize": 6, "label": "winners"})):
        points = [(p, s) for p, s, won in tried if won == winners]
        axes.loglog([p * 1e9 for p, _ in points], [s * 1e9 for _, s in points], linestyle="none", marker="o", **style)
    ends = [1e9 * end(min(p, s) if end is min else max(p, s) for p, s, _ in tried) for end in (min, max)]
    axes.loglog(ends, ends, color="black", linewidth=1, linestyle="--", label="as predicted")
    axes.set_title("Model against measurement", fontsize=10, loc="left")
    axes.set_xlabel("predicted time [ns]")
    axes.set_ylabel("measured time [ns]")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8, frameon=False)


def draw_search(cases, file):
    has_model = any(c["predicted"] > 0 and c["seconds"] is not None for case in cases for c in case["candidates"])
    figure, grid = plt.subplots(1, 1 + has_model, figsize=(5.5 * (1 + has_model), 4.4), squeeze=False,
                                layout="constrained")
    draw_rarity(grid[0][0], cases)
    if has_model:
        draw_model(grid[0][1], cases)
    figure.savefig(file, dpi=120)
    plt.close(figure)


def write_page(data, pictures, file):
    title = html.escape(f"Tuning of {data['device']}, {data['target']}")
    facts = " &nbsp; ".join(f"<b>{html.escape(name)}</b> {html.escape(value)}" for name, value in data["facts"].items())
    shown = "\n".join(f"<p><img src='{name}' alt='{name}' style='max-width:100%'></p>" for name in pictures)
    file.write_text(
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        f"<title>{title}</title><style>body{{font-family:sans-serif;max-width:1400px;margin:1em auto}}"
        f"pre{{overflow-x:auto;font-size:12px}}</style></head><body>\n<h1>{title}</h1>\n<p>{facts}</p>\n{shown}\n"
        f"<pre>{html.escape(data['notes'])}</pre>\n<h2>All cases</h2>\n<pre>{html.escape(data['table'])}</pre>\n"
        "</body></html>\n", encoding="utf-8")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    data = json.loads((folder / "data.json").read_text(encoding="utf-8"))
    if data.get("schema") != 1:
        sys.exit(f"{folder / 'data.json'}: schema {data.get('schema')}, this script reads 1")
    for old in folder.glob("*.png"):
        old.unlink()
    pictures = ["summary.png"]
    draw_summary(data, folder / "summary.png")
    cases = [case for case in data["cases"] if was_measured(case)]
    for first in range(0, len(cases), PANELS_A_PAGE):
        pictures.append(f"cases-{1 + first // PANELS_A_PAGE}.png")
        draw_cases(data, cases[first:first + PANELS_A_PAGE], folder / pictures[-1])
    if cases:
        pictures.append("search.png")
        draw_search(cases, folder / "search.png")
    write_page(data, pictures, folder / "index.html")


if __name__ == "__main__":
    main()
