# SPDX-License-Identifier: BSD-3-Clause
"""EntryFunction and Operations: compiled code and texts of the caller's own, against loops of Python and numpy."""
import ctypes
import gc
import weakref

import numpy as np
import pytest
import tessera_fem as tf

unary = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
binary = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)


def softsign(x):
    return x / (1 + np.abs(x))


def soft(**more):
    return tf.EntryFunction(unary(lambda x: x / (1 + abs(x))), source="x / (1 + fabs(x))", name="softsign", **more)


def farthest(**more):
    return tf.Operations(binary(lambda a, b: abs(a - b)), binary(max), neutral=-1, multiply_source="fabs(a - b)",
                         add_source="c < x ? x : c", commutative=True, name="farthest", **more)


@pytest.fixture(name="arrays")
def arrays_of_a_product():
    random = np.random.default_rng(3)
    return random.normal(size=(5, 4)), random.normal(size=(4, 6)), random.normal(size=(5, 6))


def test_functions_of_all(arrays):
    a, b, d = arrays
    own = soft()
    found = tf.einsum("ik,kj+ij->ij", a, b, d, functions={"a": own, "b": "relu", "addend": own, "result": own})
    assert np.allclose(found, softsign(softsign(a) @ np.maximum(b, 0) + softsign(d)), rtol=1e-13)


def test_pair(arrays):
    a, b, _ = arrays
    wanted = np.abs(a[:, :, None] - b[None]).max(axis=1)
    assert np.array_equal(tf.einsum("ik,kj->ij", a, b, pair=farthest()), wanted)
    wanted = softsign(np.abs(softsign(a)[:, :, None] - b[None]).max(axis=1))
    found = tf.einsum("ik,kj->ij", a, b, functions={"a": soft(), "result": soft()}, pair=farthest())
    assert np.allclose(found, wanted, rtol=1e-13)


def test_types_of_sums():
    """Sums in float32, int64 and int32; inputs, sums and output of three types."""
    c_float = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_float)
    a, b = np.float32([[1, -2], [3, 4]]), np.float32([[0.5, 1], [2, -1]])
    half = tf.EntryFunction(c_float(lambda x: x / 2), dtype="float32")
    found = tf.einsum("ik,kj->ij", a, b, functions={"result": half})
    assert found.dtype == np.float32 and np.array_equal(found, a @ b / 2)

    for dtype, kind in (("int64", ctypes.c_int64), ("int32", ctypes.c_int32)):
        two = ctypes.CFUNCTYPE(kind, kind, kind)
        far = np.iinfo(dtype).max
        paths = tf.Operations(two(lambda a, b: a + b), two(min), neutral=far, dtype=dtype)
        way = np.array([[0, 5], [7, 0]], dtype=dtype)
        assert np.array_equal(tf.einsum("ik,kj->ij", way, way, pair=paths), [[0, 5], [7, 0]])

    out = np.empty((2, 2))
    left = np.int16([[1, -2], [3, 4]])
    tf.einsum("ik,kj->ij", left, b, out=out, sum_dtype="float32", functions={"a": half})
    assert np.array_equal(out, left / 2 @ b)
    d = np.int32([[10, 20], [30, 40]])
    tf.einsum("ik,kj+ji->ij", left, b, d, out=out, sum_dtype="float32", functions={"addend": half})
    assert np.array_equal(out, left @ b + d.T / 2)


def test_numba():
    numba = pytest.importorskip("numba")
    cubed = numba.cfunc("float64(float64)")(lambda x: x * x * x)
    least = numba.cfunc("float64(float64, float64)")(lambda c, x: min(c, x))
    plus = numba.cfunc("float64(float64, float64)")(lambda a, b: a + b)
    a, b = np.random.default_rng(4).normal(size=(2, 70, 70))
    found = tf.einsum("ik,kj->ij", a, b, functions={"b": tf.EntryFunction(cubed)})
    assert np.allclose(found, a @ b**3)
    found = tf.einsum("ik,kj->ij", a, b, pair=tf.Operations(plus, least, neutral=np.inf))
    assert np.array_equal(found, tf.einsum("ik,kj->ij", a, b, pair="min_plus"))


