#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Writes the suites launch, stride and registers as tables beside Sinkin's columns of an A100, and draws them; and
# two-site updates as a table beside libraries.
"""micro_tables.py FILE.json... [--document FILE.md] [--png FOLDER]

Each file has a run of one of the suites launch, stride, registers and two-site of tessera-bench. Its table is printed,
or replaces what is between "<!-- SUITE -->" and "<!-- end of SUITE -->" in the document, of two-site between
"<!-- two-site TYPE -->" and its end. --png draws each but two-site into SUITE.png. What tessera-bench called suspect is
marked in tables and left out of pictures.
"""
import argparse
import math
import pathlib
import sys

import json_file

# Sinkin's thesis on an A100 (40 GB): Table 5.1, microseconds of a thousand products by n, apart and in one kernel, and
# the per cent saved as printed, which come from times that were not rounded yet.
A100_LAUNCH = {1: (8022, 172, 97.9), 2: (7941, 185, 97.7), 4: (7835, 180, 97.7), 8: (7895, 180, 97.7),
               13: (8477, 355, 95.8), 16: (8104, 347, 95.7), 23: (9217, 717, 92.2), 32: (9752, 1380, 85.9)}
# Table 5.3, GB/s by stride, of the masked index.
A100_STRIDE = {1: 1245.34, 2: 879.68, 4: 552.58, 8: 310.01, 16: 163.11, 32: 159.55, 64: 223.58, 128: 564.36}
# Table 5.4, TFLOP/s by occupancy in per cent.
A100_REGISTERS = {100.0: 14.46, 62.5: 12.80}
COLOURS = {"tessera": "#d1495b", "separate": "#30638e", "graph": "#00798c", "fused-serial": "#edae49",
           "executor": "#8d6a9f", "bijective": "#d1495b", "masked": "#30638e", 1: "#d1495b", 4: "#30638e"}
NAMES = {"tessera": "batched", "fused-serial": "one block"}


def fail(message):
    """Ends the script with exit status 2, which argparse has, too."""
    print(f"micro_tables.py: {message}", file=sys.stderr)
    sys.exit(2)


class Run:
    """The results of a file by case."""

    def __init__(self, file):
        content = json_file.read(file, fail)
        if content.get("schema") != 1:
            fail(f"{file}: schema {content.get('schema')}, this script reads 1")
        self.results = content.get("results", [])
        suites = {r["suite"] for r in self.results}
        if len(suites) != 1 or not suites <= set(TABLES):
            fail(f"{file}: has no results of one of the suites {', '.join(TABLES)}")
        self.suite = suites.pop()
        # What its lines in a document are marked by: tables of two-site updates are of a type.
        self.mark = f"{self.suite} {self.results[0]['type']}" if self.suite == "two-site" else self.suite
        machine = content["platform"]["platform"]
        gpu = machine["gpu"]
        # Only results of ours have a target; the microbenchmarks say what they measured by the size of a sector.
        on_gpu = gpu != "none" and any(r["target"] == "cuda" or self.suite == "registers" or
                                       r["case"].get("sector_bytes") == 32 for r in self.results)
        self.where = gpu["name"] if on_gpu else f"{machine['cpu']}, threads: {self.results[0]['threads']}"


def three_digits(number):
    """Three significant digits, never with an exponent: 3600, 443, 5.18, 0.0524."""
    if number == 0:
        return "0"
    digits = math.floor(math.log10(abs(number)))
    places = max(0, 2 - digits)
    text = f"{number:.{places}f}" if places else f"{round(number, 2 - digits):.0f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def value(result, number, form=three_digits):
    if result is None or number is None:
        return "-"
    return (form(number) if callable(form) else form.format(number)) + " (suspect)" * bool(result["suspect"]) + \
        " (wrong)" * (result["error"] > result["error_bound"])


def seconds(result):
    return result["seconds"]["median"] if result else None


def in_cases(results, key):
    """{case[key]: {impl: result}} of square products or strides."""
    found = {}
    for r in results:
        found.setdefault(r["case"][key], {})[r["impl"]] = r
    return found


def launch_table(results):
    cases = in_cases([r for r in results if r["case"]["m"] == r["case"]["n"] == r["case"]["k"]], "n")
    ways = [w for w in ("separate", "graph", "fused-serial", "executor", "tessera")
            if any(w in case for case in cases.values())]
    products = next(iter(cases.values()))["tessera"]["case"]["batch"] if cases else 1000
    heading = ["n"] + [f"{NAMES.get(w, w)}, us (model)" for w in ways] + ["saved by one launch", "A100: separate, us",
                                                                         "A100: one kernel, us", "A100: saved"]
    rows = []
    for n in sorted(set(cases) | set(A100_LAUNCH if products == 1000 else [])):
        case = cases.get(n, {})
        cells = [str(n)]
        for way in ways:
            r = case.get(way)
            predicted = (r.get("predicted") or {}).get("seconds") if r else None
            cells.append(value(r, r and seconds(r) * 1e6) + (f" ({three_digits(predicted * 1e6)})" if predicted else ""))
        both = case.get("separate"), case.get("tessera")
        cells.append(f"{100 * (1 - seconds(both[1]) / seconds(both[0])):.1f} %" if all(both) else "-")
        printed = A100_LAUNCH.get(n) if products == 1000 else None
        cells += [f"{printed[0]}", f"{printed[1]}", f"{printed[2]:.1f} %"] if printed else ["-"] * 3
        rows.append(cells)
    return heading, rows


