# SPDX-License-Identifier: BSD-3-Clause
"""einsum on arrays of a GPU: random contractions with any strides, and arrays of JAX."""

import ctypes
import os

import hypothesis
import numpy as np
import pytest
import tessera_fem as tf
from hypothesis import strategies as st
from random_einsum import contractions

if "cuda" not in tf.targets():
    pytest.skip("no GPU", allow_module_level=True)


def to_gpu(cupy, a):
    """A view of the same strides over a copy of all the memory that `a` is a view of."""
    base = a if a.base is None else a.base
    memory = cupy.asarray(base.ravel(order="K"))
    offset = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return cupy.ndarray(a.shape, a.dtype, memptr=memory.data + offset, strides=a.strides)


# Whether NVRTC compiles a kernel, which takes a second, or one for any contraction runs.
@hypothesis.settings(max_examples=int(os.environ.get("TESSERA_PYTHON_GPU_EXAMPLES", "300")))
@hypothesis.given(case=contractions(), compiled=st.sampled_from([True] + 4 * [False]))
def test_random_contractions_are_those_of_a_cpu(case, compiled):
    cupy = pytest.importorskip("cupy")
    text, batch, arrays, out = case
    expected = tf.einsum(text, *arrays, batch=batch, target="reference")
    if expected.dtype == np.float16 and np.abs(expected).max(initial=0) > 2048:
        return  # not exact in half
    on_gpu = [to_gpu(cupy, a) for a in arrays]
    result = tf.einsum(text, *on_gpu, batch=batch, compile=compiled)
    assert isinstance(result, cupy.ndarray)
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(cupy.asnumpy(result), expected)
    into = to_gpu(cupy, out)
    assert tf.einsum(text, *on_gpu, batch=batch, out=into, compile=compiled) is into
    np.testing.assert_array_equal(cupy.asnumpy(into), expected)


def test_texts_of_ones_own():
    """Functions and a pair by their texts, against numpy; code alone is for CPUs."""
    cupy = pytest.importorskip("cupy")
    a, b = np.random.default_rng(5).normal(size=(2, 60, 60))
    soft = tf.EntryFunction(source="x / (1 + fabs(x))", name="softsign")
    found = tf.einsum("ik,kj->ij", cupy.asarray(a), cupy.asarray(b), functions={"a": soft, "result": soft})
    wanted = a / (1 + np.abs(a)) @ b
    np.testing.assert_allclose(cupy.asnumpy(found), wanted / (1 + np.abs(wanted)), rtol=1e-11, atol=1e-13)
    far = tf.Operations(neutral=-1, multiply_source="fabs(a - b)", add_source="c < x ? x : c", commutative=True)
    found = tf.einsum("ik,kj->ij", cupy.asarray(a), cupy.asarray(b), pair=far)
    np.testing.assert_array_equal(cupy.asnumpy(found), np.abs(a[:, :, None] - b[None]).max(axis=1))
    call = tf.EntryFunction(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(abs), name="code alone")
    with pytest.raises(ValueError, match="code alone: it has no source"):
        tf.einsum("ik,kj->ij", cupy.asarray(a), cupy.asarray(b), functions={"a": call})


def test_arrays_of_jax():
    jax, cupy = pytest.importorskip("jax"), pytest.importorskip("cupy")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX without a GPU")
    B, x = jax.numpy.arange(20.0, dtype="float32").reshape(5, 4), jax.numpy.ones((7, 4, 4), dtype="float32")
    out = cupy.zeros((7, 5, 4), dtype="float32")
    assert tf.einsum("kj,ejb->ekb", B, x, batch="e", out=out) is out
    np.testing.assert_array_equal(cupy.asnumpy(out), np.einsum("kj,ejb->ekb", np.asarray(B), np.asarray(x)))
    with pytest.raises(ValueError, match="give out=: Tessera does not know how to make arrays of jax"):
        tf.einsum("kj,ejb->ekb", B, x, batch="e")


@pytest.mark.parametrize("name", ["cupy", "torch"])
def test_memory_of_two_kinds_is_refused(name):
    library = pytest.importorskip(name)
    host = np.ones((3, 3))
    on_gpu = library.asarray(host) if name == "cupy" else library.from_numpy(host).cuda()
    with pytest.raises(ValueError, match='einsum "ij,jk->ik" of .*: operand 2 is in cpu memory, the output in gpu memory'):
        tf.einsum("ij,jk->ik", on_gpu, host)
    plan = tf.Plan("ij,jk->ik", host, host, host.copy())
    with pytest.raises(ValueError, match="operand 1 is in memory of the gpu, the plan was made for that of the cpu"):
        plan.run(on_gpu, host, host.copy())
