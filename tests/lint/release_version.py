# SPDX-License-Identifier: BSD-3-Clause
# Lint: documents, the project that finds a package, the Spack recipe and the changelog name the version of the headers.
import re

import tree

HEADER = "include/tessera/version.hpp"
MINOR = re.compile(r"find_package\(tessera (\d+\.\d+)|libtessera\.so\.(\d+\.\d+)")  # the interface's
# The text that each of these has to have, with the version in it.
NAMING = {"CHANGELOG.md": r"^## (Unreleased \()?{}\b", "packaging/spack/packages/tessera/package.py": r'version\("{}"'}

header = tree.lines(tree.root() / HEADER)
numbers = [next(line.split()[-1].rstrip(";") for line in header if f"version_{part} =" in line)
           for part in ("major", "minor", "patch")]
version, minor = ".".join(numbers), ".".join(numbers[:2])

found, count = [], 0
for path, name in tree.files({".md", ".txt", ".py"}):
    if name.startswith(("docs/decisions/", "tests/lint/")):
        continue  # what was so when it was written, and examples
    count += 1
    lines = tree.lines(path)
    if name in NAMING and not any(re.search(NAMING[name].format(re.escape(version)), line) for line in lines):
        found.append(f"{name}: does not name {version}, the version in {HEADER}")
    found += [f"{name}:{number}: {match[0]}, but {HEADER} has {minor}" for number, line in enumerate(lines, 1)
              for match in MINOR.finditer(line) if minor not in match.groups() and name != "CHANGELOG.md"]
tree.finish(found, count)
