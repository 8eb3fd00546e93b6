# SPDX-License-Identifier: BSD-3-Clause
"""The notebooks of examples/notebooks run in a Jupyter kernel; they are kept as they ran in the folder of the build."""

import os
import pathlib
import sys

import pytest

jupytext = pytest.importorskip("jupytext")
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("matplotlib")

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda f: f.stem)
def test_notebook_runs_and_draws(file, tmp_path):
    notebook = jupytext.read(file)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    assert notebook.cells[0].source == "\n".join(file.read_text().split("\n")[:2])  # who may use it, and what it is
    assert notebook.cells[1].cell_type == "markdown" and notebook.cells[1].source.startswith("# ")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    code[0].source = "%matplotlib inline\n" + code[0].source
    client = nbclient.NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in code for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    kept = pathlib.Path(os.environ.get("TESSERA_NOTEBOOKS", tmp_path))
    nbformat.write(notebook, kept / (file.stem + ".ipynb"))
    assert (kept / (file.stem + ".ipynb")).stat().st_size > 1000
    assert sys.modules.get("tessera_fem") is None  # it ran in a process of its own
