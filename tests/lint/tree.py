# SPDX-License-Identifier: BSD-3-Clause
# The files of the source tree that the lints look at, and how a lint reports.
import os
import pathlib
import sys

SKIPPED_FOLDERS = {"build", "install", "__pycache__"}  # and every hidden one but .ci
CODE = {".hpp", ".h", ".cuh", ".cpp", ".c", ".cu", ".f90", ".F90"}
SCRIPTS = {".py", ".sh", ".cmake"}


def root():
    """The tree to look at: the first argument."""
    return pathlib.Path(sys.argv[1]).resolve()


def files(suffixes=None):
    """(path, path relative to the root as text) of every file with one of the suffixes, in a fixed order."""
    top = root()
    for folder, subfolders, names in os.walk(top):
        subfolders[:] = sorted(name for name in subfolders
                               if name not in SKIPPED_FOLDERS and (name == ".ci" or not name.startswith(".")))
        for name in sorted(names):
            path = pathlib.Path(folder) / name
            if suffixes is None or path.suffix in suffixes:
                yield path, path.relative_to(top).as_posix()


def lines(path):
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def finish(faults, checked):
    """Prints the faults and exits, non-zero where there are any."""
    for fault in faults:
        print(fault)
    print(f"{checked} files checked, {len(faults)} faults")
    sys.exit(1 if faults or checked == 0 else 0)
