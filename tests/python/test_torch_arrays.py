# SPDX-License-Identifier: BSD-3-Clause
"""einsum and Plan on PyTorch's tensors; on its GPU, too, where there is one."""

import glob
import os

import numpy as np
import pytest

import tessera_fem as tf

torch = pytest.importorskip("torch")

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() and "cuda" in tf.targets() else [])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.bfloat16, torch.float16])
def test_tensors_are_contracted_in_place(device, dtype):
    torch.manual_seed(0)
    B = torch.randint(-2, 3, (5, 4)).to(dtype).to(device)
    x = torch.randint(-2, 3, (7, 4, 4, 4)).to(dtype).to(device)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    expected = torch.einsum("kj,ejbc->ekbc", B.cpu().to(wide), x.cpu().to(wide))
    result = tf.einsum("kj,ejbc->ekbc", B, x, batch="e")
    assert isinstance(result, torch.Tensor)
    assert (result.dtype, result.device.type) == (dtype, device)
    assert torch.equal(result.cpu().to(wide), expected)
    turned = x.permute(3, 0, 1, 2).contiguous().permute(1, 2, 3, 0)
    out = torch.empty(7, 5, 4, 4, dtype=dtype, device=device)
    assert tf.einsum("kj,ejbc->ekbc", B, turned, batch="e", out=out) is out
    assert torch.equal(out.cpu().to(wide), expected)
    plan = tf.Plan("kj,ejbc->ekbc", B, x, out, batch="e")
    assert torch.equal(plan(B, x).cpu().to(wide), expected)


def test_tensors_of_a_users_own_class():
    class Own(torch.Tensor):
        pass

    a = torch.ones(3, 3, dtype=torch.float64).as_subclass(Own)
    assert isinstance(tf.einsum("ik,kj->ij", a, a), torch.Tensor)
    needs_gradients = a.clone().requires_grad_()
    with pytest.raises(ValueError, match="detach"):
        tf.einsum("ik,kj->ij", needs_gradients, a)


def test_gradients_are_refused_and_not_lost():
    a = torch.ones(3, 3, dtype=torch.float64, requires_grad=True)
    with pytest.raises(ValueError, match="detach"):
        tf.einsum("ik,kj->ij", a, a)
    result = tf.einsum("ik,kj->ij", a.detach(), a.detach())
    assert torch.equal(result, torch.full((3, 3), 3.0, dtype=torch.float64))


def test_lazy_signs_are_refused_and_not_lost():
    z = torch.tensor([1 + 2j, 3 - 1j])
    with pytest.raises(ValueError, match="operand 1 is conjugated or negated"):
        tf.einsum("i->i", z.conj())
    with pytest.raises(ValueError, match="resolve_neg"):
        tf.einsum("i->i", z.conj().imag)
    with pytest.raises(ValueError, match="out is conjugated"):
        tf.einsum("i->i", z, out=z.clone().conj())
    assert torch.equal(tf.einsum("i->i", z.conj().resolve_conj()), z.conj().resolve_conj())


def test_numpy_and_tensors_together():
    a, b = np.ones((3, 3)), torch.ones(3, 3, dtype=torch.float64)
    assert isinstance(tf.einsum("ik,kj->ij", a, b), np.ndarray)
    assert isinstance(tf.einsum("ik,kj->ij", b, a), torch.Tensor)


def test_one_openmp_library():
    """PyTorch's own where its package has one; two would each have a team of threads."""
    package = tf.config()["package"]
    own = glob.glob(os.path.join(os.path.dirname(torch.__file__), "lib", "libgomp*.so*"))
    assert [package["openmp"]] == ([os.path.realpath(file) for file in own] or package["loaded_openmp"])


@pytest.mark.skipif("cuda" not in DEVICES, reason="no GPU")
def test_work_is_in_the_current_stream():
    """A call behind a long kernel in a stream of PyTorch's waits for that one alone: stream 0 would run too early."""
    stream = torch.cuda.Stream()
    n = 4096
    with torch.cuda.stream(stream):
        a = torch.randn(n, n, device="cuda")
        B = torch.eye(8, device="cuda")
        x = torch.zeros(100000, 8, 8, device="cuda")
        tf.einsum("kj,ejb->ekb", B, x, batch="e")  # compiled before it is timed
        torch.cuda.synchronize()
        for _ in range(20):
            a = a @ a / n
        x.fill_(1)
        y = tf.einsum("kj,ejb->ekb", B, x, batch="e")
        assert not stream.query()  # nothing waited
        assert bool((y == 1).all())


@pytest.mark.skipif("cuda" not in DEVICES, reason="no GPU")
def test_a_stream_that_is_given_waits_for_the_arrays():
    """x is written in the current stream and used in another: DLPack makes that one wait."""
    other = torch.cuda.Stream()
    B = torch.eye(8, device="cuda")
    x = torch.zeros(100000, 8, 8, device="cuda")
    y = torch.zeros_like(x)
    tf.einsum("kj,ejb->ekb", B, x, batch="e", out=y, stream=other)
    torch.cuda.synchronize()
    a = torch.randn(4096, 4096, device="cuda")
    for _ in range(20):
        a = a @ a / 4096
    x.fill_(2)
    tf.einsum("kj,ejb->ekb", B, x, batch="e", out=y, stream=other)
    other.synchronize()
    assert bool((y == 2).all())
