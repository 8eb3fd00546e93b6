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


names = [name for _, name in tree.files({".hpp", ".h"}) if any(name.startswith(folder + "/") for folder in FOLDERS)]
with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
    results = list(pool.map(compile_alone, names))
tree.finish([result for result in results if result], len(names))
