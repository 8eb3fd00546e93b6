# SPDX-License-Identifier: BSD-3-Clause
"""What calls take beside arrays, types as numpy has them, streams, numbers, functions; and what they refuse."""

import ctypes
import importlib.util
import re

import numpy as np
import pytest
import tessera_fem as tf

A = np.array([[1.0, 2.0], [3.0, 5.0]])


@pytest.mark.parametrize("dtype", ["float64", "f8", "double", np.float64, np.dtype("f8"), float])
def test_types_are_those_that_numpy_takes(dtype):
    thirds = np.full((4, 4), 1 / 3, np.float32)
    out = np.empty((4, 4))
    tf.einsum("ik,kj->ij", thirds, thirds, out=out, sum_dtype=dtype)
    np.testing.assert_allclose(out, thirds.astype(float) @ thirds, rtol=1e-14)
    assert "sums in f64" in tf.Plan("ik,kj->ij", thirds, thirds, out, sum_dtype=dtype).describe()
    assert tf.ElementOperator(elements=2, dim=1, dtype=dtype).dtype == np.float64
    assert tf.PointFunction(1, dim=1, dtype=dtype).describe().endswith("float64")
    halved = tf.EntryFunction(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x / 2), dtype=dtype)
    np.testing.assert_array_equal(tf.einsum("ik,kj->ij", A, A, functions={"result": halved}), A @ A / 2)
    tf.Operations(neutral=0, multiply_source="a * b", add_source="c + x", dtype=dtype)


@pytest.mark.parametrize(
    ("dtype", "error", "words"),
    [
        ("float128x", ValueError, 'there is no type "float128x"; Tessera has float32, '),
        (">f8", ValueError, 'there is no type ">f8"'),
        (np.dtype(">f8"), ValueError, 'there is no type ">f8"'),
        (np.uint8, ValueError, 'there is no type "uint8"'),
        (3, TypeError, "type is 3, neither the name of a type nor a dtype of numpy"),
    ],
)
def test_types_that_there_are_not(dtype, error, words):
    calls = [
        lambda: tf.einsum("ij,jk->ik", A, A, sum_dtype=dtype),
        lambda: tf.ElementOperator(elements=2, dim=1, dtype=dtype),
        lambda: tf.PointFunction(1, dim=1, dtype=dtype),
        lambda: tf.EntryFunction(source="x", dtype=dtype),
        lambda: tf.Operations(neutral=0, multiply_source="a * b", add_source="c + x", dtype=dtype),
    ]
    for call in calls:
        with pytest.raises(error, match=re.escape(words)):
            call()


def test_entries_of_another_type_are_type_errors_everywhere():
    single = A.astype("f4")
    op = tf.ElementOperator("mass", tf.box_nodes([2]))
    unknowns = tf.Restriction.box([1])
    G = tf.GlobalOperator("mass", tf.box_nodes([1]), unknowns)
    plan = tf.Plan("ij,jk->ik", A, A)
    calls = [
        lambda: plan.run(single, A, np.empty((2, 2))),
        lambda: op(single),
        lambda: op(A, single.copy()),
        lambda: op.diagonal(single.copy()),
        lambda: op.set_data(np.ones((2, 3, 1), "f4")),
        lambda: G(single[0]),
        lambda: tf.conjugate_gradient(G, single[0]),
        lambda: tf.conjugate_gradient(np.eye(2), np.ones(2, int)),
        lambda: unknowns.to_elements(np.ones(2, int)),
        lambda: tf.ElementOperator("mass", tf.box_nodes([2]).astype(int)),
        lambda: tf.einsum("ij->i", A.astype("u1")),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="is float32|has entries of (float32|int64|format)"):
            call()


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[D]", "bfloat16"])
def test_arrays_that_numpy_gives_to_no_other(dtype):
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    a = np.ones((2, 2)).astype(dtype)
    for name, call in [
        ("operand 2", lambda: tf.einsum("ij,jk->ik", A, a)),
        ("out", lambda: tf.einsum("ij,jk->ik", A, A, out=a)),
        ("x", lambda: tf.ElementOperator("mass", tf.box_nodes([2]))(a)),
    ]:
        with pytest.raises(TypeError, match=rf"^{name} has entries of {re.escape(str(a.dtype))}; Tessera takes"):
            call()


