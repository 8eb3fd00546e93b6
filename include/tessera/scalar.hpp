// SPDX-License-Identifier: BSD-3-Clause
// The types of entries and products of compiled kernels, as values, and their names.
#pragma once

#include <string>

#include <tessera/core/product_types.hpp>

namespace tessera {

/// "f32, f64, c32, ...": the names of all products that there are kernels for.
std::string known_product_names();

}  // namespace tessera
