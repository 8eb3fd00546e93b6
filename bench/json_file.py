# SPDX-License-Identifier: BSD-3-Clause
# Reads a file of tessera-bench or of a script beside this one.
import json
import pathlib


def read(file, fail):
    """The object in the file; fail(message), which ends the script, where there is none."""
    try:
        content = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    except OSError as reason:
        fail(f"cannot read {file}: {reason.strerror}")
    except ValueError as reason:
        fail(f"{file} is no JSON: {reason}")
    if not isinstance(content, dict):
        fail(f"{file} holds no JSON object")
    return content
