# SPDX-License-Identifier: BSD-3-Clause
"""The code in pages about Python runs."""

import importlib.util
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
BLOCKS_OF_PAGES = {"python.md": 6, "how_to/operators_in_python.md": 6}
BLOCKS = {
    page: re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S) for page in BLOCKS_OF_PAGES
}
NAMES = {page: {} for page in BLOCKS}  # blocks use those of the blocks before
RUN = {page: set() for page in BLOCKS}


def missing_of(block):
    needed = re.findall(r"tessera_fem\.(numba|torch)\b", block)
    return [name for name in needed if importlib.util.find_spec(name) is None]


def run(page, number):
    """A block, and before it those that have not run yet."""
    for i in range(number + 1):
        block = BLOCKS[page][i]
        if i not in RUN[page] and not missing_of(block):
            exec(compile(block, f"{page}, block {i + 1}", "exec"), NAMES[page])
            RUN[page].add(i)


@pytest.mark.parametrize(
    ("page", "number"), [(page, number) for page, blocks in BLOCKS.items() for number in range(len(blocks))]
)
def test_code_of_the_page_runs(page, number):
    if missing := missing_of(BLOCKS[page][number]):
        pytest.skip(f"no {missing[0]}")
    run(page, number)
    assert number in RUN[page]


@pytest.mark.parametrize("page", BLOCKS)
def test_all_blocks_are_found_and_most_need_numpy_alone(page):
    assert len(BLOCKS[page]) == BLOCKS_OF_PAGES[page]
    assert sum("tessera_fem.numba" in block or "tessera_fem.torch" in block for block in BLOCKS[page]) <= 2
