// SPDX-License-Identifier: BSD-3-Clause
// New arrays for results.
#pragma once

#include <nanobind/nanobind.h>

#include <tessera/core/scalar_type.hpp>
#include <tessera/core/types.hpp>

namespace tessera::python {

namespace nb = nanobind;

/// An array of that shape, contiguous, its entries anything: of the library and the device of `like`, of numpy where
/// that library makes no arrays that can be written.
nb::object new_array_like(nb::handle like, scalar_type type, const index_t* shape, int rank);

}  // namespace tessera::python
