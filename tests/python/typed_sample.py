# SPDX-License-Identifier: BSD-3-Clause
"""Code that test_types.py has mypy check. It is not run.

Lines with "type: ignore" are mistakes: mypy complains of a comment that nothing is wrong with.
"""

import ctypes
from array import array
from typing import Any, Tuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import tessera_fem as tf
from tessera_fem import tune
from tessera_fem.annotations import Array, Kind, Stream
from tessera_fem.point_block import POINT_FUNCTION, PointBlock

B = np.ones((5, 4), np.float32)
x = np.ones((100, 4, 4, 4), np.float32)
y = np.empty((100, 5, 4, 4), np.float32)


class Tensor:
    """As PyTorch's: results are made of its library."""

    def __dlpack__(self, *, stream: Any = None) -> object:
        return stream

    def __dlpack_device__(self) -> Tuple[int, int]:
        return 1, 0

    def data_ptr(self) -> int:
        return 0


class TensorStream:
    cuda_stream: int


def square(of: Array, stream: Stream) -> float:
    return float(tf.einsum("i,i->", of, of, stream=stream))


def contractions(t: Tensor, s: TensorStream) -> None:
    assert_type(tf.einsum("kj,ejbc->ekbc", B, x, batch="e", threads=2), NDArray[np.float32])
    assert_type(tf.einsum("kj,ejbc->ekbc", t, x, batch="e", stream=s), Tensor)
    tf.einsum("kj,ejbc->ekbc", B, x, out=y, alpha=2j, beta=1.0, functions={"result": "relu"}).mean()
    assert_type(tf.einsum("kj,ejbc->ekbc", B, x, out=t), Tensor)
    half = tf.EntryFunction(source="x / 2")
    tf.einsum("i,i->", B, B, functions={"a": half, "b": "relu"}, pair=tf.Operations(neutral=0, multiply_source="x * y"))
    tf.einsum("i,i->", B, B, pair="min_plus", functions={"a": half})
    tf.einsum("i,i->", B, B, pair="plus_min")  # type: ignore[call-overload]
    tf.EntryFunction("x / 2")  # type: ignore[arg-type]
    tf.einsum("i,i->", array("d", [1.0]), memoryview(b""), (ctypes.c_double * 3)(), stream=7)
    tf.einsum("i,i->", B, B, bath="e")  # type: ignore[call-overload]
    tf.einsum("i,i->", B, B, regime="memory")  # type: ignore[call-overload]
    tf.einsum("i,i->", [1.0], [1.0])  # type: ignore[call-overload]
    plan = tf.Plan("kj,ejbc->ekbc", B, x, y, batch="e")
    plan.run(B, x, y).sum()
    plan.run(B, x, t)
    assert_type(plan(B, x), NDArray[np.float32])
    assert_type(plan(B, x, out=t), Tensor)
    assert_type(plan.describe(brief=True), str)
    tf.Plan("i,i->", B, B, out=y)  # type: ignore[call-arg]


def operators(kind: Kind, t: Tensor) -> None:
    nodes = tf.box_nodes([4, 4], move=lambda p: [p[0], p[1] ** 2])
    assert_type(nodes, NDArray[np.float64])
    op = tf.ElementOperator(kind, nodes, order=3, coefficients=[1.0, 0.0, 1.0], tables=None)
    u = np.ones(op.shape_in)
    assert_type(op(u), NDArray[np.float64])
    assert_type(op(t), Tensor)
    assert_type(op(u, t, elements=slice(0, 2)), Tensor)
    op.add(u, u, elements=[0, 1]).sum()
    assert_type(op @ u.ravel(), NDArray[Any])
    assert_type(op.T.shape, Tuple[int, int])
    assert_type(op.data(0, 1), NDArray[Any])
    op(u, elements=[1])  # type: ignore[call-overload]
    tf.ElementOperator("mas", nodes)  # type: ignore[arg-type]
    tf.ElementOperator("mass", nodes, ordr=2)  # type: ignore[call-arg]

    faces = tf.box_faces([4, 4])
    fixed = tf.numbers_on(tf.Restriction.box([4, 4], order=3), faces, 2, order=3)
    unknowns = tf.Restriction.box([4, 4], order=3, constrained=fixed)
    A = tf.GlobalOperator("diffusion", nodes, unknowns, order=3)
    at = tf.ElementPoints(nodes, order=3)
    b = at.load(lambda p: np.sin(p[0]), unknowns)
    assert_type(b, NDArray[Any])
    b[unknowns.constrained] = 0
    A.eliminate(b)
    found, result = tf.conjugate_gradient(A, b, preconditioner=A.matvec, callback=lambda i, r: print(i, r))
    assert_type(found, NDArray[Any])
    assert_type(result.eigenvalues, Tuple[float, float])
    assert_type(tf.conjugate_gradient(np.eye(3), np.ones(3), t)[0], Tensor)
    tf.conjugate_gradient(A, b, norm="l2")  # type: ignore[call-overload]
    assert_type(at.l2_error(found, 1.0, unknowns), float)
    assert_type(unknowns.to_elements(found), NDArray[Any])
    assert_type(A.dtype, np.dtype[Any])


def cube(block: Any, context: Any) -> None:
    points: PointBlock = block.contents
    points.array("value_out", 1)[:] = points.array("value", 1) ** 3


def others() -> None:
    pointer = POINT_FUNCTION(cube)
    tf.PointFunction(pointer, dim=1, dtype=np.float64)
    tf.PointFunction(lambda: 0, dim=1)  # type: ignore[arg-type]
    tf.PointFunction(pointer)  # type: ignore[call-arg]
    assert_type(tf.limits(threads=[1])[0]["median"], Any)
    tf.limits(threads=2)  # type: ignore[arg-type]
    tf.show_config()
    assert_type(tf.__version__, str)
    assert_type(tune.run("--help"), int)
    assert_type(tf.gauss(3)[0], NDArray[np.float64])
