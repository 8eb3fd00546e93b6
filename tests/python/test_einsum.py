# SPDX-License-Identifier: BSD-3-Clause
"""einsum against numpy's."""

import ctypes
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from random_einsum import contractions

import tessera_fem as tf


def plain(text, arrays):
    """numpy's sums, in a wider type."""
    wide = [a.astype(np.result_type(a.dtype, np.float64) if a.dtype.kind in "fc" else np.int64) for a in arrays]
    return np.einsum(text, *wide)


@given(contractions())
def test_random_contractions_are_numpys(case):
    text, batch, arrays, out = case
    expected = plain(text, arrays)
    biggest = np.abs(expected).max(initial=0)
    if arrays[0].dtype == np.float16 and biggest > 2048:
        return  # not exact in half
    result = tf.einsum(text, *arrays, batch=batch)
    assert result.dtype == arrays[0].dtype
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result, expected.astype(result.dtype))
    # Into memory of any strides, which is left alone between the entries.
    before = out.base.copy() if out.base is not None else None
    returned = tf.einsum(text, *arrays, out=out, batch=batch)
    assert returned is out
    np.testing.assert_array_equal(out, expected.astype(out.dtype))
    if before is not None:
        written = np.zeros(out.base.shape, bool)
        np.lib.stride_tricks.as_strided(
            written.reshape(-1)[offset_of(out) :], out.shape, [s // out.itemsize for s in out.strides]
        )[...] = True
        np.testing.assert_array_equal(out.base[~written], before[~written])


def offset_of(view):
    """Where a view's first entry is in its contiguous base, in entries."""
    return (view.__array_interface__["data"][0] - view.base.__array_interface__["data"][0]) // view.itemsize


def test_shapes_of_finite_elements_in_both_orders():
    random = np.random.default_rng(0)
    for p in range(1, 9):
        for text in ["kj,ejbc->ekbc", "kj,eajc->eakc", "kj,eabj->eabk"]:
            B = random.standard_normal((p + 2, p + 1))
            x = random.standard_normal((11,) + (p + 1,) * 3)
            expected = np.einsum(text, B, x)
            np.testing.assert_allclose(tf.einsum(text, B, x, batch="e"), expected, rtol=0, atol=1e-13)
            columns = np.asfortranarray(B), x.transpose(3, 2, 1, 0).copy().transpose(3, 2, 1, 0)
            np.testing.assert_allclose(tf.einsum(text, *columns, batch="e"), expected, rtol=0, atol=1e-13)


def test_a_batch_of_two_letters():
    random = np.random.default_rng(1)
    B, x = random.standard_normal((3, 4)), random.standard_normal((5, 6, 4))
    expected = np.einsum("kj,efj->efk", B, x)
    np.testing.assert_allclose(tf.einsum("kj,efj->efk", B, x, batch="ef"), expected, atol=1e-14)
    with pytest.raises(ValueError, match="no single stride"):
        tf.einsum("kj,efj->efk", B, x[:, :4], batch="ef")
    with pytest.raises(ValueError, match="some of the batch's letters"):
        tf.einsum("ej,efj->efj", random.standard_normal((5, 4)), x, batch="ef")


def test_alpha_beta_and_addends():
    random = np.random.default_rng(2)
    a, b, c = random.standard_normal((3, 4)), random.standard_normal((4, 5)), random.standard_normal((3, 5))
    out = c.copy()
    tf.einsum("ik,kj->ij", a, b, out=out, alpha=2, beta=-0.5)
    np.testing.assert_allclose(out, 2 * a @ b - 0.5 * c, atol=1e-14)
    np.testing.assert_allclose(tf.einsum("ik,kj+ij->ij", a, b, c), a @ b + c, atol=1e-14)
    np.testing.assert_allclose(tf.einsum("ik,kj+ij->ji", a, b, c, alpha=3, beta=2), (3 * a @ b + 2 * c).T, atol=1e-14)
    # beta = 0 does not read the output.
    out = np.full((3, 5), np.nan)
    tf.einsum("ik,kj->ij", a, b, out=out)
    np.testing.assert_allclose(out, a @ b, atol=1e-14)
    z = a + 1j
    np.testing.assert_allclose(tf.einsum("ik,kj->ij", z, b + 0j, alpha=1j), 1j * z @ b, atol=1e-14)


def test_functions_and_pairs():
    random = np.random.default_rng(3)
    a, b = random.standard_normal((6, 7)), random.standard_normal((7, 8))
    relu = lambda x: np.maximum(x, 0)
    np.testing.assert_allclose(
        tf.einsum("ik,kj->ij", a, b, functions={"a": "relu", "result": "relu"}), relu(relu(a) @ b), atol=1e-14
    )
    np.testing.assert_array_equal(
        tf.einsum("ik,kj->ij", a, b, pair="min_plus"), (a[:, :, None] + b[None]).min(axis=1)
    )


def test_sums_in_another_type():
    big = np.full((1, 20000), 0.1, np.float32)
    exact = 20000 * float(np.float32(0.1)) ** 2
    assert tf.einsum("ik,jk->ij", big, big, sum_dtype="float64")[0, 0] == np.float32(exact)


def test_diagonals_traces_and_single_operands():
    a = np.arange(16.0).reshape(4, 4)
    np.testing.assert_array_equal(tf.einsum("ii->i", a), np.diag(a))
    assert tf.einsum("ii->", a) == np.trace(a)
    assert tf.einsum("ii", a) == np.trace(a)
    np.testing.assert_array_equal(tf.einsum("ij->ji", a), a.T)
    np.testing.assert_array_equal(tf.einsum("ij->j", a), a.sum(axis=0))
    np.testing.assert_array_equal(tf.einsum("ij,jk", a, a), a @ a)
    np.testing.assert_array_equal(tf.einsum("ba", a), np.einsum("ba", a))


def test_diagonals_of_arrays_with_any_strides():
    a = np.arange(48.0).reshape(3, 4, 4)
    strided = np.lib.stride_tricks.as_strided
    cases = [
        a[:, ::-1, ::-1],
        a.transpose(0, 2, 1),
        strided(a[:, 3:, :], (3, 4, 4), (128, -32, 32)),  # the diagonal's stride is 0
        strided(a[:, 3:, :], (3, 4, 4), (128, -32, 8)),
        np.broadcast_to(a[0, 0], (3, 4, 4)),
        np.broadcast_to(a[:, :, :1], (3, 4, 4)),
        np.broadcast_to(2.0, (3, 4, 4)),
    ]
    v = np.array([1.0, 2, 4, 8])
    for x in cases:
        for text in ["eii->ei", "eii->ie", "eii->e"]:
            np.testing.assert_array_equal(tf.einsum(text, x), np.einsum(text, x))
            np.testing.assert_array_equal(tf.einsum(text, x, batch="e"), np.einsum(text, x))
        for text in ["eii,i->e", "eii,i->ei", "i,eii->ie", "eii,ejj->eij"]:
            operands = [v if s == "i" else x for s in text.split("->")[0].split(",")]
            np.testing.assert_array_equal(tf.einsum(text, *operands, batch="e"), np.einsum(text, *operands))
    np.testing.assert_array_equal(tf.einsum("eee->e", a[:, :3, :3]), np.einsum("eee->e", a[:, :3, :3]))
    np.testing.assert_array_equal(tf.einsum("eej->ej", a[:, :3], batch="e"), np.einsum("eej->ej", a[:, :3]))


def test_other_objects_with_buffers():
    from array import array

    a = array("d", [1, 2, 3])
    np.testing.assert_array_equal(tf.einsum("i,i->", a, memoryview(a)), 14)
    read_only = np.arange(3.0)
    read_only.flags.writeable = False
    assert tf.einsum("i,i->", read_only, read_only) == 5


def test_buffers_without_strides_and_with_other_item_sizes():
    
    three = (ctypes.c_double * 3)(1, 2, 3)
    np.testing.assert_array_equal(tf.einsum("i->i", three), [1, 2, 3])
    grid = ((ctypes.c_double * 3) * 2)((1, 2, 3), (4, 5, 6))
    np.testing.assert_array_equal(tf.einsum("ij->ji", grid), [[1, 4], [2, 5], [3, 6]])
    assert tf.einsum("ij,ij->", grid, grid, threads=np.int64(1)) == 91


def test_arrays_of_jax_are_inputs():
    jax = pytest.importorskip("jax")
    with jax.default_device(jax.devices("cpu")[0]):
        B, x = jax.numpy.arange(20.0, dtype="float32").reshape(5, 4), jax.numpy.ones((7, 4, 4), dtype="float32")
        zeros = jax.numpy.zeros((7, 5, 4), dtype="float32")
    result = tf.einsum("kj,ejb->ekb", B, x, batch="e")
    assert isinstance(result, np.ndarray)
    np.testing.assert_array_equal(result, np.einsum("kj,ejb->ekb", np.asarray(B), np.asarray(x)))
    with pytest.raises(ValueError, match="out is read-only"):
        tf.einsum("kj,ejb->ekb", B, x, batch="e", out=zeros)


def test_devices_that_are_none():
    class Odd:
        def __dlpack__(self, **_):
            raise AssertionError

        def __dlpack_device__(self):
            return "cpu"

    with pytest.raises(TypeError, match="no pair of integers"):
        tf.einsum("i->i", Odd())


def test_streams_of_all_kinds_are_read():
    """On a CPU no stream is used, but what is none is refused there, too."""
    
    def of(**members):
        return type("Stream", (), members)()

    a = np.arange(3.0)
    streams = [
        of(cuda_stream=7),
        of(ptr=0),
        of(__cuda_stream__=lambda self: (0, 7)),
        of(handle=ctypes.c_void_p(7)),
        of(handle=ctypes.c_void_p(0)),
        of(handle=7),
        7,
        None,
    ]
    for stream in streams:
        np.testing.assert_array_equal(tf.einsum("i->i", a, stream=stream), a)
    for stream in ["7", 7.0, of(handle="x"), of()]:
        with pytest.raises((TypeError, ValueError)):
            tf.einsum("i->i", a, stream=stream)


def test_types_may_differ_where_the_sums_type_is_named():
    a, b = np.full((2, 3), 0.5, np.float32), np.full((3, 2), 1e-9)
    np.testing.assert_allclose(tf.einsum("ij,jk->ik", b, a, sum_dtype="float64"), b @ a.astype(float), rtol=1e-15)


def test_a_forked_process_goes_on():
    """OpenMP's threads are not in a child; there a call takes its own thread alone."""
    import os

    a = np.ones((300, 20, 20))
    B = np.ones((20, 20))
    expected = tf.einsum("kj,ejb->ekb", B, a, batch="e")
    plan = tf.Plan("kj,ejb->ekb", B, a, expected, batch="e", threads=2)
    plan.run(B, a, expected)
    child = os.fork()
    if child == 0:
        results = [tf.einsum("kj,ejb->ekb", B, a, batch="e"), tf.einsum("kj,ejb->ekb", B, a, batch="e", threads=2)]
        results.append(np.empty_like(expected))
        plan.run(B, a, results[-1])
        tf.set_num_threads(2)
        results.append(tf.einsum("kj,ejb->ekb", 2 * B, a / 2, batch="e"))
        os._exit(0 if all(np.array_equal(r, expected) for r in results) else 1)
    for _ in range(200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        threading.Event().wait(0.1)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert status == 0


def test_nothing_is_added_to_a_new_array():
    a = np.ones((2, 2))
    for call in (tf.einsum, lambda *given, **keywords: tf.Plan(*given, a, **keywords)(*given[1:])):
        with pytest.raises(ValueError, match="beta= adds to what is in the output: give out="):
            call("ik,kj->ij", a, a, beta=1)
        np.testing.assert_array_equal(call("ik,kj->ij", a, a, beta=0), a @ a)
    np.testing.assert_array_equal(tf.einsum("ik,kj+ij->ij", a, a, a, beta=3), a @ a + 3 * a)


def test_plans_are_kept_by_shape():
    tf.clear_plans()
    a = np.ones((3, 3))
    for _ in range(3):
        tf.einsum("ik,kj->ij", a, a)
    assert tf.kept_plans() == 1
    tf.einsum("ik,kj->ij", a, a, alpha=2)
    tf.einsum("ik,kj->ij", a, a.T)
    assert tf.kept_plans() == 3
    for n in range(1, 1100):
        tf.einsum("i,i->", np.ones(n), np.ones(n))
    assert 512 <= tf.kept_plans() <= 1024


def test_threads_of_python():
    """Calls from several threads at once are each right."""
    random = np.random.default_rng(4)
    B = random.standard_normal((6, 5))
    faults = []

    def work(seed):
        x = np.random.default_rng(seed).standard_normal((300, 5, 5))
        expected = np.einsum("kj,ejb->ekb", B, x)
        for _ in range(50):
            if not np.allclose(tf.einsum("kj,ejb->ekb", B, x, batch="e", threads=1), expected, atol=1e-13):
                faults.append(seed)

    threads = [threading.Thread(target=work, args=(s,)) for s in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert faults == []


def test_the_lock_is_released_while_kernels_run():
    """Another thread goes on in the middle of a long call, not only where Python changes between them."""
    n = 1100
    a = np.ones((n, n))
    out = np.empty((n, n))
    times, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            times.append(time.perf_counter())

    tf.einsum("ik,kj->ij", a, a, out=out, threads=1)
    other = threading.Thread(target=tick)
    other.start()
    inside = []
    for _ in range(20):  # until the system lets the other thread run
        start = time.perf_counter()
        tf.einsum("ik,kj->ij", a, a, out=out, threads=1)
        quarter = (time.perf_counter() - start) / 4
        inside += [t for t in times if start + quarter < t < start + 3 * quarter]
        if inside:
            break
    stop.set()
    other.join()
    assert inside


FAULTS = [
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((4, 5))], {}, ValueError, "j"),
    ("ij,jk->ik", [np.ones((2, 3))], {}, ValueError, "takes 2 arrays; 1 given"),
    ("ij,jk->ik", [np.ones(2), np.ones((4, 5))], {}, ValueError, "operand 1 has 1 dimensions"),
    ("ii->i", [np.ones((2, 3))], {}, ValueError, "letter 'i' with the extents 2 and 3"),
    ("ij,jk->iz", [np.ones((2, 3)), np.ones((3, 5))], {}, ValueError, "'z' is in no operand"),
    ("...j,jk->k", [np.ones((2, 3)), np.ones((3, 5))], {}, ValueError, "not supported"),
    ("i->ii", [np.ones(2)], {}, ValueError, "the output has 'i' twice"),
    ("\N{GREEK SMALL LETTER ALPHA},b->b", [np.ones(2), np.ones(2)], {}, ValueError, "character 1 is no letter"),
    ("\ud800->", [np.ones((2, 2))], {}, UnicodeEncodeError, "surrogates"),
    ("ij->", [np.ones((2, 2))], {"batch": "\ud800"}, ValueError, "batch= takes"),
    ("ij->", [np.ones((2, 2))], {"threads": 2**40}, ValueError, "threads= takes"),
    ("ij->", [np.ones((2, 2))], {"stream": -1}, ValueError, "stream= takes"),
    ("ij->", [np.ones((2, 2))], {"compile": 1}, TypeError, "compile= takes True or False"),
    ("ij,jk->ik", [np.ones((2, 2))] * 2, {"functions": {1: "relu"}}, TypeError, "functions= takes"),
    ("i1,jk->k", [np.ones((2, 3)), np.ones((3, 5))], {}, ValueError, "'1' is no letter"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5), np.float32)], {}, TypeError, "operand 2 is float32, operand 1 f"),
    ("ij,jk->ik", [[[1.0]], np.ones((3, 5))], {}, TypeError, "operand 1 is a list"),
    ("ij,jk->ik", [np.ones((2, 3), bool), np.ones((3, 5), bool)], {}, TypeError, "format"),
    ("ij,jk->ik", [np.ones((2, 3), ">f8"), np.ones((3, 5))], {}, TypeError, "format"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5))], {"batch": "j"}, ValueError, "'j' is not in the output"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5))], {"beet": 1}, TypeError, "no keyword 'beet'"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5))], {"alpha": "x"}, TypeError, "alpha= takes a number"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5))], {"target": "mmx"}, tf.Error, "mmx"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5))], {"regime": "disk"}, ValueError, "disk"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5))], {"out": np.ones((2, 4))}, ValueError, "k"),
    ("ij,jk->ik", [np.ones((2, 3)), np.ones((3, 5))], {"pair": "min_max"}, ValueError, "min_max"),
    ("ij,jk->ik", [np.ones((1,) * 13), np.ones((3, 5))], {}, ValueError, "13 dimensions"),
]


