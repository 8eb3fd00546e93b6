# SPDX-License-Identifier: BSD-3-Clause
# Lint: small files with telling names: at most 400 lines, nothing called utils, common, misc or helpers.
import re

import tree

LONGEST = 400
EMPTY_NAMES = re.compile(r"(^|[/_.])(utils?|commons?|misc|helpers?)([/_.]|$)")

found, count = [], 0
for path, name in tree.files(tree.CODE | tree.SCRIPTS):
    count += 1
    text = tree.lines(path)
    if len(text) > LONGEST:
        found.append(f"{name}: {len(text)} lines, at most {LONGEST} are allowed")
    if EMPTY_NAMES.search(name):
        found.append(f"{name}: a file or folder is named after what it holds")
tree.finish(found, count)
