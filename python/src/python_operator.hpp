// SPDX-License-Identifier: BSD-3-Clause
// What solvers call: functions and matrices of Python as operators.
#pragma once

#include <nanobind/nanobind.h>

#include <tessera/solver/linear_operator.hpp>

namespace tessera::python {

namespace nb = nanobind;

/// y = A x of an object with `matvec` or `@`, or of a function of x that gives y: numpy arrays in host memory, a new x
/// for each call. It may be copied and called without the interpreter's lock, and ends with it.
template <class T>
linear_operator<T> python_operator(nb::handle A, index_t size, const char* name);

}  // namespace tessera::python