def test_plan_and_its_description(arrays):
    a, b, out = arrays
    plan = tf.Plan("ik,kj->ij", a, b, out, functions={"a": soft()}, pair=farthest())
    assert "softsign" in plan.describe() and "farthest" in plan.describe()
    assert np.allclose(plan(a, b), np.abs(softsign(a)[:, :, None] - b[None]).max(axis=1))
    assert repr(soft()) == "<tessera_fem.EntryFunction softsign>"
    assert repr(farthest()) == "<tessera_fem.Operations farthest>"


def test_two_functions_are_two_plans(arrays):
    """A kept plan keeps its function, and another one gets a plan of its own, though both have one name."""
    a, b, _ = arrays
    tf.clear_plans()
    for factor in range(1, 30):
        own = tf.EntryFunction(unary(lambda x, f=factor: f * x), name="times")
        assert np.allclose(tf.einsum("ik,kj->ij", a, b, functions={"result": own}), factor * (a @ b))
        del own
        gc.collect()
    assert tf.kept_plans() == 29


def test_what_a_plan_keeps_goes_with_it(arrays):
    a, b, out = arrays
    code = unary(lambda x: -x)
    gone = weakref.ref(code)
    plan = tf.Plan("ik,kj->ij", a, b, out, functions={"a": tf.EntryFunction(code)})
    del code
    gc.collect()
    assert gone() is not None
    assert np.allclose(plan(a, b), -a @ b)
    del plan
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: tf.EntryFunction(), ValueError, "neither a compiled function"),
        (lambda: tf.EntryFunction(lambda x: x), TypeError, "takes the address of compiled code"),
        (lambda: tf.EntryFunction(0), ValueError, "address is 0"),
        (lambda: tf.EntryFunction(unary(abs), dtype="complex128"), ValueError, "dtype is complex128"),
        (lambda: tf.EntryFunction(source="x", kind="f"), TypeError, "kind"),
        (lambda: tf.Operations(neutral=0), ValueError, "neither compiled functions"),
        (lambda: tf.Operations(binary(max), binary(max)), ValueError, "neutral= is missing"),
        (lambda: tf.Operations(binary(max), neutral=0), ValueError, "one of multiply and add alone"),
        (lambda: tf.Operations(neutral=0, add_source="c + x"), ValueError, "multiply_source and add_source alone"),
        (lambda: tf.Operations(binary(max), binary(max), neutral="0"), TypeError, "neutral='0'"),
    ],
)
def test_mistakes_of_values(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


def test_mistakes_of_calls(arrays):
    a, b, _ = arrays
    text = tf.EntryFunction(source="x + 1", name="mine")
    with pytest.raises(TypeError, match=r"mine \(A\) has no function for sums in float64 on CPUs, and its text"):
        tf.einsum("ik,kj->ij", a, b, functions={"a": text})
    pair = tf.Operations(neutral=0, multiply_source="a * b", add_source="c + x", name="mine")
    with pytest.raises(TypeError, match="the pair mine has no functions for sums in float64 on CPUs"):
        tf.einsum("ik,kj->ij", a, b, pair=pair)
    with pytest.raises(ValueError, match="softsign is for sums in float64 .*, and these are in float32"):
        tf.einsum("ik,kj->ij", np.float32(a), np.float32(b), functions={"a": soft()})
    with pytest.raises(ValueError, match="farthest is for sums in float64"):
        tf.einsum("ik,kj->ij", np.float32(a), np.float32(b), pair=farthest())
    with pytest.raises(TypeError, match="functions= takes names, or EntryFunction"):
        tf.einsum("ik,kj->ij", a, b, functions={"a": 3})
    with pytest.raises(TypeError, match="pair= takes a name, or Operations"):
        tf.einsum("ik,kj->ij", a, b, pair=3)
    complex_pair = tf.Operations(neutral=0j, multiply_source="a * b", add_source="c + x", dtype="complex128")
    with pytest.raises(ValueError, match="is for sums in complex128"):
        tf.einsum("ik,kj->ij", a, b, pair=complex_pair)
