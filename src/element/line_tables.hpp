// SPDX-License-Identifier: BSD-3-Clause
// Tables of one direction, (m,n) column-major: what is known of them, and what is made of them.
#pragma once

#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/element/dense_basis.hpp>

namespace tessera::detail {

/// Whether (m,n) is `sign` times itself read from its end.
bool mirrors(const std::vector<double>& entries, index_t m, index_t n, int sign);

/// Whether a table (n,n) is 1 on its diagonal and 0 elsewhere, exactly.
bool is_identity(const std::vector<double>& entries, index_t n);

std::vector<double> transposed_table(const std::vector<double>& entries, index_t m, index_t n);

/// Derivatives (q,n) of n functions with these values (q,n), by C (q,q).
std::vector<double> slopes_of(const std::vector<double>& differentiate, const std::vector<double>& values, index_t q,
                              index_t n);

/// Of all functions of an element, which are products of n of a direction with values (q,n) and derivatives (q,n); the
/// first direction first.
dense_basis product_basis(const std::vector<double>& values, const std::vector<double>& slopes, int q, int n, int dim);

}  // namespace tessera::detail
