# SPDX-License-Identifier: BSD-3-Clause
"""Operators on PyTorch's tensors, and their gradients."""

import doctest
import subprocess
import sys

import numpy as np
import pytest
import reference
import tessera_fem as tf
from tessera_fem.point_block import POINT_FUNCTION

torch = pytest.importorskip("torch")
tensors = pytest.importorskip("tessera_fem.torch")

KINDS = ["mass", "diffusion", "helmholtz", "convection", "elasticity", "advection_diffusion"]
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() and "cuda" in tf.targets() else [])


def bent_nodes(device):
    x = tf.box_nodes([2, 1], 1, reference.bent)
    return torch.tensor(x.tolist(), dtype=torch.float64, device=device)


def random_tensor(shape, device, seed=1):
    torch.manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64).to(device).requires_grad_()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", KINDS)
def test_gradients(kind, device):
    op = tf.ElementOperator(kind, bent_nodes(device), order=2, test_order=1, points=4)
    x = random_tensor(op.shape_in, device)
    assert torch.autograd.gradcheck(lambda t: tensors.apply(op, t), (x,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(lambda t: tensors.apply(op, t) ** 2, (x,))
    y = tensors.apply(op, x)
    assert y.device == x.device and y.dtype == x.dtype and tuple(y.shape) == op.shape_out


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", ["diffusion", "convection", "advection_diffusion"])
def test_gradients_between_unknowns(kind, device):
    unknowns = tf.Restriction.box([2, 1], order=2, constrained=[0, 3])
    A = tf.GlobalOperator(kind, bent_nodes(device), unknowns, order=2)
    x = random_tensor((A.shape[1],), device)
    assert torch.autograd.gradcheck(tensors.Operator(A), (x,))
    loss = (tensors.apply(A, x) ** 2).sum()
    loss.backward()
    y = A(x.detach())
    wanted = 2 * (A.T)(y)
    torch.testing.assert_close(x.grad, wanted)


@pytest.mark.parametrize("device", DEVICES)
def test_tensors_in_place_and_new(device):
    op = tf.ElementOperator("mass", bent_nodes(device), order=2)
    x = random_tensor(op.shape_in, device).detach()
    y = op(x)
    assert isinstance(y, torch.Tensor) and y.device == x.device
    out = torch.zeros(op.shape_out, dtype=torch.float64, device=device)
    assert op(x, out) is out
    torch.testing.assert_close(out, y, rtol=0, atol=0)
    strided = torch.zeros(2, 9, 2, dtype=torch.float64, device=device)[:, :, 0]
    op(x, strided)
    torch.testing.assert_close(strided, y, rtol=1e-14, atol=1e-14)
    matrices = torch.tensor(op.matrices().tolist(), dtype=torch.float64, device=device)
    torch.testing.assert_close(torch.einsum("eij,ej->ei", matrices, x), y)


def test_expanded_gradient_and_other_strides():
    op = tf.ElementOperator("convection", bent_nodes("cpu"), order=1)
    x = random_tensor((4, 2), "cpu").detach().t().requires_grad_()
    tensors.apply(op, x).sum().backward()
    wanted = op.T(torch.ones(op.shape_out, dtype=torch.float64))
    torch.testing.assert_close(x.grad, wanted)


def test_no_gradient_needs_no_transpose():
    calls = []

    @POINT_FUNCTION
    def double(block, context):
        b = block.contents
        b.array("value_out", 1)[:] = 2 * b.array("D", 1) * b.array("value", 1)
        calls.append(b.count)

    D = np.ones((1, 3))
    op = tf.ElementOperator(function=tf.PointFunction(double, dim=1), D=D)
    wanted = 2 * torch.tensor(tf.ElementOperator("mass", D=D, dim=1).matrices()[0].tolist(), dtype=torch.float64)
    x = random_tensor((1, 2), "cpu")
    torch.testing.assert_close(tensors.apply(op, x.detach()), x.detach() @ wanted)
    with torch.no_grad():
        torch.testing.assert_close(tensors.apply(op, x), x @ wanted)
    assert len(calls) == 2
    with pytest.raises(ValueError, match="the transpose of a user's function, 1-D: .* is not known"):
        tensors.apply(op, x)
    assert len(calls) == 2  # refused before anything is computed
    tensors.apply(op, x, transpose=op).sum().backward()
    torch.testing.assert_close(x.grad, wanted.sum(dim=0)[None])


class Counting:
    """An operator that counts how often its transpose is asked for."""

    def __init__(self, op):
        self.op, self.transposes = op, 0

    def __call__(self, x):
        return self.op(x)

    def transpose(self):
        self.transposes += 1
        return self.op.transpose()


def test_the_transpose_is_made_where_gradients_are_needed():
    op = Counting(tf.ElementOperator("convection", bent_nodes("cpu"), order=1))
    x = random_tensor((2, 4), "cpu")
    layer = tensors.Operator(op)
    layer(x.detach())
    with torch.no_grad():
        layer(x)
    with torch.inference_mode():
        layer(x)
    assert op.transposes == 0
    y = layer(x)
    assert op.transposes == 1
    y.sum().backward()
    torch.testing.assert_close(x.grad, op.op.T(torch.ones_like(y)))
    # A tangent that needs gradients, of an x that needs none.
    tangent = random_tensor((2, 4), "cpu", 2)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x.detach(), tangent)
        _, along = torch.autograd.forward_ad.unpack_dual(layer(dual))
        along.sum().backward()
    torch.testing.assert_close(tangent.grad, x.grad)


def test_given_transpose():
    nodes = bent_nodes("cpu")
    op = tf.ElementOperator("convection", nodes, order=1)
    x = random_tensor(op.shape_in, "cpu")
    assert torch.autograd.gradcheck(tensors.Operator(op, transpose=op.transpose()), (x,))


def test_mistakes():
    op = tf.ElementOperator("mass", bent_nodes("cpu"), order=1)
    with pytest.raises(TypeError, match="x is a ndarray, not a torch.Tensor"):
        tensors.apply(op, np.ones(op.shape_in))
    with pytest.raises(TypeError, match="x has entries of float32, not float64"):
        tensors.apply(op, torch.ones(op.shape_in, dtype=torch.float32))
    assert "mass 2-D" in repr(tensors.Operator(op))


def test_vectors_for_solvers():
    A = tf.GlobalOperator("diffusion", bent_nodes("cpu"), tf.Restriction.box([2, 1], order=2, constrained=[0]), order=2)
    x = random_tensor((2 * A.shape[1],), "cpu").detach()[::2]
    y = A @ x
    assert isinstance(y, torch.Tensor)
    torch.testing.assert_close(y, A(x.contiguous()), rtol=0, atol=0)
    b = torch.ones(A.shape[0], dtype=torch.float64)
    u, result = tf.conjugate_gradient(A, b, tolerance=1e-10)
    assert isinstance(u, torch.Tensor) and result.converged
    torch.testing.assert_close(A(u), b, rtol=1e-8, atol=1e-8)
    assert isinstance(A.diagonal(), torch.Tensor)


def test_examples_of_docstrings():
    assert doctest.testmod(tensors).attempted > 0 and doctest.testmod(tensors).failed == 0


def test_graphs_that_are_there_at_exit():
    """PyTorch does not let go of them then; nothing is reported."""
    code = (
        "import numpy as np, torch, tessera_fem as tf, tessera_fem.torch\n"
        "op = tf.ElementOperator('mass', tf.box_nodes([2]))\n"
        "y = tessera_fem.torch.apply(op, torch.ones(2, 2, dtype=torch.float64, requires_grad=True))\n"
        "print(y.sum().item())"
    )
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "1.0\n"), ended.stderr
    assert "nanobind" not in ended.stderr  # PyTorch itself may have something to say about its numpy
