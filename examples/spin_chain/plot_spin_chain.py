#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws runs of examples/spin_chain: plot_spin_chain.py [--no-times] RUN.json ... RUN.png
#
# Errors of the energy and what is cut, sweep by sweep, for all runs; entropies along each chain; times of the first run,
# unless they were taken on a machine that was busy.
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

PARTS = {"planning": "plans", "contractions": "contractions", "vectors": "Lanczos' vectors", "svd": "singular values"}


def name_of(run):
    return f"{run['sites']} sites, bonds of {run['bond']}"


def by_sweep(axes, values, colour, label):
    """Against 1, 2, ...; what is rounding, or 0, is left out of the logarithmic scale."""
    axes.plot(range(1, len(values) + 1), [v if v > 1e-17 else float("nan") for v in values], color=colour, marker="o",
              markersize=4, linewidth=1.8, label=label)


def draw_times(axes, run):
    """A bar a sweep for each way to contract, in parts."""
    ways = run["ways"]
    colours = dict(zip(PARTS, ("#bbbbbb", "#1f77b4", "#2ca02c", "#ff7f0e")))
    width = 0.8 / len(ways)
    for w, way in enumerate(ways):
        for number, sweep in enumerate(way["sweeps"], 1):
            at, below = number + (w - (len(ways) - 1) / 2) * width, 0
            for part, colour in colours.items():
                seconds = sweep[part + "_seconds"]
                axes.bar(at, seconds, 0.92 * width, bottom=below, color=colour)
                below += seconds
            if number == 1 and len(ways) > 1:
                axes.annotate(way["by"], (at, below), rotation=90, ha="center", va="bottom", fontsize=8)
    axes.set_title(f"{name_of(run)}, on {run['where']}", fontsize=9, loc="left")
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in colours.values()]
    axes.legend(handles, PARTS.values(), fontsize=8, frameon=False)


def draw(runs, file, with_times=True):
    shape, size = ((2, 2), (11, 7.2)) if with_times else ((1, 3), (14, 4.2))
    figure, panels = plt.subplots(*shape, figsize=size, layout="constrained")
    errors, truncations, entropies = panels.flat[:3]
    colours = [plt.get_cmap("viridis")(0.85 * i / max(1, len(runs) - 1)) for i in range(len(runs))]
    for run, colour in zip(runs, colours):
        way = run["ways"][0]
        exact = run["exact_energy"]  # null for long chains, which have no line then
        above = [float("nan") if exact is None else s["energy"] - exact for s in way["sweeps"]]
        by_sweep(errors, above, colour, name_of(run))
        by_sweep(truncations, [s["truncation"] for s in way["sweeps"]], colour, name_of(run))
        entropies.plot([(i + 1) / run["sites"] for i in range(len(way["cuts"]))], [c["entropy"] for c in way["cuts"]],
                       color=colour, linewidth=1.5, label=name_of(run))
    for axes, title in ((errors, "energy above the exact one"), (truncations, "largest weight cut in a sweep")):
        axes.set_yscale("log")
        axes.set_title(title, fontsize=11, loc="left")
    truncations.set_xlim(errors.get_xlim())
    truncations.legend(*errors.get_legend_handles_labels(), fontsize=8, frameon=False)
    entropies.set_title("entropy of the cut behind a site", fontsize=11, loc="left")
    entropies.set_xlabel("site / sites")
    if with_times:
        draw_times(panels.flat[3], runs[0])
        panels.flat[3].set_ylabel("seconds a sweep")
    for axes in panels.flat:
        if axes is not entropies:
            axes.set_xlabel("sweep")
            axes.xaxis.get_major_locator().set_params(integer=True)
    for axes in panels.flat:
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle("Open Heisenberg chain of spins 1/2: ground state by two-site DMRG", fontsize=12)
    figure.savefig(file, dpi=140)


def main():
    names = [name for name in sys.argv[1:] if name != "--no-times"]
    if len(names) < 2:
        sys.exit("plot_spin_chain.py [--no-times] RUN.json ... RUN.png")
    runs = []
    for name in names[:-1]:
        try:
            with open(name, encoding="utf-8") as file:
                runs.append(json.load(file))
        except (OSError, ValueError) as fault:
            sys.exit(f"plot_spin_chain.py: {name}: {fault}")
        if runs[-1].get("schema") != 1:
            sys.exit(f"{name}: schema {runs[-1].get('schema')}, this script reads 1")
        if "ways" not in runs[-1]:
            sys.exit(f"{name}: a run of --evolve has no sweeps, which this script draws")
    draw(runs, names[-1], "--no-times" not in sys.argv)


if __name__ == "__main__":
    main()
