# SPDX-License-Identifier: BSD-3-Clause
"""A user's functions at points: compiled C by ctypes and by its address, and functions of Python."""

import ctypes
import doctest
import shutil
import subprocess
import threading
from types import SimpleNamespace

import numpy as np
import pytest
import reference
import tessera_fem as tf
import tessera_fem.point_block
from tessera_fem.point_block import POINT_FUNCTION, PointBlock

SOURCE = """
#include <stdint.h>
typedef struct {
  int64_t count;
  const void *value, *gradient, *D;
  void *value_out, *gradient_out;
} block;
void cubes(const block* b, void* context) {
  const double factor = context ? *(const double*)context : 1;
  for (int64_t n = 0; n < b->count; ++n) {
    const double u = ((const double*)b->value)[n];
    ((double*)b->value_out)[n] = factor * ((const double*)b->D)[n] * u * u * u;
  }
}
void cubes_of_floats(const block* b, void* context) {
  for (int64_t n = 0; n < b->count; ++n) {
    const float u = ((const float*)b->value)[n];
    ((float*)b->value_out)[n] = ((const float*)b->D)[n] * u * u * u;
  }
}
/* grad v = D grad u of 2 directions, D symmetric */
void diffusion(const block* b, void* context) {
  const double *g = b->gradient, *D = b->D;
  double* out = b->gradient_out;
  const int64_t n = b->count;
  for (int64_t k = 0; k < n; ++k) {
    out[k] = D[k] * g[k] + D[k + n] * g[k + n];
    out[k + n] = D[k + n] * g[k] + D[k + 2 * n] * g[k + n];
  }
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no compiler of C")
    folder = tmp_path_factory.mktemp("functions")
    (folder / "functions.c").write_text(SOURCE)
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", folder / "functions.c", "-o", folder / "functions.so"], check=True
    )
    return ctypes.CDLL(str(folder / "functions.so"))


def nodes():
    return tf.box_nodes([3, 2], 1, reference.bent)


def cubed(u, D):
    """B^T D (B u)^3 by numpy, order 2 and 4 points."""
    values, _ = reference.tables(2, 2, reference.gauss_rule(4)[0])
    return np.einsum("kn,ek,ek->en", values, D, np.einsum("kn,en->ek", values, u) ** 3)


def test_compiled_functions(library):
    D = tf.ElementPoints(nodes(), order=2).weights()
    x = np.random.default_rng(1).standard_normal((6, 9))
    address = ctypes.cast(library.cubes, ctypes.c_void_p).value

    class Compiled:  # as numba's cfunc
        def __init__(self):
            self.address = address

    for function in [library.cubes, address, Compiled(), ctypes.cast(library.cubes, POINT_FUNCTION)]:
        op = tf.ElementOperator(function=tf.PointFunction(function, dim=2, name="cubes"), D=D, order=2)
        np.testing.assert_allclose(op(x), cubed(x, D), rtol=0, atol=1e-13)
        assert "cubes" in op.describe()
    D32 = D.astype("float32")
    single = tf.ElementOperator(function=tf.PointFunction(library.cubes_of_floats, dim=2), D=D32, order=2)
    np.testing.assert_allclose(single(x.astype("float32")), cubed(x, D), rtol=0, atol=1e-5)


def test_types(library):
    double = tf.PointFunction(library.cubes, dim=2, dtype="float64", name="cubes")
    single = tf.PointFunction(library.cubes_of_floats, dim=2, dtype="float32")
    assert double.describe().endswith("1 number a point, float64")
    assert "float" not in tf.PointFunction(1, dim=2).describe()
    unknowns = tf.Restriction.box([3, 2], order=2)
    for function, dtype, other in [(double, "float64", "float32"), (single, "float32", "float64")]:
        D = np.ones((6, 16), dtype)
        x = np.ones((6, 9), dtype)
        np.testing.assert_allclose(tf.ElementOperator(function=function, D=D, order=2)(x), cubed(x, D), atol=1e-5)
        text = f"is for {dtype}, and the operator has numbers of {other}"
        with pytest.raises(ValueError, match=text):
            tf.ElementOperator(function=function, D=D.astype(other), order=2)
        with pytest.raises(ValueError, match=text):
            tf.ElementOperator(function=function, elements=6, dtype=other, order=2)
        with pytest.raises(ValueError, match=text):
            tf.GlobalOperator(unknowns=unknowns, function=function, D=D.astype(other), order=2)


def test_context_and_data(library):
    D = tf.ElementPoints(nodes(), order=2).weights()
    factor = ctypes.c_double(3)
    function = tf.PointFunction(library.cubes, dim=2, context=ctypes.addressof(factor))
    op = tf.ElementOperator(function=function, D=D, order=2)
    x = np.ones((6, 9))
    np.testing.assert_allclose(op(x), 3 * cubed(x, D), rtol=0, atol=1e-13)
    factor.value = 5
    op.set_data(2 * D)
    np.testing.assert_allclose(op(x), 10 * cubed(x, D), rtol=0, atol=1e-13)
    assert (op.points, op.factors) == (16, 1)


def test_a_built_in_operator_by_hand(library):
    built_in = tf.ElementOperator("diffusion", nodes(), order=2, components=2)
    function = tf.PointFunction(library.diffusion, dim=2, takes="gradient", gives="gradient", factors=3)
    op = tf.ElementOperator(function=function, D=built_in.data(), order=2, components=2)
    x = np.random.default_rng(1).standard_normal(built_in.shape_in)
    np.testing.assert_allclose(op(x), built_in(x), rtol=0, atol=1e-12)
    np.testing.assert_allclose(op.matrices(), built_in.matrices(), rtol=0, atol=1e-12)
    unknowns = tf.Restriction.box([3, 2], order=2, constrained=[0, 1])
    by_hand = tf.GlobalOperator(unknowns=unknowns, function=function, D=built_in.data(), order=2)
    A = tf.GlobalOperator("diffusion", nodes(), unknowns, order=2)
    v = np.random.default_rng(2).standard_normal(unknowns.size)
    np.testing.assert_allclose(by_hand @ v, A @ v, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="the transpose of a user's function, 2-D: takes gradient of 1 component"):
        op.transpose()
    with pytest.raises(ValueError, match="make an operator of the transposed function"):
        by_hand.rmatvec(v)


def test_functions_of_python():
    @POINT_FUNCTION
    def swap(block, context):
        b = block.contents
        u = b.array("value", 2)
        b.array("value_out", 3)[:] = np.stack([u[1], u[0], u[0] * u[1]]) * b.array("D", 1)

    function = tf.PointFunction(swap, dim=1, components=2, test_components=3)
    D = tf.ElementPoints(np.array([[[0.0, 1.0]]])).weights()
    op = tf.ElementOperator(function=function, D=D)
    assert op.shape_in == (1, 2, 2) and op.shape_out == (1, 3, 2)
    y = op(np.array([[[1.0, 1.0], [2.0, 2.0]]]))
    np.testing.assert_allclose(y, [[[1.0, 1.0], [0.5, 0.5], [1.0, 1.0]]], rtol=1e-13)
    assert function.dim == 1 and "takes value of 2 components, gives value of 3" in repr(function)
    with pytest.raises((ValueError, tf.Error), match="linear"):
        op.matrices()
    block = PointBlock(count=2)
    with pytest.raises(ValueError, match="the function is not given gradient"):
        block.array("gradient", 1)


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        (dict(), ValueError, "neither a compiled function for a CPU nor a source for a GPU"),
        (dict(function=1, dim=0), ValueError, "dim=0 is not 1, 2 or 3"),
        (dict(function=0), ValueError, "the function's address is 0"),
        (dict(function="f"), TypeError, "an integer, a cfunc of numba or a function pointer of ctypes, not 'f'"),
        (dict(function=-1), TypeError, "function is -1, not an address, an integer from 0 on that fits 64 bits"),
        (dict(function=2**70), TypeError, "function is 1180591620717411303424, not an address"),
        (dict(function=SimpleNamespace(address="x")), TypeError, "function.address is 'x', not an address"),
        (dict(function=1, context="a"), TypeError, "context is 'a', not an address"),
        (dict(function=1, context=-1), TypeError, "context is -1, not an address"),
        (dict(function=1, name="\ud800"), TypeError, r"name is '\\ud800', which is not valid Unicode"),
        (dict(function=1, takes="slope"), ValueError, 'takes has "slope"; there are: value, gradient'),
        (dict(function=1, dtype="int32"), ValueError, "dtype=int32; operators are of float32 or float64"),
        (dict(function=1, gives=""), ValueError, "gives is empty; there are: value, gradient"),
        (dict(function=1, factors=0), ValueError, "factors=0 is not in 1..1024"),
        (dict(function=1, components=-1), ValueError, "components=-1 is not in 1..1024"),
        (dict(function=1, source="struct f;"), ValueError, "source without source_type"),
        (dict(function=1, source_type="f"), ValueError, "source_type without source"),
        (dict(function=1, fators=2), TypeError, "has no argument fators"),
        (dict(function=1, source="struct f;", source_type="f", state="x"), TypeError, "bytes"),
    ],
)
def test_mistakes(arguments, error, text):
    given = dict(function=None, dim=1)
    given.update(arguments)
    with pytest.raises(error, match=text):
        tf.PointFunction(**given)


def test_mistakes_of_operators():
    function = tf.PointFunction(1, dim=2)
    only_gpu = tf.PointFunction(None, dim=1, source="struct f {};", source_type="f")
    cases = [
        (lambda: tf.ElementOperator("mass", D=np.ones((1, 9)), function=function), "kind='mass' and a function"),
        (
            lambda: tf.GlobalOperator(
                "diffusion", unknowns=tf.Restriction.box([1, 1]), D=np.ones((1, 9)), function=function
            ),
            "GlobalOperator: kind='diffusion' and a function, which is one of your own: give one of the two",
        ),
        (lambda: tf.ElementOperator(nodes=nodes(), function=function), "a function takes D, not nodes: ElementPoints"),
        (lambda: tf.ElementOperator(D=np.ones((1, 9)), dim=3, function=function), "function has 2 dimensions"),
        (lambda: tf.ElementOperator(D=np.ones((1, 8)), function=function), r"not \(1, 9, 1\)"),
        (lambda: tf.ElementOperator(D=np.ones((1, 3)), function=only_gpu), "a CPU needs the address"),
    ]
    for call, text in cases:
        with pytest.raises(ValueError, match=text):
            call()


def test_number_of_threads():
    threads = set()

    @POINT_FUNCTION
    def note(block, context):
        threads.add(threading.get_native_id())
        b = block.contents
        b.array("value_out", 1)[:] = b.array("value", 1)

    op = tf.ElementOperator(function=tf.PointFunction(note, dim=1), elements=4096, dim=1)
    x = np.ones(op.shape_in)
    tf.set_num_threads(1)
    try:
        wanted = op(x)
        assert threads == {threading.get_native_id()}
    finally:
        tf.set_num_threads(0)
    np.testing.assert_array_equal(op(x), wanted)


def test_examples_of_docstrings():
    failed, attempted = doctest.testmod(tessera_fem.point_block)
    assert failed == 0 and attempted > 0


def test_functions_of_numba():
    numba = pytest.importorskip("numba")
    import tessera_fem.numba
    from tessera_fem.numba import point_function

    failed, attempted = doctest.testmod(tessera_fem.numba)
    assert failed == 0 and attempted > 0

    @point_function(2, takes="value gradient", gives="value gradient", factors=4)
    def helmholtz(value, gradient, D, value_out, gradient_out):
        value_out[:] = D[0] * value
        gradient_out[:, 0] = D[1] * gradient[:, 0] + D[2] * gradient[:, 1]
        gradient_out[:, 1] = D[2] * gradient[:, 0] + D[3] * gradient[:, 1]

    built_in = tf.ElementOperator("helmholtz", nodes(), order=2)
    op = tf.ElementOperator(function=helmholtz, D=built_in.data(), order=2)
    x = np.random.default_rng(1).standard_normal(built_in.shape_in)
    np.testing.assert_allclose(op(x), built_in(x), rtol=0, atol=1e-12)
    assert "helmholtz" in op.describe()

    @numba.cfunc("void(CPointer(int64), voidptr)")
    def nothing(block, context):
        pass

    assert "a user's function" in repr(tf.PointFunction(nothing, dim=1))

    @point_function(1, components=2, test_components=1, dtype="float32")
    def product(value, gradient, D, value_out, gradient_out):
        value_out[0] = D[0] * value[0] * value[1] + gradient.size + gradient_out.size  # which are 0

    op = tf.ElementOperator(function=product, D=np.full((1, 3), 0.5, "float32"), points=3, rule="gauss")
    with pytest.raises(ValueError, match="product is for float32, and the operator has numbers of float64"):
        tf.ElementOperator(function=product, D=np.full((1, 3), 0.5), points=3)
    y = op(np.array([[[1, 1], [2, 2]]], "float32"))
    assert y.dtype == np.float32 and y.sum() == pytest.approx(3.0)
