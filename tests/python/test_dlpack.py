# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that others export by DLPack, and types of a user's own."""

import ctypes

import numpy as np
import pytest

import tessera_fem as tf


def test_a_users_type_of_arrays_is_not_kept_alive():
    import gc
    import weakref

    class Own(np.ndarray):
        pass

    a = np.ones((2, 2)).view(Own)
    np.testing.assert_array_equal(np.asarray(tf.einsum("ik,kj->ij", a, a)), np.full((2, 2), 2.0))
    known = weakref.ref(Own)
    del Own, a
    gc.collect()
    assert known() is None


class DLTensor(ctypes.Structure):
    """The head of what a capsule of DLPack holds."""

    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("rank", ctypes.c_int32),
                ("type", ctypes.c_uint8 * 4), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64))]


@pytest.mark.parametrize("entry", ["float32", "float64", "complex128"])
def test_negative_strides_that_lost_their_sign(entry):
    class Exported:
        """Backwards, with the strides of CuPy: their bytes are divided as a number without a sign."""

        def __init__(self, of):
            self.of = of

        def __dlpack__(self, **_):
            capsule = self.of.__dlpack__()
            get = ctypes.pythonapi.PyCapsule_GetPointer
            get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            tensor = DLTensor.from_address(get(capsule, b"dltensor"))
            assert tensor.strides[0] < 0
            tensor.strides[0] = (2**64 + self.of.strides[0]) // self.of.itemsize
            return capsule

        def __dlpack_device__(self):
            return self.of.__dlpack_device__()

    a = np.arange(12.0).reshape(4, 3).astype(entry)[::-1]
    b = np.arange(3.0).astype(entry)
    np.testing.assert_array_equal(tf.einsum("ik,k->i", Exported(a), b, out=np.empty(4, entry)), a @ b)


def test_memory_of_dlpack_is_given_back_after_the_call():
    """Each export has memory of its own, which is spoilt and noted when the library gives it back."""
    import weakref

    given_back = []

    class Exported:
        def __init__(self, of):
            self.of = of

        def __dlpack__(self, **_):
            memory = self.of.copy()
            exported = memory.view()
            weakref.finalize(exported, lambda: (memory.fill(np.nan), given_back.append(1)))
            return exported.__dlpack__()

        def __dlpack_device__(self):
            return self.of.__dlpack_device__()

    inner = np.random.default_rng(1).random((300, 300))
    a = Exported(inner)
    for _ in range(3):
        given_back.clear()
        np.testing.assert_allclose(tf.einsum("ik,jk->ij", a, a), inner @ inner.T, rtol=1e-12)
        assert len(given_back) == 2


def test_dlpack_arrays_live_as_long_as_the_call():
    class Exported:
        """An array with DLPack and no buffer, which counts its exports."""

        def __init__(self, of):
            self.of, self.streams = of, []

        def __dlpack__(self, *, stream=None, max_version=None):
            # numpy before 2.1 knows no versions, and is asked again without.
            made = self.of.__dlpack__() if max_version is None else self.of.__dlpack__(max_version=max_version)
            self.streams.append(stream)
            return made

        def __dlpack_device__(self):
            return self.of.__dlpack_device__()

    import gc
    import sys

    inner = np.arange(6.0).reshape(2, 3)
    a = Exported(inner)
    out = np.empty((2, 2))
    references = sys.getrefcount(inner)
    tf.einsum("ik,jk->ij", a, a, out=out)
    np.testing.assert_array_equal(out, inner @ inner.T)
    assert a.streams == [None, None]  # of a CPU
    gc.collect()
    assert sys.getrefcount(inner) == references
    result = tf.einsum("ik,jk->ij", a, a)
    assert isinstance(result, np.ndarray)
    into = Exported(np.zeros((2, 2)))
    assert tf.einsum("ik,jk->ij", a, a, out=into) is into
    np.testing.assert_array_equal(into.of, inner @ inner.T)
    frozen = np.zeros((2, 2))
    frozen.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        tf.einsum("ik,jk->ij", a, a, out=Exported(frozen))
