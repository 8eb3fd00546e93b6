#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Draws what tessera-demo measured: GFLOP/s over the order, with the bound of each case: plot_demo.py demo.json demo.png
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

PANELS = {"apply": "y = M x  (7 contractions, q = p+2)", "assemble": "element matrices  M = BᵀDB"}
COLOURS = {"cpu": "#0072b2", "gpu": "#d55e00"}


def draw(data, file):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    spaces = [space for space in COLOURS if any(r["case"]["space"] == space for r in data["results"])]
    for axis, (what, title) in zip(axes, PANELS.items()):
        for space in spaces:
            rows = [r for r in data["results"] if r["case"]["space"] == space and r["case"]["what"] == what]
            orders = [r["case"]["p"] for r in rows]
            rate = [r["flops"] / r["seconds"]["median"] * 1e-9 for r in rows]
            bound = [r["flops"] / r["bound"]["seconds"] * 1e-9 for r in rows]
            name = space.upper() + (f", {data['target']}, {data['threads']} threads" if space == "cpu" else "")
            axis.plot(orders, rate, "o-", color=COLOURS[space], label=name)
            axis.plot(orders, bound, "--", color=COLOURS[space], label=f"{space.upper()}: bound, measured in the same run")
        axis.set(title=title, xlabel="order p", ylabel="GFLOP/s")
        if len(spaces) > 1:
            axis.set_yscale("log")
            axis.set_ylim(bottom=axis.get_ylim()[0] / 8)  # room for the legend
        else:
            axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8, loc="lower right" if len(spaces) > 1 else "best")
    figure.suptitle(f"Mass operator on hexahedra, double: {data['cpu']}", fontsize=10)
    figure.savefig(file, dpi=130)


with open(sys.argv[1], encoding="utf-8") as file:
    draw(json.load(file), sys.argv[2])
