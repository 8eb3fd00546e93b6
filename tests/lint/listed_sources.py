# SPDX-License-Identifier: BSD-3-Clause
# Lint: every source file is named in a CMakeLists.txt near or above it, or in a script of cmake/, since nothing is
# globbed.
import re

import tree

SOURCES = {".cpp", ".cu", ".c", ".f90", ".F90"}
TOKEN = re.compile(r"[\w.${}/+-]+\.(?:cpp|cu|c|[fF]90)\b")
COMMENT = re.compile(r"#.*")


def named_in(listing):
    """Patterns of the file names in a CMakeLists.txt; a variable reference stands for anything."""
    tokens = TOKEN.findall(COMMENT.sub("", listing.read_text(encoding="utf-8")))
    return [re.sub(r"\\\$\\\{\w+\\\}", r"\\w+", re.escape(token.split("/")[-1])) for token in tokens]


def is_listed(path, top, listings):
    """Listed by a folder above, or by a direct subfolder."""
    above = [folder for folder in path.parents if folder == top or top in folder.parents]
    return any(re.fullmatch(pattern, path.name)
               for folder, patterns in listings.items() if folder in above or folder.parent == path.parent
               for pattern in patterns)


listings = {path.parent: named_in(path) for path, _ in tree.files({".txt"}) if path.name == "CMakeLists.txt"}
scripts = [pattern for path, name in tree.files({".cmake"}) if name.startswith("cmake/") for pattern in named_in(path)]
listings.setdefault(tree.root(), []).extend(scripts)
found, count = [], 0
for path, name in tree.files(SOURCES):
    count += 1
    if not is_listed(path, tree.root(), listings):
        found.append(f"{name}: not in any CMakeLists.txt above it, so nothing builds it")
tree.finish(found, count)
