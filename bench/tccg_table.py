#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Writes the results of tessera-bench tccg as a table of a document, and draws them.
"""tccg_table.py FILE.json... [--document FILE.md] [--png FOLDER] [--cited]

Each file has a run of one type. Its table of rows and its geometric means are printed, or replace what is between
"<!-- tccg TYPE -->" and "<!-- end of tccg TYPE -->" in the document. --png draws the parts of the bound that were
reached, a picture a file. --cited adds cuTENSOR and torch.einsum, which transposes and then multiplies matrices (TTGT),
as they were measured on another GPU (tccg_cited.tsv) where a run in double on a GPU, of full extents, has them not: a
column of the speed-up over each, row by row.

Of a peer GM_1 is the geometric mean of its time over ours, GM_2 that of max(1, that ratio): the gain where one takes
the faster of the two.

TYPE is f64, f32 and so on; with another precision, a function or a pair f32-tf32, f64-leaky_relu, f32-min_plus. What
tessera-bench called suspect is marked and left out of means and pictures.
"""
import argparse
import json
import math
import pathlib
import sys

CITED = pathlib.Path(__file__).with_name("tccg_cited.tsv")
CITED_MARK = ", cited"
USUAL = {"precision": "exact", "function": "none", "operations": "plus_times"}
COLOURS = {"tessera": "#d1495b", "cutensor": "#30638e", "cutensor-patient": "#8d6a9f", "cutensor-best": "#00798c",
           "bare-gemm": "#7f7f7f", "torch-einsum": "#c77dff"}
OTHER_COLOURS = ["#edae49", "#6b8f71", "#a98467"]
NAMES = {"cutensor": "cuTENSOR", "cutensor-patient": "patient", "cutensor-best": "best of ranks",
         "bare-gemm": "bare GEMM", "bare-gemm-openblas": "bare GEMM", "ttgt-openblas": "TTGT, OpenBLAS",
         "torch-einsum": "torch.einsum (TTGT)", "loops": "plain loops"}


class Run:
    """The rows of a file: our result, and by peer the time over ours and the part of the bound."""

    def __init__(self, file, cited):
        content = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        if content.get("schema") != 1:
            sys.exit(f"{file}: schema {content.get('schema')}, this script reads 1")
        results = [r for r in content["results"] if r["suite"] == "tccg"]
        if not results:
            sys.exit(f"{file}: has no results of the suite tccg")
        self.stem = pathlib.Path(file).stem
        self.first = results[0]
        machine = content["platform"]["platform"]
        on_gpu = self.first["target"] == "cuda"
        self.where = machine["gpu"]["name"] if on_gpu else f"{machine['cpu']}, threads: {self.first['threads']}"
        case = self.first["case"]
        self.key = "-".join([self.first["type"].replace("/", "_")] +
                            [case[k] for k, usual in USUAL.items() if case[k] != usual])
        self.scale = case["scale"]
        self.rows = {}
        for r in results:
            row = self.rows.setdefault(r["case"]["row"], {"peers": {}})
            if r["impl"] == "tessera":
                row["ours"] = r
            else:
                row["peers"][r["impl"]] = r
        for number, row in self.rows.items():
            if "ours" not in row:
                sys.exit(f"{file}: row {number} has no result of tessera")
        self.peers = list(dict.fromkeys(name for row in self.rows.values() for name in row["peers"]))
        self.has_cited = cited and self.key == "f64" and on_gpu and self.scale == 1
        if self.has_cited:
            self.add_cited()

    def add_cited(self):
        """Peers that were not measured in this run, by the part of their GPU's own bound that they reached."""
        text = CITED.read_text(encoding="utf-8")
        lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
        names = lines[0][2:]
        missing = [name for name in names if name not in self.peers]
        self.peers += [name + CITED_MARK for name in missing]
        for line in lines[1:]:
            row = self.rows.get(int(line[0]))
            if row is None:
                continue
            for name, milliseconds in zip(names, line[2:]):
                if name in missing:
                    row["peers"][name + CITED_MARK] = {"fraction": float(line[1]) / float(milliseconds), "error": 0,
                                                       "error_bound": 0, "suspect": None}

    def ratio(self, row, name):
        """A peer's time over ours; of one that is cited, our part of our bound over its part of its own."""
        ours, peer = row["ours"], row["peers"].get(name)
        if peer is None or peer["suspect"] or peer["error"] > peer["error_bound"]:
            return None
        return ours["fraction"] / peer["fraction"]

    def counted(self):
        return {number: row for number, row in sorted(self.rows.items())
                if not row["ours"]["suspect"] and row["ours"]["error"] <= row["ours"]["error_bound"]}

    def groups(self):
        """(name, rows) of each group and of all."""
        rows = self.counted()
        names = list(dict.fromkeys(row["ours"]["case"]["group"] for row in rows.values()))
        members = [(name, {n: r for n, r in rows.items() if r["ours"]["case"]["group"] == name}) for name in names]
        return members + ([("all", rows)] if len(names) > 1 else [])


