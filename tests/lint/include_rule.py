# SPDX-License-Identifier: BSD-3-Clause
# Lint: who may include whom: core <- include <- {cpu, gpu} <- src; everything else sees include, fem and the headers of
# cpu and gpu that users include. Headers in quotes are the component's own, but for the measuring code of the
# benchmarks, which the tuner and the demo share, and for src's, which the backends in element/ and hydro/ of cpu and gpu
# implement.
import pathlib
import re

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

# The doors of cpu/ and gpu/ that users include.
DOORS = {"cpu/contract.hpp", "cpu/element/own_function.hpp", "gpu/contract.cuh", "gpu/device.cuh", "gpu/thrust.hpp"}

# Component of a file -> components whose headers it may include.
ALLOWED = {
    "core": {"core"},
    "include": {"core", "include"},
    "cpu": {"core", "include", "cpu", "door"},
    "gpu": {"core", "include", "gpu", "door"},
    "src": {"core", "include", "cpu", "gpu", "door"},
    "fem": {"core", "include", "fem", "door"},
    "bench": {"core", "include", "fem", "door", "bench"},
    "examples": {"core", "include", "fem", "door", "examples"},
    "autotune": {"core", "include", "fem", "door", "autotune"},
    "python": {"core", "include", "fem", "door", "python"},
}

# Single headers beside these: fem shares elements among threads, and python asks which GPU is current.
ALSO = {"fem": {"tessera/cpu/detail/parallel.hpp"}, "python": {"tessera/gpu/detail/runtime.hpp"}}


# What others may take of bench, and all that measuring code takes itself.
MEASURING = "measure/"
SHARED = {"autotune": (MEASURING, "definition/", "tccg_rows.hpp"), "examples": (MEASURING,), "python": (MEASURING,)}


def quoted_fault(component, name, header):
    """What is wrong with #include "header" in the file `name`; None where nothing is, or the build writes the header."""
    if name.startswith("bench/" + MEASURING):
        return None if header.startswith(MEASURING) else "measuring code includes measuring code only, not"
    top = header.split("/")[0]
    if top in ALLOWED and (tree.root() / header).exists():  # from the root of the tree
        backend = top == "src" and name.startswith(("cpu/element/", "gpu/element/", "cpu/hydro/", "gpu/hydro/"))
        return None if top == component or backend else f"{component} must not include, of {top},"
    folder = pathlib.PurePosixPath(name).parent
    if any((tree.root() / place / header).exists() for place in (folder, component)):
        return None
    owners = [top for top in sorted(ALLOWED) if (tree.root() / top / header).exists()]
    if not owners or (owners == ["bench"] and header.startswith(SHARED.get(component, ()))):
        return None
    return f"{component} must not include, of {owners[0]},"


def owner(name):
    """The component that a source file belongs to; None: free to include anything (tests)."""
    if name.startswith("include/tessera/core/"):
        return "core"
    top = name.split("/")[0]
    return top if top in ALLOWED else None


def included(header):
    """The component of a header <tessera/...>."""
    rest = header[len("tessera/"):]
    if rest in DOORS:
        return "door"
    top = rest.split("/")[0] if "/" in rest else "include"
    return top if top in ALLOWED else "include"


# What shows users how the library is used includes only what they may: no internals.
SHOWN = ("examples/", "tests/consumers/", "tests/listings/")

found, count = [], 0
for path, name in tree.files(tree.CODE):
    component = owner(name)
    if name.startswith(SHOWN):
        count += component is None
        for number, line in enumerate(tree.lines(path), 1):
            match = INCLUDE.match(line)
            if match and match[2].startswith("tessera/") and "/detail/" in match[2]:
                found.append(f"{name}:{number}: <{match[2]}> is internal, not for users")
    if component is None:
        continue
    count += 1
    for number, line in enumerate(tree.lines(path), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        mark, header = match.groups()
        if header.startswith("tessera/"):
            # The umbrella header and the doors themselves join components; nothing else in include/ does.
            umbrella = name == "include/tessera/tessera.hpp" and included(header) == "door"
            wrong_side = {"cpu": "gpu/", "gpu": "cpu/"}.get(component)
            crossing = wrong_side is not None and header.startswith("tessera/" + wrong_side)
            allowed = included(header) in ALLOWED[component] or header in ALSO.get(component, ())
            if crossing or not (allowed or umbrella):
                found.append(f"{name}:{number}: {component} must not include <{header}>")
        elif component == "core":
            found.append(f"{name}:{number}: core includes nothing but core, not {header}")
        elif mark == '"':
            fault = quoted_fault(component, name, header)
            if fault:
                found.append(f'{name}:{number}: {fault} "{header}"')
tree.finish(found, count)
