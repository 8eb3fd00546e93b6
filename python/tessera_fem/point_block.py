# SPDX-License-Identifier: BSD-3-Clause
"""The argument of a point function, for ctypes: blocks of quadrature points, and the type of the function's pointer."""

from __future__ import annotations

import ctypes
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["POINT_FUNCTION", "PointBlock"]


class PointBlock(ctypes.Structure):
    """Points of some elements; PointFunction says where each number is.

    Examples
    --------
    >>> import ctypes, numpy as np
    >>> u = np.array([1.0, 2.0])
    >>> block = PointBlock(count=2, value=u.ctypes.data)
    >>> block.array("value", 1)
    array([[1., 2.]])
    """

    _fields_ = [
        ("count", ctypes.c_int64),
        ("value", ctypes.c_void_p),
        ("gradient", ctypes.c_void_p),
        ("D", ctypes.c_void_p),
        ("value_out", ctypes.c_void_p),
        ("gradient_out", ctypes.c_void_p),
    ]

    count: int

    def array(
        self,
        name: Literal["value", "gradient", "D", "value_out", "gradient_out"],
        quantities: int,
        dtype: Literal["float64", "float32"] = "float64",
    ) -> NDArray[Any]:
        """The numbers of a member as an array (quantities, count) that lasts as long as the call.

        Parameters
        ----------
        name : str
            "value", "gradient", "D", "value_out" or "gradient_out".
        quantities : int
            Numbers of a point: components, components times dim, or factors.
        dtype : str
            The operator's.
        """
        address = getattr(self, name)
        if address is None:
            raise ValueError(f"the function is not given {name}; see takes and gives of its PointFunction")
        kind = ctypes.c_double if np.dtype(dtype) == np.float64 else ctypes.c_float
        pointer = ctypes.cast(address, ctypes.POINTER(kind))
        return np.ctypeslib.as_array(pointer, (quantities, self.count))


#: The type of a point function for ctypes: a decorator, or what the pointer of a shared library is cast to.
POINT_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.POINTER(PointBlock), ctypes.c_void_p)
