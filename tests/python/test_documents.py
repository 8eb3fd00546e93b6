# SPDX-License-Identifier: BSD-3-Clause
"""The code in pages about Python runs."""

import importlib.util
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["python.md", "how_to/operators_in_python.md"])
def test_code_of_the_page_runs(page):
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S)
    assert len(blocks) >= 3
    names = {}
    for block in blocks:
        needed = re.findall(r"tessera_fem\.(numba|torch) ?", block)
        if all(importlib.util.find_spec(name) for name in needed):
            exec(compile(block, page, "exec"), names)
