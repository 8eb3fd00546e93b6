#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws the results of tessera-demo, rates over the order with the bound: plot_demo.py demo.json demo.png
import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

# Okabe and Ito's colours, which colour-blind readers can distinguish; name in the file: label, style.
CURVES = {
    "tessera": ("Tessera", {"color": "#0072b2", "linewidth": 2.6, "marker": "o", "markersize": 6}),
    "tessera with gather and scatter": ("Tessera with\ngather + scatter",
                                        {"color": "#0072b2", "linewidth": 1.3, "marker": "o", "markersize": 3.5}),
    "plain loop": ("plain loop", {"color": "#d55e00", "linewidth": 1.6, "marker": "s", "markersize": 4.5}),
    "csr": ("CSR matrix", {"color": "#555555", "linewidth": 1.6, "marker": "^", "markersize": 5}),
}
OPERATORS = {"mass": ("#0072b2", "o"), "diffusion": ("#009e73", "D")}
BOUND = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 1.1, "marker": ".", "markersize": 3}
TITLES = {"mass": "Mass,  y = Bᵀ D B x", "diffusion": "Diffusion,  y = Gᵀ D G x"}


def rows_of(data, **wanted):
    rows = [r for r in data["results"] if all(r[key] == value for key, value in wanted.items())]
    return sorted(rows, key=lambda r: r["p"])


def rate(row, curve):
    entries = row["csr entries"] if curve == "csr" else row["entries"]
    return entries / row["seconds"][curve]["median"] * 1e-9


def disturbed(row, curve):
    """For Tessera the whole case, with its bound. Files of earlier versions have no such field for the others."""
    return row["disturbed"] if curve == "tessera" else row["seconds"][curve].get("disturbed", False)


def bound(row):
    """NaN, which is not drawn, if it is not plausible."""
    return row["entries"] / row["bound"]["seconds"] * 1e-9 if row.get("believed", True) else math.nan


def label_ends(axes, ends):
    """Names of curves at their right ends, moved apart where they would overlap."""
    bottom, top = axes.get_ylim()
    line = (top - bottom) * 0.055
    free = bottom
    for x, y, text, colour in sorted(ends, key=lambda end: end[1]):
        lines = text.count("\n") + 1
        middle = max(y, free + line * lines / 2)
        free = middle + line * lines / 2
        axes.annotate(text, (x, middle), xytext=(9, 0), textcoords="offset points", color=colour, fontsize=9,
                      va="center", linespacing=0.95, annotation_clip=False)


def draw_bound(axes, rows, name):
    """Its label, where there is anything to label, as a list."""
    orders, rates = [r["p"] for r in rows], [bound(r) for r in rows]
    axes.plot(orders, rates, **BOUND)
    return [(p, y, name, "black") for p, y in zip(orders, rates) if not math.isnan(y)][-1:]


def draw_curve(axes, rows, curve, style):
    orders, rates = [r["p"] for r in rows], [rate(r, curve) for r in rows]
    axes.plot(orders, rates, **style)
    noisy = [i for i, r in enumerate(rows) if disturbed(r, curve)]
    axes.plot([orders[i] for i in noisy], [rates[i] for i in noisy], linestyle="none", marker=style["marker"],
              markersize=style["markersize"], markerfacecolor="white", markeredgecolor=style["color"], zorder=5)
    return orders[-1], rates[-1]


def finish(axes, ends, title, unit):
    orders = sorted({int(x) for line in axes.get_lines() for x in line.get_xdata()})
    axes.set_xticks(orders)
    axes.set_xlim(orders[0] - 0.3, orders[-1] + 0.3)
    axes.set_ylim(0, 1.05 * axes.get_ylim()[1])
    axes.set_title(title, fontsize=11, loc="left")
    axes.set_xlabel("order p")
    axes.set_ylabel(unit)
    axes.grid(axis="y", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    label_ends(axes, ends)


def draw_apply(axes, rows, title):
    ends = draw_bound(axes, rows, "bound of the\noperator (memory,\nthen FMA units)" if any(
        r["bound"]["by"] != "memory" for r in rows) else "bound of the\noperator")
    for curve, (name, style) in CURVES.items():
        if all(curve in r["seconds"] for r in rows):
            ends.append((*draw_curve(axes, rows, curve, style), name, style["color"]))
    finish(axes, ends, title, "GDOF/s")


def draw_matrices(axes, data, space, title):
    ends = []
    for name, (colour, marker) in OPERATORS.items():
        rows = rows_of(data, space=space, what="matrices", operator=name)
        if not rows:
            continue
        style = {"color": colour, "linewidth": 1.8, "marker": marker, "markersize": 4.5}
        limit = draw_bound(axes, rows, "bound")
        ends += [] if ends else limit
        ends.append((*draw_curve(axes, rows, "tessera", style), name, colour))
    finish(axes, ends, title, "billion entries/s")


def draw(data, file):
    spaces = [space for space in ("cpu", "gpu") if rows_of(data, space=space)]
    figure, grid = plt.subplots(len(spaces), 3, figsize=(12.5, 1.1 + 3.7 * len(spaces)), squeeze=False,
                                layout="constrained", gridspec_kw={"width_ratios": [1, 1, 0.6]})
    threads = data["threads"]
    machine = {"cpu": f"{data['cpu']}, {threads} thread{'s' * (threads > 1)}, {data['target']}", "gpu": data["gpu"]}
    for line, space in zip(grid, spaces):
        where = f"{space.upper()}: " if len(spaces) > 1 else ""
        for axes, name in zip(line, TITLES):
            draw_apply(axes, rows_of(data, space=space, what="apply", operator=name), where + TITLES[name])
        draw_matrices(line[2], data, space, where + "Element matrices")
    figure.suptitle("Element operators on hexahedra, p + 2 Gauss points a direction, double precision\n"
                    + "\n".join(machine[space] for space in spaces), fontsize=11)
    note = ("GDOF/s: billion entries of the E-vector, (p+1)³ an element, per second. CSR, the assembled matrix in double "
            "with 32-bit columns,\nis counted alike, so that curves compare the time for one mesh; it includes what "
            "gather + scatter do for an element operator.")
    if any(disturbed(r, curve) for r in data["results"] for curve in r["seconds"]):
        note += "\nHollow: disturbed by other work on the machine."
    if not all(r.get("believed", True) for r in data["results"]):
        note += "\nNo bound: the measured bound is below Tessera's rate, which is not plausible."
    figure.supxlabel(note, fontsize=8.5, color="#444444")
    figure.savefig(file, dpi=140)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    if data.get("schema") != 2:
        sys.exit(f"{sys.argv[1]}: schema {data.get('schema')}, this script reads 2")
    draw(data, sys.argv[2])


if __name__ == "__main__":
    main()
