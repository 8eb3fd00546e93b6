// SPDX-License-Identifier: BSD-3-Clause
// Checks a result against the einsum summed in long double, with the rounding-error bound of the sums.
#pragma once

#include <vector>

#include "workload.hpp"

namespace tessera::bench {

/// gamma_n = n u / (1 - n u) with u the unit round-off of the type.
double gamma_bound(index_t n, scalar_type type);

/// Of a sum of `inner` terms, relative to sum |a||b| + |beta c|, for float and double gamma_{inner+2}; with one more
/// rounding if results are narrower than sums.
double error_bound(const product_types& types, index_t inner);

/// Of a case: with the roundings of functions of entries and of products that are not exact.
double error_bound(const workload& work);

/// Batch positions to check: the first, the last, and others drawn with a fixed seed, `most` in all.
std::vector<index_t> sample_positions(index_t batch, int most);

struct verdict {
  double error = 0;  // largest |result - reference| / (sum |a||b| + |beta c|)
  double bound = 0;  // error_bound
  bool correct() const { return error <= bound; }
};

/// Compares the output of one run that started from out().initial (or, for beta = 0, from NaN).
verdict check(const workload& work);

}  // namespace tessera::bench
