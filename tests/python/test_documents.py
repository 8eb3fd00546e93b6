# SPDX-License-Identifier: BSD-3-Clause
"""The code in docs/python.md runs."""

import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_code_of_the_page_runs():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(blocks) >= 3
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