def mean_of(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def time_text(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.2f} {name}"
    return f"{seconds * 1e6:.1f} µs"


def name_of(peer):
    base = peer.removesuffix(CITED_MARK)
    return NAMES.get(base, base) + (CITED_MARK if base != peer else "")


def kernel_of(peer):
    """"tgett rank 3" of a best of ranks."""
    words = peer.get("describe", "").split(", ")
    return f" ({words[1].split(' of ')[0]})" if len(words) > 1 and " kernels" in words[1] else ""


def table_of(run):
    lines = [f"{run.where}; extents times {run.scale:g}." if run.scale != 1 else f"{run.where}; full extents.", ""]
    if run.has_cited:
        lines[0] += (" What is cited was measured on another GPU, an H100 (copy 3.01 TB/s, FP64 mma 66.2 TFLOP/s), and "
                     "not in this run: its ratio is that of the parts of each GPU's own bound.")
    heading = ["rows", "number", "of the bound, mean", "worst"]
    heading += [f"{name_of(p)}: GM_1, GM_2, worst" for p in run.peers]
    lines += ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    for group, rows in run.groups():
        fractions = {n: r["ours"]["fraction"] for n, r in rows.items()}
        worst = min(fractions, key=fractions.get)
        cells = [group, str(len(rows)), f"{100 * mean_of(fractions.values()):.1f} %",
                 f"{100 * fractions[worst]:.1f} % ({worst})"]
        for peer in run.peers:
            ratios = {n: run.ratio(r, peer) for n, r in rows.items() if run.ratio(r, peer)}
            if not ratios:
                cells.append("-")
                continue
            worst = min(ratios, key=ratios.get)
            faster = mean_of([max(1, ratio) for ratio in ratios.values()])
            cells.append(f"{mean_of(ratios.values()):.2f}, {faster:.2f}, {ratios[worst]:.2f} ({worst})")
        lines.append("| " + " | ".join(cells) + " |")
    heading = ["row", "C-A-B", "bound", "Tessera", "GB/s", "TFLOP/s", "of the bound"] + [name_of(p) for p in run.peers]
    lines += ["", "| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    for number, row in sorted(run.rows.items()):
        ours = row["ours"]
        seconds, bound = ours["seconds"]["median"], ours["bound"]
        mark = " (suspect)" if ours["suspect"] else " (wrong)" if ours["error"] > ours["error_bound"] else ""
        cells = [str(number), ours["case"]["text"], f"{time_text(bound['seconds'])}, {bound['by']}",
                 time_text(seconds) + mark, f"{ours['bytes'] / seconds * 1e-9:.0f}",
                 f"{ours['flops'] / seconds * 1e-12:.2f}", f"{100 * ours['fraction']:.1f} %"]
        for peer in run.peers:
            ratio = run.ratio(row, peer)
            cells.append("-" if ratio is None else f"{ratio:.2f}{kernel_of(row['peers'][peer])}")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def put_into(document, run, lines):
    """Replaces what is between the marks of the run's type."""
    begin, end = f"<!-- tccg {run.key} -->", f"<!-- end of tccg {run.key} -->"
    text = document.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        sys.exit(f"{document}: needs the lines '{begin}' and '{end}', once each")
    head, tail = text[:text.index(begin) + len(begin)], text[text.index(end):]
    document.write_text(head + "\n" + "\n".join(lines) + "\n" + tail, encoding="utf-8")


def draw(run, file):
    import matplotlib  # only pictures need it

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(9.6, 4.2), layout="constrained")
    rows = run.counted()
    numbers = list(rows)
    at = {number: position for position, number in enumerate(numbers)}
    previous = None
    for number in numbers:  # a line where a group begins
        group = rows[number]["ours"]["case"]["group"]
        if group != previous:
            members = sum(r["ours"]["case"]["group"] == group for r in rows.values())
            axes.axvline(at[number] - 0.5, color="0.8", linewidth=0.8)
            axes.text(at[number] - 0.3, 1.01, group if members > 4 else group.replace(" ", "\n"),
                      transform=axes.get_xaxis_transform(), fontsize=7)
        previous = group
    others = iter(OTHER_COLOURS * len(run.peers))
    for peer in run.peers:
        base = peer.removesuffix(CITED_MARK)
        points = [(at[n], 100 * r["peers"][peer]["fraction"]) for n, r in rows.items() if run.ratio(r, peer)]
        if points:
            axes.plot(*zip(*points), linestyle="none", marker="_" if base.startswith("bare") else ".",
                      markersize=7, color=COLOURS.get(base) or next(others), label=name_of(peer), zorder=2)
    axes.plot([at[n] for n in numbers], [100 * r["ours"]["fraction"] for r in rows.values()], linestyle="none",
              marker="o", markersize=5, color=COLOURS["tessera"], label="Tessera", zorder=3)
    axes.set_xticks(range(len(numbers)), [str(n) for n in numbers], fontsize=6)
    axes.set_xlim(-0.5, len(numbers) - 0.5)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("row")
    axes.set_ylabel("% of the bound")
    left_out = len(run.rows) - len(rows)
    axes.set_title(f"TCCG, {run.key.replace('_', '/')}, {run.where}" +
                   f" ({left_out} suspect or wrong, left out)" * bool(left_out), fontsize=10, pad=28)
    axes.grid(alpha=0.3, axis="y")
    axes.legend(fontsize=7, frameon=False, ncol=6, loc="lower center")
    figure.savefig(file, dpi=150)
    plt.close(figure)
    print(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("--document", type=pathlib.Path, help="put the tables there; else they are printed")
    parser.add_argument("--png", type=pathlib.Path, metavar="FOLDER", help="draw pictures")
    parser.add_argument("--cited", action="store_true", help="add what was measured on another GPU")
    options = parser.parse_args()
    for file in options.files:
        try:
            run = Run(file, options.cited)
        except OSError as fault:
            sys.exit(f"tccg_table.py: {fault}")
        lines = table_of(run)
        if options.document:
            put_into(options.document, run, lines)
        else:
            print(f"{run.key}: ", end="")
            print("\n".join(lines))
        if options.png:
            options.png.mkdir(parents=True, exist_ok=True)
            draw(run, options.png / f"tccg_{run.key}.png")


if __name__ == "__main__":
    main()