def stride_table(results):
    cases = in_cases(results, "stride")
    first = cases[min(cases)] if cases else {}
    heading = ["stride", "GB/s", "of stride 1", "model", "masked: GB/s", "of stride 1", "model", "A100, masked: GB/s",
               "of stride 1"]
    rows = []
    for stride in sorted(set(cases) | set(A100_STRIDE)):
        cells = [str(stride)]
        for way in ("bijective", "masked"):
            r, base = cases.get(stride, {}).get(way), first.get(way)
            cells += [value(r, r and r["bytes"] / seconds(r) * 1e-9, "{:.0f}"),
                      value(r, r and seconds(base) / seconds(r), "{:.3f}"),
                      f"{base['predicted']['seconds'] / r['predicted']['seconds']:.3f}" if r else "-"]
        rate = A100_STRIDE.get(stride)
        cells += [f"{rate:.0f}", f"{rate / A100_STRIDE[1]:.3f}"] if rate else ["-"] * 2
        rows.append(cells)
    return heading, rows


def register_table(results):
    cases = {}
    for r in results:
        cases.setdefault(r["case"]["held"], {})[r["case"]["chains"]] = r
    heading = ["held", "registers", "occupancy"] + [f"{n} chain{'s' * (n > 1)}: TFLOP/s, of the peak (model)"
                                                     for n in (1, 4)]
    rows = []
    for held, by_chains in sorted(cases.items()):
        facts = [r["case"] for _, r in sorted(by_chains.items())]
        cells = [str(held), ", ".join(dict.fromkeys(str(f["registers"]) for f in facts)),
                 ", ".join(dict.fromkeys(f"{100 * f['occupancy']:.1f} %" for f in facts))]
        for chains in (1, 4):
            r = by_chains.get(chains)
            model = f" ({100 * r['bound']['seconds'] / r['predicted']['seconds']:.0f} %)" if r else ""
            cells.append(value(r, r and r["flops"] / seconds(r) * 1e-12) +
                         (f", {100 * r['fraction']:.0f} %{model}" if r else ""))
        rows.append(cells)
    for occupancy, rate in A100_REGISTERS.items():
        rows.append(["A100", "-", f"{occupancy:.1f} %", f"{rate:.2f}, {100 * rate / 19.5:.0f} %", "-"])
    return heading, rows


def ways_of(by_way, in_graph):
    """{way: result} of those that are called, or of those in a CUDA graph, without the ending."""
    ending = " graph"
    return {name.removesuffix(ending): r for name, r in by_way.items() if name.endswith(ending) == in_graph}


def fastest_library(ways):
    """The name and result of the fastest of those that are no ways of ours, right and not suspect."""
    found = [(seconds(r), name, r) for name, r in ways.items() if name not in ("tessera", "staged", "direct")
             and not r.get("suspect") and r["error"] <= r["error_bound"]]
    return min(found, key=lambda entry: entry[0])[1:] if found else (None, None)


def two_site_table(results):
    cases = {}
    for r in results:
        cases.setdefault(tuple(r["case"][key] for key in ("dp", "chi", "batch")), {})[r["impl"]] = r
    heading = ["dp", "chi", "B"]
    for where in ("called", "graph"):
        heading += [f"{where}: one call, us (model)", "staged", "direct", "best library, us", "of its time"]
    heading.append("graph: of the bound")
    rows = []
    for case, by_way in sorted(cases.items()):
        cells = [str(number) for number in case]

        def cell(r, with_model=False):
            updates = r["case"]["updates"] if r else 1
            predicted = r.get("predicted") if r and with_model else None
            return value(r, r and seconds(r) / updates * 1e6) + (
                f" ({three_digits(predicted['seconds'] / updates * 1e6)})" if predicted else "")

        for in_graph in (False, True):
            ways = ways_of(by_way, in_graph)
            name, library = fastest_library(ways)
            ours = ways.get("tessera")
            cells += [cell(ours, True), cell(ways.get("staged")), cell(ways.get("direct")),
                      f"{cell(library)}, {name}" if library else "-",
                      value(ours, seconds(ours) / seconds(library), "{:.2f}") if ours and library else "-"]
        graph = by_way.get("tessera graph")
        cells.append(value(graph, 100 * graph["fraction"], "{:.0f} %") if graph else "-")
        if not by_way["tessera"]["case"].get("beyond_cache", True):
            cells[2] += " (in cache)"
        rows.append(cells)
    return heading, rows


TABLES = {"launch": launch_table, "stride": stride_table, "registers": register_table, "two-site": two_site_table}


