// SPDX-License-Identifier: BSD-3-Clause
// The dense tables of functions that are products of those of one direction.
#pragma once

#include <vector>

#include <tessera/element/dense_basis.hpp>

namespace tessera::detail {

/// Of n functions with values (q,n) and derivatives (q,n) in each direction; the first direction first.
dense_basis product_tables(const std::vector<double>& values, const std::vector<double>& slopes, int q, int n, int dim);

}  // namespace tessera::detail
