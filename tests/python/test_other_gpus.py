# SPDX-License-Identifier: BSD-3-Clause
"""Memory of a GPU that is not there, or not the current one, is refused by name."""

import numpy as np
import pytest
import tessera_fem as tf

HAS_GPU = "cuda" in tf.targets()


class OnGpu:
    """An array of DLPack in the memory of a GPU, which nobody may ask for."""

    def __init__(self, gpu):
        self.gpu = gpu

    def __dlpack_device__(self):
        return 2, self.gpu

    def __dlpack__(self, **_):
        raise AssertionError("another GPU's memory was asked for")


CALLS = [
    lambda a: tf.einsum("ij,jk->ik", a, np.ones((2, 2))),
    lambda a: tf.einsum("ij,jk->ik", np.ones((2, 2)), np.ones((2, 2)), out=a),
    lambda a: tf.Plan("ij,jk->ik", a, a, a),
    lambda a: tf.ElementOperator("mass", a),
    lambda a: tf.ElementOperator("mass", np.array([[[0.0, 1.0]]]))(a),
    lambda a: tf.Restriction([[0, 1]]).to_elements(a),
]


@pytest.mark.parametrize("call", CALLS)
def test_an_array_of_another_gpu(call):
    current = r", and GPU 0 is current: make the other one current \(torch.cuda.device\(77\)"
    kind, words = (ValueError, current) if HAS_GPU else (tf.Error, ": (no usable GPU|this Tessera was built without CUDA)")
    with pytest.raises(kind, match="is in the memory of GPU 77" + words):
        call(OnGpu(77))


def test_managed_memory_is_of_all():
    class Managed(OnGpu):
        def __dlpack_device__(self):
            return 13, self.gpu

    with pytest.raises(AssertionError, match="was asked for"):
        tf.einsum("i->i", Managed(77))


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    if not HAS_GPU or torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    with torch.cuda.device(0):
        yield torch


def test_tensors_of_two_gpus(torch):
    here, there = (torch.ones(2, 2, dtype=torch.float64, device=f"cuda:{gpu}") for gpu in (0, 1))
    plan = tf.Plan("ij,jk->ik", here, here, here.clone())
    for arrays in ([there, there], [here, there]):
        with pytest.raises(ValueError, match=r"operand \d is in the memory of GPU 1, and GPU 0 is current"):
            tf.einsum("ij,jk->ik", *arrays)
    with torch.cuda.device(1):
        assert torch.equal(tf.einsum("ij,jk->ik", there, there), 2 * there)
        with pytest.raises(ValueError, match="operand 1 is on GPU 1, the plan was made for GPU 0"):
            plan(there, there)
    assert torch.equal(plan(here, here), 2 * here)


def test_operators_stay_on_their_gpu(torch):
    nodes = torch.tensor([[[0.0, 6.0]]], dtype=torch.float64, device="cuda:0")
    op = tf.ElementOperator("mass", nodes)
    A = tf.GlobalOperator("mass", nodes, tf.Restriction([[0, 1]]))
    x = torch.ones(1, 2, dtype=torch.float64, device="cuda:1")
    with torch.cuda.device(1):
        for call in (op, A.add):
            arrays = (x,) if call is op else (x[0], x[0].clone())
            with pytest.raises(ValueError, match="x is in the memory of GPU 1, and the operator is on GPU 0"):
                call(*arrays)
        with pytest.raises(ValueError, match="b is in the memory of GPU 1, and A is on GPU 0"):
            tf.conjugate_gradient(A, x[0])
