# SPDX-License-Identifier: BSD-3-Clause
# Lint: every public header compiles alone: headers_alone.py ROOT PART COMPILER [FLAG...], PART being core or public.
import concurrent.futures
import os
import subprocess
import sys

import tree

part, compiler, flags = sys.argv[2], sys.argv[3], sys.argv[4:]
FOLDERS = {"core": ["include/tessera/core"], "public": ["include", "cpu/include", "gpu/include", "fem/include"]}[part]


def compile_alone(name):
    header = name.split("include/", 1)[1]
    source = f"#include <{header}>\n#include <{header}>\nint main() {{}}\n"
    language = "c" if header.endswith(".h") else "c++"
    standard = ["-std=c11"] if language == "c" else ["-std=c++20"]
    command = [compiler, "-x", language, *standard, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags, "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    return None if result.returncode == 0 else f"{name}: does not compile alone\n{result.stderr[:1500]}"


def is_readable(path):
    """Not so where the header needs the CUDA toolkit's Thrust and the flags do not say where that is."""
    return "<thrust/" not in path.read_text(encoding="utf-8") or any("cccl" in flag for flag in flags)


names = [name for path, name in tree.files({".hpp", ".h"})
         if any(name.startswith(folder + "/") for folder in FOLDERS) and is_readable(path)]
with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
    results = list(pool.map(compile_alone, names))
tree.finish([result for result in results if result], len(names))