def lines_of(suite, results, where):
    heading, rows = TABLES[suite](results)
    return [where + ".", "", "| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)] + [
        "| " + " | ".join(row) + " |" for row in rows]


def put_into(document, mark, lines):
    """Replaces what is between the two marks."""
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    try:
        text = document.read_text(encoding="utf-8")
    except OSError as reason:
        fail(f"cannot read {document}: {reason.strerror}")
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        fail(f"{document}: needs the lines '{begin}' and '{end}', once each")
    head, tail = text[:text.index(begin) + len(begin)], text[text.index(end):]
    document.write_text(head + "\n" + "\n".join(lines) + "\n" + tail, encoding="utf-8")


def trusted(results):
    return [r for r in results if not r.get("suspect")]


def draw_launch(axes, results):
    cases = in_cases([r for r in results if r["case"]["m"] == r["case"]["n"] == r["case"]["k"]], "n")
    for way in dict.fromkeys(r["impl"] for r in results):
        points = sorted((n, c[way]) for n, c in cases.items() if way in c)
        if not points:
            continue
        axes.semilogy([n for n, _ in points], [seconds(r) * 1e6 for _, r in points], marker="o", color=COLOURS.get(way),
                      label=NAMES.get(way, way))
        axes.semilogy([n for n, _ in points], [r["predicted"]["seconds"] * 1e6 for _, r in points], linestyle="--",
                      linewidth=1, color=COLOURS.get(way))
    for column, name in enumerate(("A100, separate", "A100, one kernel")):
        axes.semilogy(list(A100_LAUNCH), [times[column] for times in A100_LAUNCH.values()], linestyle=":", marker=".",
                      color=["0.4", "0.7"][column], label=name)
    axes.set_xlabel("n; dashed: model")
    axes.set_ylabel("us")


def draw_stride(axes, results):
    cases = in_cases(results, "stride")
    for way in ("bijective", "masked"):
        points = sorted((stride, c[way]) for stride, c in cases.items() if way in c)
        if not points:
            continue
        of_first, model_of_first = seconds(points[0][1]), points[0][1]["predicted"]["seconds"]
        axes.loglog([s for s, _ in points], [of_first / seconds(r) for _, r in points], base=2, marker="o",
                    color=COLOURS[way], label=way)
        axes.loglog([s for s, _ in points], [model_of_first / r["predicted"]["seconds"] for _, r in points], base=2,
                    linestyle="--", linewidth=1, color=COLOURS[way])
    axes.loglog(list(A100_STRIDE), [rate / A100_STRIDE[1] for rate in A100_STRIDE.values()], base=2, linestyle=":",
                marker=".", color="0.4", label="A100, masked")
    axes.set_xlabel("stride; dashed: model")
    axes.set_ylabel("useful bytes a second, of stride 1")


def draw_registers(axes, results):
    for chains in (1, 4):
        points = sorted((100 * r["case"]["occupancy"], 100 * r["fraction"],
                         100 * r["bound"]["seconds"] / r["predicted"]["seconds"])
                        for r in results if r["case"]["chains"] == chains)
        if not points:
            continue
        axes.plot([p[0] for p in points], [p[1] for p in points], marker="o", color=COLOURS[chains],
                  label=f"{chains} chain{'s' * (chains > 1)}")
        axes.plot([p[0] for p in points], [p[2] for p in points], linestyle="--", linewidth=1, color=COLOURS[chains])
    axes.plot(list(A100_REGISTERS), [100 * rate / 19.5 for rate in A100_REGISTERS.values()], linestyle=":", marker=".",
              color="0.4", label="A100")
    axes.set_xlabel("occupancy, %; dashed: model")
    axes.set_ylabel("% of the peak of multiply-adds in float")
    axes.set_ylim(bottom=0)


DRAWINGS = {"launch": draw_launch, "stride": draw_stride, "registers": draw_registers}


def draw(suite, results, where, file):
    import matplotlib  # only pictures need it

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    kept = trusted(results)
    if not kept:
        print(f"{suite}: nothing to draw")
        return
    figure, axes = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    DRAWINGS[suite](axes, kept)
    left_out = len(results) - len(kept)
    axes.set_title(f"{suite}, {where}" + f" ({left_out} suspect, left out)" * bool(left_out), fontsize=10)
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize=8, frameon=False)
    figure.savefig(file, dpi=150)
    plt.close(figure)
    print(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("--document", type=pathlib.Path, help="put the tables there; else they are printed")
    parser.add_argument("--png", type=pathlib.Path, metavar="FOLDER", help="draw pictures")
    options = parser.parse_args()
    for file in options.files:
        run = Run(file)
        lines = lines_of(run.suite, run.results, run.where)
        if options.document:
            put_into(options.document, run.mark, lines)
        else:
            print("\n".join(lines))
        if options.png and run.suite in DRAWINGS:
            options.png.mkdir(parents=True, exist_ok=True)
            draw(run.suite, run.results, run.where, options.png / f"{run.suite}.png")


if __name__ == "__main__":
    main()
