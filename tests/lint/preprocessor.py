# SPDX-License-Identifier: BSD-3-Clause
# Lint: almost no preprocessor: at most 3 conditionals per 1000 lines of C++ and CUDA.
import re

import tree

CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b")
BUDGET = 3  # per 1000 lines

where, total, count = [], 0, 0
for path, name in tree.files(tree.CODE):
    count += 1
    text = tree.lines(path)
    total += len(text)
    where += [f"{name}:{number}: {line.strip()}" for number, line in enumerate(text, 1) if CONDITIONAL.match(line)]
print(f"{len(where)} conditionals in {total} lines")
tree.finish(where if 1000 * len(where) > BUDGET * total else [], count)
