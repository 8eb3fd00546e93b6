#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws what blast found: plot_blast.py [--field energy] run.json [finer.json ...] blast.png: density (or energy),
# profile, energies and momentum of the finest run, and errors of all of them where the solution is known.
import argparse
import json
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("No picture: that needs Python with matplotlib (python3-matplotlib).")

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#666666"
TITLES = {"density": "Density", "energy": "Internal energy per mass"}


def zones(picture, name):
    """The numbers of each zone, a row of nodes after the other."""
    numbers, line = picture[name], picture["line"]
    count = line * line if "y" in picture else line
    for first in range(0, len(numbers), count):
        zone = numbers[first:first + count]
        yield [zone[i:i + line] for i in range(0, count, line)]


def draw_field(figure, axes, data, field):
    picture = data["picture"]
    low, high = min(picture[field], default=0), max(picture[field], default=1)
    colours = plt.cm.ScalarMappable(plt.Normalize(low, high), "viridis")
    for x, y, values in zip(*(zones(picture, name) for name in ("x", "y", field))):
        axes.pcolormesh(x, y, values, shading="gouraud", cmap="viridis", vmin=low, vmax=high, rasterized=True)
        if len(picture[field]) < 100000:
            for edge in (0, -1):
                axes.plot(x[edge], y[edge], color="white", linewidth=0.3, alpha=0.6)
                axes.plot([row[edge] for row in x], [row[edge] for row in y], color="white", linewidth=0.3, alpha=0.6)
    axes.set_aspect("equal")
    axes.set_title(TITLES[field] + (", the lowest plane" if data["dim"] == 3 else ""), fontsize=11, loc="left")
    figure.colorbar(colours, ax=axes, shrink=0.8)


def places(data):
    """x, or the distance from the origin."""
    picture = data["picture"]
    if data["problem"] == 1 and "y" in picture:
        return [(x * x + y * y) ** 0.5 for x, y in zip(picture["x"], picture["y"])]
    return picture["x"]


def draw_profile(axes, data, field):
    axes.plot(places(data), data["picture"][field], ".", markersize=2, color=BLUE)
    exact = data.get("exact", {})
    if field in exact:
        axes.plot(exact["x"], exact[field], color="black", linewidth=1)
        axes.set_xlim(0, exact["x"][-1])
    at = "distance from the origin" if data["problem"] == 1 and data["dim"] > 1 else "x"
    axes.set_xlabel(at)
    axes.set_title(TITLES[field] + (" and the exact one" if field in exact else ""), fontsize=11, loc="left")


def draw_history(energies, change, data):
    history = data["history"]
    time = history["time"]
    total = [sum(each) for each in zip(history["internal"], history["kinetic"], history["potential"])]
    for numbers, colour, name in ((history["internal"], ORANGE, "internal"), (history["kinetic"], BLUE, "kinetic"),
                                  (total, "black", "total")):
        energies.plot(time, numbers, color=colour, label=name)
    energies.legend(fontsize=9, frameon=False)
    energies.set_title("Energy", fontsize=11, loc="left")
    energies.set_xlabel("time")
    change.plot(time, [t - total[0] for t in total], color="black", label="total energy")
    for colour, name, dash, numbers in zip((BLUE, ORANGE, GREEN), "xyz", ("-", "--", ":"), history["momentum"]):
        change.plot(time, [m - numbers[0] for m in numbers], dash, color=colour, label=f"momentum in {name}")
    change.set_yscale("symlog", linthresh=1e-15)
    change.legend(fontsize=9, frameon=False)
    change.set_title("Change since the start", fontsize=11, loc="left")
    change.set_xlabel("time")


def draw_errors(axes, runs):
    sizes = [run["zone_size"] for run in runs]
    errors = [run["density_error"] for run in runs]
    axes.loglog(sizes, errors, color=ORANGE, marker="o", linewidth=2)
    axes.loglog(sizes, [errors[-1] * h / sizes[-1] for h in sizes], color="black", linestyle=(0, (4, 2)), linewidth=1)
    axes.set_title("Error of the density in L1; dashed: first order", fontsize=11, loc="left")
    axes.set_xlabel("size of zones")
    axes.set_xticks(sizes, [f"{size:.3g}" for size in sizes])
    axes.set_yticks(errors, [f"{error:.2g}" for error in errors])
    axes.minorticks_off()


def draw(runs, field, file):
    runs = sorted(runs, key=lambda run: -run["zone_size"])
    data = runs[-1]
    has_errors = len(runs) > 1 and all("density_error" in run for run in runs)
    panels = (data["dim"] > 1) + 3 + has_errors
    figure, axes = plt.subplots(1, panels, figsize=(4.1 * panels, 4), layout="constrained")
    axes = list(axes)
    if data["dim"] > 1:
        draw_field(figure, axes.pop(0), data, field)
    draw_profile(axes.pop(0), data, field)
    if has_errors:
        draw_errors(axes.pop(), runs)
    draw_history(*axes, data)
    for each in axes:
        each.grid(alpha=0.25)
    figure.suptitle(f"{data['name']} in {data['dim']}-D: {data['zones']} zones of orders {data['orders'][0]} and "
                    f"{data['orders'][1]}, {data['steps']} steps to time {data['time']:.4g}", fontsize=11)
    figure.savefig(file, dpi=140)


def main():
    options = argparse.ArgumentParser(description="Draws what blast found.")
    options.add_argument("runs", nargs="+", metavar="run.json", help="of one problem, on finer and finer meshes")
    options.add_argument("picture", help="file for the picture")
    options.add_argument("--field", choices=TITLES, default="density", help="what is drawn on the mesh")
    given = options.parse_intermixed_args()
    runs = []
    for name in given.runs:
        with open(name, encoding="utf-8") as file:
            runs.append(json.load(file))
        if runs[-1].get("schema") != 1:
            sys.exit(f"{name}: schema {runs[-1].get('schema')}, this script reads 1")
        if any(runs[-1][same] != runs[0][same] for same in ("problem", "dim", "orders", "time")):
            sys.exit(f"{name} is of another problem, order or time than {given.runs[0]}")
        if given.field not in runs[-1]["picture"]:
            sys.exit(f"{name} is of an earlier version of blast, which wrote no {given.field}")
    draw(runs, given.field, given.picture)


if __name__ == "__main__":
    main()
