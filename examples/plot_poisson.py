#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws what examples/poisson found, the solution, the residual and the error: plot_poisson.py poisson.json poisson.png
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

BLUE, ORANGE = "#0072b2", "#d55e00"


def rows(numbers, side):
    return [numbers[side * j:side * (j + 1)] for j in range(side)]


def draw_solution(figure, axes, data):
    """The values on the bent elements of the slice, and the elements' edges."""
    drawn, order = data["slice"], data["order"]
    side = drawn["side"]
    x, y, u = (rows(drawn[name], side) for name in ("x", "y", "u"))
    mesh = axes.pcolormesh(x, y, u, shading="gouraud", cmap="viridis")
    for i in range(0, side, order):
        axes.plot(x[i], y[i], color="white", linewidth=0.5, alpha=0.7)
        axes.plot([line[i] for line in x], [line[i] for line in y], color="white", linewidth=0.5, alpha=0.7)
    axes.set_aspect("equal")
    axes.set_axis_off()
    where = ", the plane in the middle" if data["dim"] == 3 else ""
    axes.set_title(f"u{where}", fontsize=11, loc="left")
    figure.colorbar(mesh, ax=axes, shrink=0.8)


def draw_residuals(axes, data):
    for level in data["levels"]:
        finest = level is data["levels"][-1]
        axes.semilogy(level["residuals"], color=BLUE, alpha=1 if finest else 0.45, linewidth=2 if finest else 1.2)
        axes.annotate(f"{level['cells']}$^{data['dim']}$", (level["iterations"], level["residuals"][-1]), xytext=(3, 0),
                      textcoords="offset points", color=BLUE, fontsize=9)
    axes.set_title("Residual", fontsize=11, loc="left")
    axes.set_xlabel("iteration")


def draw_errors(axes, data):
    sizes = [1 / level["cells"] for level in data["levels"]]
    errors = [level["error"] for level in data["levels"]]
    power = data["order"] + 1
    axes.loglog(sizes, errors, color=ORANGE, marker="o", linewidth=2)
    axes.loglog(sizes, [errors[-1] * (h / sizes[-1]) ** power for h in sizes], color="black", linestyle=(0, (4, 2)),
                linewidth=1)
    axes.annotate(f"h$^{{{power}}}$", (sizes[0], errors[-1] * (sizes[0] / sizes[-1]) ** power), xytext=(-34, 0),
                  textcoords="offset points", fontsize=10)
    axes.set_xticks(sizes, [f"1/{level['cells']}" for level in data["levels"]])
    axes.minorticks_off()
    axes.set_title("Error in L2", fontsize=11, loc="left")
    axes.set_xlabel("size h of elements")


def draw(data, file):
    figure, panels = plt.subplots(1, 3, figsize=(12.5, 4), layout="constrained", gridspec_kw={"width_ratios": [1.1, 1, 1]})
    draw_solution(figure, panels[0], data)
    draw_residuals(panels[1], data)
    draw_errors(panels[2], data)
    for axes in panels[1:]:
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
    last = data["levels"][-1]
    rate = last["unknowns"] * last["iterations"] / last["seconds"] * 1e-6
    figure.suptitle(f"Poisson problem, elements of order {data['order']}: {last['unknowns']} unknowns, "
                    f"{last['iterations']} iterations in {last['seconds']:.2g} s, {rate:.3g} million unknowns x "
                    f"iterations a second on {data['where']}", fontsize=11)
    figure.savefig(file, dpi=140)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    if data.get("schema") != 2:
        sys.exit(f"{sys.argv[1]}: schema {data.get('schema')}, this script reads 2")
    draw(data, sys.argv[2])


if __name__ == "__main__":
    main()
