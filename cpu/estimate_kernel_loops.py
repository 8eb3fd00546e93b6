# SPDX-License-Identifier: BSD-3-Clause
# Cycles of kernel loops for 64-bit ARM, by llvm-mca's model of a core: estimate_kernel_loops.py BUILD LLVM_MCA ISA CORE...
# [FLAG...]. BUILD is a cross build with that instruction set; flags are added to the compiler's.
#
# A loop is run a hundred times, with all data in L1. Its peak is that of a loop of multiply-adds alone. What a load
# waits for an earlier store of the same address, so most of the cost of a spill, is not in the model.
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import lint_kernel_loops as loops

SIZES = (5, 8)  # squares
STRIPS = ((1, 8), (2, 8), (3, 5), (3, 8), (3, 9))  # vectors and columns
SOURCE = """#include <tessera/cpu/detail/isa_{isa}.hpp>
#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/cpu/detail/specialised.hpp>
#include <tessera/cpu/detail/strip.hpp>
#include <tessera/detail/records.hpp>
namespace tessera {{
namespace {{
struct here;
template <class T, int n>
constexpr problem_function<T> row =
    &simd::specialised_gemm<simd::{isa}<here>, T, n, n, n, cpu_tuning_for(target::{isa}, scalar_of<T>, n, n, n)>;
template <class T, int v, int c>
constexpr simd::strip_function<T> panel =
    &simd::detail::run_strip<simd::{isa}<here>, T, v, false, c, simd::strip_right::panel>;
}}
problem_function<double> doubles[] = {{{doubles}}};
problem_function<float> floats[] = {{{floats}}};
simd::strip_function<double> double_strips[] = {{{double_strips}}};
simd::strip_function<float> float_strips[] = {{{float_strips}}};
}}
"""


def source(isa):
    def rows(scalar):
        return ", ".join(f"row<{scalar}, {n}>" for n in SIZES)

    def strips(scalar):
        return ", ".join(f"panel<{scalar}, {v}, {c}>" for v, c in STRIPS)

    return SOURCE.format(isa=isa, doubles=rows("double"), floats=rows("float"), double_strips=strips("double"),
                         float_strips=strips("float"))


def command_of(build, isa):
    """The compiler's command for kernels of products, without its files."""
    entries = json.loads((build / "compile_commands.json").read_text())
    entry = next(e for e in entries if re.search(rf"rows_{isa}_f64_0\.cpp$", e["file"]))
    words = [w for w in shlex.split(entry["command"]) if not w.endswith("ccache")]
    return words[:words.index("-o")], entry["directory"]


def shortest_path(blocks, after, inside, head):
    """Through a loop, with the fewest instructions: alpha = 1 and beta = 0."""
    best = {head: (len(blocks[head]), [head])}
    waiting = [head]
    ends = []
    while waiting:
        block = waiting.pop()
        length, path = best[block]
        for to in after[block]:
            if to == head:
                ends.append((length, path))
            elif to in inside and (to not in best or length + len(blocks[to]) < best[to][0]):
                best[to] = (length + len(blocks[to]), path + [to])
                waiting.append(to)
    return [i for block in min(ends)[1] for i in blocks[block]]


def text_of(instructions):
    lines = ["again:"]
    for i in instructions:
        operands = i.operands
        if i.target is not None:
            operands = loops.TARGET.sub(lambda m: m.group(0).replace(m.group(1), "again"), operands + " <")
            operands = re.sub(r" <.*", "", operands)
        lines.append(f"\t{i.name}\t{re.sub(r' <.*', '', operands)}")
    return "\n".join(lines) + "\n"


def cycles(mca, core, text):
    """Of an iteration."""
    said = subprocess.run([mca, "-mtriple=aarch64", f"-mcpu={core}", "-mattr=+sve", "-iterations=100"], input=text,
                          capture_output=True, text=True, check=True).stdout
    return int(re.search(r"Total Cycles: +(\d+)", said).group(1)) / 100


def peak(mca, core, isa, element):
    """Multiply-adds a cycle."""
    def one(to):
        return f"z{to}.{element}, p0/m, z30.{element}, z31.{element}" if isa.startswith("sve") else (
            f"v{to}.{'2d' if element == 'd' else '4s'}, v30.{'2d' if element == 'd' else '4s'}, "
            f"v31.{'2d' if element == 'd' else '4s'}")

    return 28 / cycles(mca, core, "".join(f"\tfmla\t{one(to)}\n" for to in range(28)))


def is_vector_product(i):
    return i.is_fused() or i.is_("fmul")


def hot_path(body):
    """Of all innermost loops the one with the most products."""
    blocks, after = loops.blocks_of(body)
    paths = []
    for inside in loops.innermost_block_sets(body):
        entered = {to for block, to_all in enumerate(after) if block not in inside for to in to_all}
        paths.append(shortest_path(blocks, after, inside, min(entered & inside)))
    return max(paths, key=lambda path: sum(is_vector_product(i) for i in path))


def main():
    build, mca, isa = pathlib.Path(sys.argv[1]), *sys.argv[2:4]
    cores, flags = [a for a in sys.argv[4:] if a[0] != "-"], [a for a in sys.argv[4:] if a[0] == "-"]
    command, directory = command_of(build, isa)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernels.cpp"
        path.write_text(source(isa))
        made = str(path.with_suffix(".o"))
        subprocess.run([*command, *flags, "-o", made, "-c", str(path)], cwd=directory, check=True)
        functions = list(loops.functions(re.sub(r"g\+\+(-[0-9]+)?$", "objdump", command[0]), made))
    print("cycles, and the fraction of the peak\n")
    print("| loop | instructions | vector products, of all | stack | " + " | ".join(cores) + " |\n|" + "---|" * (4 + len(cores)))
    for name, body in sorted(functions):
        match = re.search(r"(run_strip|specialised_gemm)<.*?>, (double|float), (\d+)(?:ll)?, (\w+), (\d+)", name)
        if not match:
            continue
        kind, scalar, first, _, second = match.groups()
        hot = hot_path(body)
        products = sum(is_vector_product(i) for i in hot)
        row = [f"strip of {first} vectors by {second} columns" if kind == "run_strip" else f"row {first}x{first}x{first}"]
        row[0] += f", {scalar}"
        size, lanes = int(first), (int(isa[3:]) if isa.startswith("sve") else 128) // (64 if scalar == "double" else 32)
        whole = products if kind == "run_strip" else -(-size // lanes) * size * size
        row += [str(len(hot)), f"{products} of {whole}", str(sum(i.spills() for i in hot))]
        for core in cores:
            took = cycles(mca, core, text_of(hot))
            row.append(f"{took:.1f}, {products / took / peak(mca, core, isa, 'd' if scalar == 'double' else 's'):.2f}")
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