def test_exporters_that_fail_are_named():
    view = memoryview(A)
    view.release()
    with pytest.raises(ValueError, match="^operand 1: .*released"):
        tf.einsum("ij->i", view)


def test_bfloat16_of_jax():
    """JAX's arrays have the buffer protocol, but not for bfloat16."""
    jax = pytest.importorskip("jax")
    with jax.default_device(jax.devices("cpu")[0]):
        a = jax.numpy.asarray(A, "bfloat16")
    out = np.empty((2, 2), np.float32)
    np.testing.assert_array_equal(tf.einsum("ij,jk->ik", a, a, out=out, sum_dtype="float32"), A @ A)
    with pytest.raises(ValueError, match="numpy has no entries of type bfloat16; give an output of another type"):
        tf.einsum("ij,jk->ik", a, a)


def test_streams_are_checked_on_a_cpu_too():
    nodes = tf.box_nodes([2])
    unknowns = tf.Restriction.box([2])
    op, G = tf.ElementOperator("mass", nodes), tf.GlobalOperator("mass", nodes, unknowns)
    x, u = np.ones((2, 2)), np.ones(3)
    calls = [
        lambda s: tf.einsum("ij,jk->ik", A, A, stream=s),
        lambda s: op(x, stream=s),
        lambda s: op.add(x, x.copy(), stream=s),
        lambda s: G(u, stream=s),
        lambda s: G.add(u, u.copy(), stream=s),
        lambda s: tf.conjugate_gradient(G, u, stream=s),
        lambda s: unknowns.to_elements(u, stream=s),
    ]
    for call in calls:
        call(0)
        call(None)
        with pytest.raises(TypeError, match="stream= takes an integer, or a stream .*, not '3'"):
            call("3")
        with pytest.raises(ValueError, match="stream= takes an integer of 64 bits that is not negative"):
            call(-1)


@pytest.mark.parametrize("number", [2**53, -(2**53) - 1, 2**60])
def test_factors_of_integers_are_those_that_a_double_has(number):
    i = np.array([[1, 2], [3, 4]])
    for keywords in ({"alpha": number}, {"beta": number, "out": i[0].copy()}):
        for text, arrays in [("ij,j->i", [i, i[0]]), ("ij->i", [i])]:
            with pytest.raises(ValueError, match=r"alpha= or beta= is 2\^53 or more, and the sums are in int64"):
                tf.einsum(text, *arrays, **keywords)
    largest = 2**53 - 1
    np.testing.assert_array_equal(tf.einsum("ij,jk->ik", i, np.eye(2, dtype=int), alpha=largest), i * largest)
    assert tf.einsum("ij,jk->ik", A, A, alpha=float(number))[0, 0] == float(number) * (A @ A)[0, 0]


def test_numbers_of_threads():
    for text, count in [("i->", 1), ("i,i->", 2), ("i,i,i->", 3)]:
        for call in (tf.einsum, tf.Plan):
            with pytest.raises(ValueError, match="^threads= takes a positive number, or 0 for .*, not -1"):
                call(text, *[A[0]] * count, threads=-1)
    for number, error, words in [
        (2**40, ValueError, r"set_num_threads\(1099511627776\): 0, for all, or a positive number of 32 bits"),
        (-1, ValueError, r"set_num_threads\(-1\): 0, for all"),
        ("2", TypeError, "set_num_threads: count is '2', not an integer"),
        (2.5, TypeError, "set_num_threads: count is 2.5, not an integer"),
    ]:
        with pytest.raises(error, match=words):
            tf.set_num_threads(number)
    try:
        tf.set_num_threads(np.int64(3))
        assert tf.get_num_threads() == 3
    finally:
        tf.set_num_threads(0)


@pytest.mark.parametrize("keywords", [{"pair": "min_plus"}, {"functions": {"result": "relu"}}])
def test_of_one_input_neither_functions_nor_a_pair(keywords):
    with pytest.raises(ValueError, match='"ij->i" of one input takes no addend, no functions= and no pair='):
        tf.einsum("ij->i", A, **keywords)


