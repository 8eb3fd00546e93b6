# SPDX-License-Identifier: BSD-3-Clause
"""Operators in PyTorch: their results have gradients, by the transposed operator."""

from __future__ import annotations

import atexit
from typing import Any, Union

import torch

from ._core import ElementOperator, GlobalOperator, _expect_leaks

__all__ = ["Operator", "apply"]

# What graphs of PyTorch keep when Python ends they keep for ever.
atexit.register(_expect_leaks)

AnyOperator = Union[ElementOperator, GlobalOperator]


class _Apply(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, op: AnyOperator, transpose: AnyOperator | None) -> torch.Tensor:
        ctx.op, ctx.transpose = op, transpose
        return op(x.detach().contiguous())

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        # Linear in the gradient again, and differentiable: the transpose of the transpose is the operator.
        transpose = ctx.op.transpose() if ctx.transpose is None else ctx.transpose
        return _Apply.apply(gradient, transpose, ctx.op), None, None

    @staticmethod
    def jvp(ctx: Any, tangent: torch.Tensor, *_: Any) -> Any:
        return _Apply.apply(tangent, ctx.op, ctx.transpose)


def apply(op: AnyOperator, x: torch.Tensor, transpose: AnyOperator | None = None) -> torch.Tensor:
    """y = A x of a tensor, with gradients of any order with respect to x.

    Parameters
    ----------
    op : ElementOperator or GlobalOperator
        Where x is: in host memory, or with target="cuda" on a GPU.
    x : torch.Tensor
        As the operator takes it; one that is not contiguous is copied.
    transpose : ElementOperator or GlobalOperator, optional
        The transposed operator, for gradients. Built-in operators have it by `op.transpose()`; one with a function of
        your own needs it, and is refused without where x needs gradients. The function has to be linear.

    Returns
    -------
    torch.Tensor

    Examples
    --------
    >>> import numpy as np, torch, tessera_fem as tf
    >>> op = tf.ElementOperator("mass", np.array([[[0.0, 6.0]]]), order=1)
    >>> x = torch.ones(1, 2, dtype=torch.float64, requires_grad=True)
    >>> apply(op, x)[0, 0].backward()
    >>> (x.grad * 1000).round()
    tensor([[2000., 1000.]], dtype=torch.float64)
    """
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"tessera_fem.torch.apply: x is a {type(x).__name__}, not a torch.Tensor")
    # ctx.needs_input_grad is also true where gradients are switched off.
    if transpose is None and x.requires_grad and torch.is_grad_enabled():
        transpose = op.transpose()
    y: torch.Tensor = _Apply.apply(x, op, transpose)
    return y


class Operator(torch.nn.Module):
    """An operator as a layer without parameters: forward(x) is apply(op, x).

    Parameters
    ----------
    op, transpose
        As of `apply`.

    Examples
    --------
    >>> import numpy as np, torch, tessera_fem as tf
    >>> layer = Operator(tf.ElementOperator("diffusion", np.array([[[0.0, 1.0]]]), order=1))
    >>> layer(torch.tensor([[0.0, 1.0]], dtype=torch.float64)).round()
    tensor([[-1.,  1.]], dtype=torch.float64)
    """

    def __init__(self, op: AnyOperator, transpose: AnyOperator | None = None) -> None:
        super().__init__()
        self.op = op
        self.transpose = transpose

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return apply(self.op, x, self.transpose)

    def extra_repr(self) -> str:
        return self.op.describe(True)
