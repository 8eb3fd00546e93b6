# SPDX-License-Identifier: BSD-3-Clause
"""Finds the best kernels for this machine: python -m tessera_fem.tune --help.

It runs tessera-tune, which comes with the package. What it finds is in a record, a JSON file; a later process uses it
if the environment has TESSERA_RECORDS=FILE. On a GPU every size is compiled for its record when it is needed; on a CPU a
record chooses among the kernels that were compiled with the package.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any


def program() -> str:
    """The path of tessera-tune, or an error that says where it was searched for."""
    here = pathlib.Path(__file__).parent
    places = [here / "tools" / "bin" / "tessera-tune", here.parent.parent / "bin" / "tessera-tune"]
    for place in places:
        if os.access(place, os.X_OK):
            return str(place)
    raise FileNotFoundError(
        "tessera-tune is not in this build of tessera_fem: " + " and ".join(map(str, places)) + " do not exist"
    )


def run(*arguments: object) -> int:
    """Runs tessera-tune with these arguments, as on a command line; its output goes where Python's does.

    Returns its exit status: 0 if all cases were measured. An interrupt ends it; started again, it goes on.

    Examples
    --------
    >>> from tessera_fem import tune
    >>> tune.run("--target", "cuda", "--family", "element", "--budget", "10m")  # doctest: +SKIP
    0
    """
    return subprocess.run([program(), *map(str, arguments)], check=False).returncode


def read(file: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The cases of a record as a list of flat dictionaries: pandas.DataFrame(tune.read("record.json")).

    The facts of the whole record (device, target, compiler) are in each; a tuning's parameters begin with "tuning." or
    "tile.".
    """
    with open(file, encoding="utf-8") as text:
        record = json.load(text)
    if not isinstance(record, dict) or "records" not in record:
        raise ValueError(f"{file} is not a record of tessera-tune: it has no \"records\"")
    facts = {name: record.get(name) for name in ("device", "target", "compiler", "tessera")}
    return [{**facts, **_flat(case)} for case in record["records"]]


def _flat(case: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in case.items():
        if isinstance(value, dict):
            flat.update(_flat(value, prefix + name + "."))
        else:
            flat[prefix + name] = value
    return flat


def main() -> int:
    """The command."""
    try:
        return run(*sys.argv[1:])
    except FileNotFoundError as error:
        print(f"tessera_fem.tune: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
