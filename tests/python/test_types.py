# SPDX-License-Identifier: BSD-3-Clause
"""The package's types: every signature says what it takes and gives, and mypy understands them."""

import ast
import doctest
import importlib
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import tessera_fem as tf
from tessera_fem import _core

PACKAGE = pathlib.Path(tf.__file__).parent
STUB = PACKAGE / "_core.pyi"
SAMPLE = pathlib.Path(__file__).parent / "typed_sample.py"


def functions_of_stub():
    """Of every public function and method: (name, [each overload])."""
    found = {}

    def take(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                take(node.body, node.name + ".")
            elif isinstance(node, ast.FunctionDef) and not re.fullmatch("_[a-z]\\w*", node.name):
                found.setdefault(prefix + node.name, []).append(node)

    take(ast.parse(STUB.read_text()).body, "")
    return found


FUNCTIONS = functions_of_stub()


def parameters(node):
    """All but self, in order."""
    a = node.args
    named = a.posonlyargs + a.args + ([a.vararg] if a.vararg else []) + a.kwonlyargs + ([a.kwarg] if a.kwarg else [])
    return [p for p in named if p.arg not in ("self", "cls")]


def test_every_public_name_is_in_the_stub():
    names = {name.split(".")[0] for name in FUNCTIONS} | set(re.findall(r"^class (\w+)", STUB.read_text(), re.M))
    compiled = [n for n in tf.__all__ if not n.startswith("__") and hasattr(_core, n)]
    assert len(compiled) > 15
    assert set(compiled) <= names


@pytest.mark.parametrize("name", FUNCTIONS)
def test_types_are_named(name):
    for node in FUNCTIONS[name]:
        for p in parameters(node):
            assert p.annotation is not None, p.arg
            assert ast.unparse(p.annotation) not in ("object", "object | None"), p.arg
        assert node.args.kwarg is None
        assert node.returns is not None
        assert ast.unparse(node.returns) not in ("object", "tuple", "dict", "list")


def signatures():
    """Of what is overloaded in the stub: (name, signature of the module)."""
    for name, nodes in FUNCTIONS.items():
        if len(nodes) > 1:
            of = _core
            for part in name.split("."):
                of = getattr(of, part)
            yield name, of.__nb_signature__[0][0]


@pytest.mark.parametrize("name, signature", list(signatures()))
def test_overloads_take_what_the_function_takes(name, signature):
    known = [p.arg for p in parameters(ast.parse(signature + ": ...").body[0])]
    for node in FUNCTIONS[name]:
        assert [p.arg for p in parameters(node) if p.arg != "first"] == known


@pytest.mark.parametrize("name", [n for n in tf.__all__ if "Parameters\n" in (getattr(tf, n).__doc__ or "")])
def test_documented_parameters_are_in_the_signature(name):
    text = inspect.cleandoc(getattr(tf, name).__doc__)
    section = re.split(r"\n\w+\n---+\n", text.split("Parameters\n----------\n")[1])[0]
    lines = re.findall(r"^(\S.*)$", section, re.M)
    documented = [n.strip(" *") for line in lines for n in line.split(" : ")[0].split(",")]
    assert documented
    if hasattr(_core, name):
        nodes = FUNCTIONS[name] if name in FUNCTIONS else FUNCTIONS[name + ".__init__"]
        given = {p.arg for node in nodes for p in parameters(node)}
    else:
        given = set(inspect.signature(getattr(tf, name)).parameters)
    assert set(documented) <= given
    if hasattr(_core, name):
        assert given - {"first"} <= set(documented)


@pytest.mark.parametrize("module", ["", ".annotations", ".box", ".point_block", ".tune", ".numba", ".torch"])
def test_functions_of_python_have_types(module):
    if module in (".numba", ".torch"):
        pytest.importorskip(module[1:])
    of = importlib.import_module("tessera_fem" + module)
    for name in dir(of):
        value = getattr(of, name)
        if inspect.isfunction(value) and value.__module__.startswith("tessera_fem") and not name.startswith("_"):
            signature = inspect.signature(value)
            assert signature.return_annotation is not inspect.Signature.empty, name
            assert all(p.annotation is not inspect.Parameter.empty for p in signature.parameters.values()), name


def test_examples_of_annotations():
    result = doctest.testmod(importlib.import_module("tessera_fem.annotations"))
    assert result.attempted > 0 and result.failed == 0


def mypy(tmp_path, *arguments):
    pytest.importorskip("mypy")
    # numba's own types do not describe what compiled functions may call; PyTorch's are of each version.
    settings = tmp_path / "mypy.ini"
    settings.write_text(
        "[mypy]\nstrict = true\nignore_missing_imports = true\n[mypy-numba.*,torch.*]\nfollow_imports = skip\n")
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--cache-dir", str(tmp_path)]
    result = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, cwd=PACKAGE.parent)
    return result.returncode, result.stdout + result.stderr


def test_mypy_understands_calls(tmp_path):
    status, text = mypy(tmp_path, "--follow-imports", "silent", SAMPLE)
    assert status == 0, text


def test_mypy_finds_no_fault_in_the_package(tmp_path):
    status, text = mypy(tmp_path, "--allow-subclassing-any", "--allow-untyped-decorators", "-p", "tessera_fem")
    assert status == 0, text
