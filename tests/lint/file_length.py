# SPDX-License-Identifier: BSD-3-Clause
# Lint: small files with telling names: at most 400 lines of 120 columns, nothing called utils, common, misc or helpers.
import re

import tree

LONGEST, WIDEST = 400, 120
EMPTY_NAMES = re.compile(r"(^|[/_.])(utils?|commons?|misc|helpers?)([/_.]|$)")

found, count = [], 0
for path, name in tree.files(tree.CODE | tree.SCRIPTS):
    count += 1
    text = tree.lines(path)
    if len(text) > LONGEST:
        found.append(f"{name}: {len(text)} lines, at most {LONGEST} are allowed")
    for number, line in enumerate(text, 1):
        if len(line) > WIDEST:
            found.append(f"{name}:{number}: {len(line)} columns, at most {WIDEST} are allowed")
    if EMPTY_NAMES.search(name):
        found.append(f"{name}: a file or folder is named after what it holds")
tree.finish(found, count)
