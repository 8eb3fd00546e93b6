#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws what examples/bake_off measured, a panel for each problem and a curve for each order: plot_bake_off.py
# bake_off.json bake_off.png
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

NAMES = {1: "mass", 2: "mass, 3 components", 3: "diffusion", 4: "diffusion, 3 components",
         5: "diffusion at the nodes", 6: "diffusion at the nodes, 3 components"}


def draw_problem(axes, results, colours):
    for order, colour in colours.items():
        own = sorted((r["unknowns"], r["unknowns_times_iterations_per_second"] * 1e-6)
                     for r in results if r["order"] == order)
        if own:
            axes.plot(*zip(*own), color=colour, marker="o", markersize=4, linewidth=1.8, label=f"p = {order}")
    problem = results[0]["problem"]
    axes.set_title(f"BP{problem}: {NAMES[problem]}", fontsize=11, loc="left")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("unknowns")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def draw(data, file):
    results = data["results"]
    problems = sorted({r["problem"] for r in results})
    orders = sorted({r["order"] for r in results})
    colours = {p: plt.get_cmap("viridis")(0.95 * i / max(1, len(orders) - 1)) for i, p in enumerate(orders)}
    columns = min(len(problems), 2)
    lines = -(-len(problems) // columns)
    figure, panels = plt.subplots(lines, columns, figsize=(6.2 * columns, 3.8 * lines), layout="constrained",
                                  squeeze=False)
    for axes, problem in zip(panels.flat, problems):
        draw_problem(axes, [r for r in results if r["problem"] == problem], colours)
    for axes in panels.flat[len(problems):]:
        axes.set_axis_off()
    for axes in panels[:, 0]:
        axes.set_ylabel("10$^6$ unknowns x iterations a second")
    panels.flat[0].legend(fontsize=9, frameon=False)
    figure.suptitle(f"CEED's bake-off problems, conjugate gradients with Jacobi, double, on {data['where']}",
                    fontsize=11)
    figure.savefig(file, dpi=140)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    if data.get("schema") != 1:
        sys.exit(f"{sys.argv[1]}: schema {data.get('schema')}, this script reads 1")
    draw(data, sys.argv[2])


if __name__ == "__main__":
    main()
