# SPDX-License-Identifier: BSD-3-Clause
"""Functions at quadrature points that numba compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ._core import PointFunction

__all__ = ["point_function"]


@intrinsic
def _pointer(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.intp), generate


_BLOCK = types.Record.make_c_struct(
    [
        ("count", types.int64),
        ("value", types.intp),
        ("gradient", types.intp),
        ("D", types.intp),
        ("value_out", types.intp),
        ("gradient_out", types.intp),
    ]
)


def point_function(
    dim: int,
    *,
    takes: str = "value",
    gives: str = "value",
    components: int = 1,
    test_components: int = 1,
    factors: int = 1,
    dtype: Literal["float64", "float32"] = "float64",
    name: str | None = None,
) -> Callable[[Callable[[Any, Any, Any, Any, Any], None]], PointFunction]:
    """A decorator: a Python function of arrays becomes a compiled PointFunction.

    The function is called as f(value, gradient, D, value_out, gradient_out) for `count` points at once, by several
    threads, and writes every entry of its outputs. Arrays that it neither takes nor gives have no entries.

    Parameters
    ----------
    dim, takes, gives, components, test_components, factors
        As of PointFunction. `value` has the shape (components, count), `gradient` (components, dim, count), `D`
        (factors, count), outputs are like them with `test_components`.
    dtype : str
        The operator's, "float64" or "float32"; another operator is refused.
    name : str, optional
        For describe(); the function's name where it is not given.

    Returns
    -------
    function
        From the function to the PointFunction.

    Examples
    --------
    >>> import numpy as np, tessera_fem as tf
    >>> @point_function(1)
    ... def cube(value, gradient, D, value_out, gradient_out):
    ...     value_out[:] = D * value**3
    >>> op = tf.ElementOperator(function=cube, D=np.ones((2, 3)))
    >>> op(np.full((2, 2), 2.0)).shape
    (2, 2)
    """
    number = np.dtype(dtype).type
    value_taken, gradient_taken = (components if part in takes else 0 for part in ("value", "gradient"))
    value_given, gradient_given = (test_components if part in gives else 0 for part in ("value", "gradient"))

    def compiled(function: Callable[[Any, Any, Any, Any, Any], None]) -> PointFunction:
        inner = numba.njit(function)

        @numba.cfunc(types.void(types.CPointer(_BLOCK), types.voidptr))
        def call(pointer: Any, context: Any) -> None:
            block = numba.carray(pointer, 1)[0]
            n = block.count
            inner(
                numba.carray(_pointer(block.value), (value_taken, n), number),
                numba.carray(_pointer(block.gradient), (gradient_taken, dim, n), number),
                numba.carray(_pointer(block.D), (factors, n), number),
                numba.carray(_pointer(block.value_out), (value_given, n), number),
                numba.carray(_pointer(block.gradient_out), (gradient_given, dim, n), number),
            )

        return PointFunction(
            call,
            dim=dim,
            takes=takes,
            gives=gives,
            components=components,
            test_components=test_components,
            factors=factors,
            dtype=np.dtype(dtype).name,
            name=name or function.__name__,
        )

    return compiled
