# SPDX-License-Identifier: BSD-3-Clause
# Lint: every source file is named in a CMakeLists.txt at or above it, since nothing is globbed.
import tree

SOURCES = {".cpp", ".cu", ".c", ".f90"}


def is_listed(path, top):
    folder = path.parent
    while True:
        listing = folder / "CMakeLists.txt"
        if listing.exists() and path.name in listing.read_text(encoding="utf-8"):
            return True
        if folder == top:
            return False
        folder = folder.parent


found, count = [], 0
for path, name in tree.files(SOURCES):
    count += 1
    if not is_listed(path, tree.root()):
        found.append(f"{name}: not in any CMakeLists.txt above it, so nothing builds it")
tree.finish(found, count)
