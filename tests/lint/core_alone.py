# SPDX-License-Identifier: BSD-3-Clause
# Lint: every header of the core compiles alone, by a compiler that does not build the rest: core_alone.py ROOT COMPILER
# [FLAG...].
import concurrent.futures
import os
import subprocess
import sys

import tree

compiler, flags = sys.argv[2], sys.argv[3:]


def compile_alone(name):
    header = name.split("include/", 1)[1]
    source = f"#include <{header}>\n#include <{header}>\nint main() {{}}\n"
    command = [compiler, "-x", "c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags, "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    return None if result.returncode == 0 else f"{name}: does not compile alone\n{result.stderr[:1500]}"


names = [name for _, name in tree.files({".hpp"}) if name.startswith("include/tessera/core/")]
with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
    results = list(pool.map(compile_alone, names))
tree.finish([result for result in results if result], len(names))