def test_workspaces():
    """A flag, which makes a plan another one; on a CPU it changes nothing."""
    tf.clear_plans()
    for number, flag in [(1, True), (2, False), (2, True), (2, None)]:
        if flag is None:
            np.testing.assert_array_equal(tf.einsum("ij,jk->ik", A, A), A @ A)
        else:
            np.testing.assert_array_equal(tf.einsum("ij,jk->ik", A, A, workspace=flag), A @ A)
        assert tf.kept_plans() == number
    np.testing.assert_array_equal(tf.Plan("ij,jk->ik", A, A, workspace=False)(A, A), A @ A)
    for call in (tf.einsum, tf.Plan):
        for wrong in (1, 0, None, "no", np.True_):
            with pytest.raises(TypeError, match="workspace= takes True or False, not"):
                call("ij,jk->ik", A, A, workspace=wrong)


def test_advice_is_of_python():
    if "cuda" not in tf.targets():
        assert "tessera::" not in tf.config()["gpu"]["why_not"]
        assert "use a CPU" in tf.config()["gpu"]["why_not"]


def test_signatures_of_ctypes():
    """Of a prototype, and of a library's function once its types are known; an address is taken as it is."""
    d, f, i, q, p = ctypes.c_double, ctypes.c_float, ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
    words = "EntryFunction calls {}, and the function is {}"
    cases = [
        ((f, f), "float64", "float64(float64)", "float32(float32)"),
        ((d, d, d), "float64", "float64(float64)", "float64(float64, float64)"),
        ((None, d), "float64", "float64(float64)", "void(float64)"),
        ((d, d), "float32", "float32(float32)", "float64(float64)"),
        ((i, i), "int64", "int64(int64)", "int32(int32)"),
        ((q, ctypes.c_uint8), "int64", "int64(int64)", "int64(c_ubyte)"),
        ((d, p), "float64", "float64(float64)", "float64(pointer)"),
    ]
    for types, dtype, wanted, found in cases:
        function = ctypes.CFUNCTYPE(*types)(lambda *_: 0)
        with pytest.raises(TypeError, match=re.escape(words.format(wanted, found)) + "$"):
            tf.EntryFunction(function, dtype=dtype)
        tf.EntryFunction(ctypes.cast(function, p).value, dtype=dtype)
    two = ctypes.CFUNCTYPE(d, d, d)(max)
    with pytest.raises(TypeError, match=re.escape("Operations calls float64(float64, float64), and the function is ")):
        tf.Operations(two, ctypes.CFUNCTYPE(d, d)(abs), neutral=0)
    with pytest.raises(TypeError, match=re.escape("PointFunction calls void(pointer, pointer), and the function is")):
        tf.PointFunction(ctypes.CFUNCTYPE(d, d)(abs), dim=1)
    for accepted in [(None, p, p), (i, ctypes.POINTER(d), ctypes.c_char_p), (None, p, ctypes.c_uint64)]:
        tf.PointFunction(ctypes.CFUNCTYPE(*accepted)(lambda *_: 0), dim=1)

    square_root = ctypes.CDLL("libm.so.6").sqrt
    root = tf.EntryFunction(square_root)  # nothing is known of it
    np.testing.assert_array_equal(tf.einsum("ij,jk->ik", A, A, functions={"a": root}), np.sqrt(A) @ A)
    square_root.argtypes, square_root.restype = [d], d
    tf.EntryFunction(square_root)
    square_root.restype = f
    with pytest.raises(TypeError, match=re.escape(words.format("float64(float64)", "float32(float64)"))):
        tf.EntryFunction(square_root)


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="no numba")
def test_signatures_of_numba():
    import numba

    single = numba.cfunc("float32(float32)")(lambda x: x)
    with pytest.raises(TypeError, match=re.escape("calls float64(float64), and the function is float32(float32)")):
        tf.EntryFunction(single)
    tf.EntryFunction(single, dtype=np.float32)
    tf.EntryFunction(single.address)
    two = numba.cfunc("int64(int64, int64)")(lambda a, b: a + b)
    tf.Operations(two, two, neutral=0, dtype="int64")
    words = "calls int32(int32, int32), and the function is int64(int64, int64)"
    with pytest.raises(TypeError, match=re.escape(words)):
        tf.Operations(two, two, neutral=0, dtype="int32")
    words = "calls void(pointer, pointer), and the function is int64(float64, int64)"
    with pytest.raises(TypeError, match=re.escape(words)):
        tf.PointFunction(numba.cfunc("int64(float64, int64)")(lambda a, b: b), dim=1)