@pytest.mark.parametrize("text, arrays, keywords, kind, words", FAULTS)
def test_faults_are_named(text, arrays, keywords, kind, words):
    with pytest.raises(kind, match=words.replace("(", r"\(").replace(")", r"\)")):
        tf.einsum(text, *arrays, **keywords)


def test_errors_of_the_library_are_in_the_order_of_python():
    B, x, y = np.ones((5, 4)), np.ones((10, 3, 4, 2)), np.ones((9, 5, 4, 2))
    for out, text in [({}, "(10, 5, 4, 2)"), ({"out": y}, "(9, 5, 4, 2)")]:
        with pytest.raises(ValueError) as caught:
            tf.einsum(" kj, ejbc -> ekbc", B, x, batch="e", **out)
        assert str(caught.value) == (
            f'einsum "kj,ejbc->ekbc" of (5, 4), (10, 3, 4, 2) -> {text}: '
            "operand 1 and operand 2 disagree on the extent of 'j'"
        )
    with pytest.raises(ValueError) as caught:
        tf.einsum("ij,jk,kl->il", np.ones((2, 3)), np.ones((3, 4)), np.ones((4, 5)), out=np.ones((2, 6)))
    assert str(caught.value) == (
        'einsum "ij,jk,kl->il" of (2, 3), (3, 4), (4, 5) -> (2, 6): '
        "operand 3 and the output disagree on the extent of 'l': 5 and 6"
    )
    with pytest.raises(TypeError) as caught:
        tf.einsum("ij,jk+ik->ik", *[np.ones((2, 2))] * 3, out=np.ones((2, 2), np.int16))
    assert str(caught.value).startswith(
        'einsum "ij,jk+ik->ik" of (2, 2), (2, 2) + (2, 2) -> (2, 2): operand 1 is float64, operand 2 float64, the addend '
        "float64, the output int16, with sums in float64: "
    )
    assert str(caught.value).endswith("others need sum_dtype=")


def test_outputs_that_cannot_be_written():
    a = np.ones((3, 3))
    with pytest.raises(ValueError, match="the output overlaps operand 1"):
        tf.einsum("ij,jk->ik", a, a, out=a)
    np.testing.assert_array_equal(a, np.ones((3, 3)))
    frozen = np.zeros((3, 3))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        tf.einsum("ij,jk->ik", a, a, out=frozen)
    with pytest.raises(ValueError, match="out is read-only"):
        tf.einsum("ij,jk->ik", a, a, out=np.broadcast_to(np.zeros(3), (3, 3)))
    one_row = np.lib.stride_tricks.as_strided(np.zeros(3), (3, 3), (0, 8))
    with pytest.raises(ValueError, match="out has the stride 0 along 'i' of extent 3: its entries share one address"):
        tf.einsum("ij,jk->ik", a, a, out=one_row)
    with pytest.raises(ValueError, match="two entries of the output share one address"):
        tf.einsum("ij,jk->ik", a, a, out=np.lib.stride_tricks.as_strided(np.zeros(5), (3, 3), (8, 8)))
