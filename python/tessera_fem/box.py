# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of the elements of a box of cells, bent or not."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import gauss_lobatto

__all__ = ["box_nodes"]


def box_nodes(
    cells: Sequence[int] | NDArray[np.integer[Any]],
    order: int = 1,
    move: Callable[[NDArray[np.float64]], NDArray[Any] | Sequence[ArrayLike]] | None = None,
) -> NDArray[np.float64]:
    """Nodes of elements in the unit segment, square or cube, cut into cells.

    Elements and nodes are numbered as by Restriction.box, first direction fastest.

    Parameters
    ----------
    cells : sequence of int
        1 to 3 numbers of cells.
    order : int
        Of the elements' geometry: order + 1 nodes in each direction, Gauss-Lobatto points.
    move : function, optional
        Where points go: it gets an array (dim, ...) of coordinates and gives one like it, or a list of dim arrays.

    Returns
    -------
    array (elements, dim, nodes)

    Examples
    --------
    >>> import tessera_fem as tf
    >>> tf.box_nodes([2])
    array([[[0. , 0.5]],
    <BLANKLINE>
           [[0.5, 1. ]]])
    """
    counts = _counts(cells)
    dim = len(counts)
    if not isinstance(order, (int, np.integer)) or isinstance(order, bool):
        raise TypeError(f"box_nodes: order is {order!r}, not a positive integer")
    if order < 1:
        raise ValueError(f"box_nodes: order is {order}, not a positive integer")
    if move is not None and not callable(move):
        raise TypeError(f"box_nodes: move is {move!r}, not a function of an array (dim, ...)")
    points = gauss_lobatto(order + 1)[0]
    # Coordinates of direction a along its own two indices of 2 dim, element and node: elements, then nodes, last first.
    parts = []
    for a, n in enumerate(counts):
        line = (np.arange(n)[:, None] + points[None, :]) / n
        shape = [1] * (2 * dim)
        shape[dim - 1 - a], shape[2 * dim - 1 - a] = line.shape
        parts.append(line.reshape(shape))
    whole = np.broadcast_arrays(*parts)
    elements, nodes = int(np.prod(counts)), (order + 1) ** dim
    x = np.stack([part.reshape(elements, nodes) for part in whole])
    if move is not None:
        x = _moved(move(x), x.shape)
    return np.ascontiguousarray(x.transpose(1, 0, 2))


def _counts(cells: Any) -> list[int]:
    wanted = "a list of 1 to 3 positive integers, such as [4] for a segment or [4, 3] for a square"
    try:
        if isinstance(cells, (str, bytes)):
            raise TypeError
        counts = [operator.index(n) for n in cells]
    except TypeError:
        raise TypeError(f"box_nodes: cells is {cells!r}, not {wanted}") from None
    if not 1 <= len(counts) <= 3 or min(counts) < 1:
        raise ValueError(f"box_nodes: cells is {counts}, not {wanted}")
    return counts


def _moved(given: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    dim, *rest = shape
    try:
        parts = [np.asarray(part, dtype=np.float64) for part in given]
    except TypeError:
        raise TypeError(
            f"box_nodes: move gives a {type(given).__name__}, not an array {shape} or a list of {dim} arrays"
        ) from None
    shapes = [part.shape for part in parts]
    if len(parts) == dim:
        try:
            return np.stack([np.broadcast_to(part, rest) for part in parts])
        except ValueError:
            pass
    raise ValueError(f"box_nodes: move gives {len(parts)} parts of the shapes {shapes}, not {dim} of {tuple(rest)}")
