# SPDX-License-Identifier: BSD-3-Clause
"""Types for annotations of code that calls tessera_fem: what its functions take.

Array is any array that is read where it lies, of numpy, CuPy, PyTorch, JAX or with the buffer protocol. What numpy may
convert is a numpy.typing.ArrayLike instead.

Examples
--------
>>> import numpy as np, tessera_fem as tf
>>> from tessera_fem.annotations import Array
>>> def norm(x: Array) -> float:
...     return float(tf.einsum("i,i->", x, x)) ** 0.5
>>> norm(np.array([3.0, 4.0]))
5.0
"""

from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Protocol, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from ._core import EntryFunction, Operations

__all__ = [
    "Array",
    "Basis",
    "Form",
    "FunctionAddress",
    "Functions",
    "Kind",
    "LinearMap",
    "Matrix",
    "OwnArray",
    "Pair",
    "PointValues",
    "Rule",
    "Shape",
    "Storage",
    "Stream",
]


class _HasBuffer(Protocol):
    def __buffer__(self, flags: int, /) -> memoryview: ...


class _HasDLPack(Protocol):
    def __dlpack__(self, *args: Any, **keywords: Any) -> Any: ...

    def __dlpack_device__(self) -> Tuple[Any, Any]: ...


class _HasDataPointer(_HasDLPack, Protocol):  # PyTorch's tensors
    def data_ptr(self) -> int: ...


class _HasCudaArrayInterface(_HasDLPack, Protocol):  # CuPy's arrays
    @property
    def __cuda_array_interface__(self) -> Any: ...


class _HasCudaStream(Protocol):  # PyTorch's streams
    @property
    def cuda_stream(self) -> Any: ...


class _HasPointer(Protocol):  # CuPy's
    @property
    def ptr(self) -> int: ...


class _HasCudaStreamProtocol(Protocol):  # those of cuda.core
    def __cuda_stream__(self) -> Tuple[int, int]: ...


class _HasHandle(Protocol):  # numba's
    @property
    def handle(self) -> Any: ...


class _HasAddress(Protocol):  # numba's cfunc
    @property
    def address(self) -> int: ...


class _HasResultType(Protocol):  # function pointers of ctypes
    @property
    def restype(self) -> Any: ...


class _HasMatvec(Protocol):
    def matvec(self, x: Any, /) -> Any: ...


class _HasMatmul(Protocol):
    def __matmul__(self, x: Any, /) -> Any: ...


class _SquareWithMatvec(_HasMatvec, Protocol):
    @property
    def shape(self) -> Any: ...


class _SquareWithMatmul(_HasMatmul, Protocol):
    @property
    def shape(self) -> Any: ...


#: An array that is read, or written, where it lies.
Array = Union[_HasBuffer, _HasDLPack]
#: Of a library other than numpy of which results are made, too: PyTorch, CuPy.
OwnArray = Union[_HasDataPointer, _HasCudaArrayInterface]
#: A stream of a GPU: its handle, or an object of PyTorch, CuPy, cuda.core or numba.
Stream = Union[int, _HasCudaStream, _HasPointer, _HasCudaStreamProtocol, _HasHandle]
#: What is given at quadrature points: numbers, or a function of the coordinates.
PointValues = Union[ArrayLike, Array, Callable[[NDArray[Any]], Any]]
#: Compiled code: an address, a cfunc of numba, a function pointer of ctypes.
FunctionAddress = Union[int, _HasAddress, _HasResultType]
#: functions= of einsum and Plan, a dict: names, or functions of one's own.
Functions = Mapping[str, Union[str, "EntryFunction", None]]
#: pair= of einsum and Plan.
Pair = Union[Literal["min_plus", "max_plus", "max_times", "or_and"], "Operations"]
#: What solvers multiply by.
Matrix = Union[_SquareWithMatvec, _SquareWithMatmul]
#: What may precondition.
LinearMap = Union[_HasMatvec, _HasMatmul, Callable[[NDArray[Any]], Any]]

#: Operators.
Kind = Literal["mass", "diffusion", "helmholtz", "convection", "elasticity", "advection_diffusion"]
Basis = Literal["gauss_lobatto", "gauss", "bernstein"]
Rule = Literal["gauss", "gauss_lobatto"]
Shape = Literal["cube", "simplex"]
Form = Literal["stored", "matrix_free"]
Storage = Literal["same", "float"]

# Of the stubs: a result is an array like the one that is given.
_ArrayT = TypeVar("_ArrayT", bound=Array)
_OwnT = TypeVar("_OwnT", bound=OwnArray)
_ScalarT = TypeVar("_ScalarT", bound=np.generic)
