# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of the elements of a box of cells, bent or not."""

from __future__ import annotations

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
    cells = [int(n) for n in cells]
    if not 1 <= len(cells) <= 3 or min(cells) < 1:
        raise ValueError(f"box_nodes: cells is {cells}, not 1 to 3 positive numbers")
    dim = len(cells)
    points = gauss_lobatto(order + 1)[0]
    # Coordinates of direction a along its own two indices of 2 dim, element and node: elements, then nodes, last first.
    parts = []
    for a, n in enumerate(cells):
        line = (np.arange(n)[:, None] + points[None, :]) / n
        shape = [1] * (2 * dim)
        shape[dim - 1 - a], shape[2 * dim - 1 - a] = line.shape
        parts.append(line.reshape(shape))
    whole = np.broadcast_arrays(*parts)
    elements, nodes = int(np.prod(cells)), (order + 1) ** dim
    x = np.stack([part.reshape(elements, nodes) for part in whole])
    if move is not None:
        x = np.stack([np.broadcast_to(part, (elements, nodes)) for part in move(x)])
    return np.ascontiguousarray(x.transpose(1, 0, 2))
