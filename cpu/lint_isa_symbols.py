# SPDX-License-Identifier: BSD-3-Clause
# Lint: no ISA object exports code that the linker could use in another translation unit: lint_isa_symbols.py NM
# OBJECT...
import re
import subprocess
import sys

ISA_OBJECT = re.compile(r"(?:rows|kernels|cholesky|hydro)_([a-z0-9_]+?)_(f32|f64)(?:_[0-9]+)?\.cpp")


def shared_symbols(nm, path):
    """Weak and unique symbols: those of which the linker keeps one copy among all objects. DW.ref. is no code but the
    address of the run-time library's routine for exceptions."""
    listing = subprocess.run([nm, "-C", path], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        match = re.match(r"^[0-9a-f]*\s+([A-Za-z])\s+(.*)$", line)
        if match and match.group(1) in "WVu" and not match.group(2).startswith("DW.ref."):
            yield match.group(2)


def main():
    nm, objects = sys.argv[1], [o for o in sys.argv[2:] if ISA_OBJECT.search(o)]
    found = []
    for path in objects:
        isa = ISA_OBJECT.search(path).group(1)
        # Symbols with the name of the set: the kernels' own tags, and SIMD types of that instruction set only.
        found += [f"{path.rsplit('/', 1)[-1]}: {name}" for name in shared_symbols(nm, path) if isa not in name]
    for line in found:
        print(f"not the ISA's own: {line}")
    print(f"{len(objects)} ISA objects, {len(found)} faults")
    return 1 if found or not objects else 0


sys.exit(main())
