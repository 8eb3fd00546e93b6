// SPDX-License-Identifier: BSD-3-Clause
// Errors of sums: how much rounding can change them, and how much what is summed makes of it.
#pragma once

#include <vector>

namespace tessera::bench::models {

/// gamma_k = k u / (1 - k u), of k terms rounded with the relative error u each: a product x.y of that many is off by
/// at most gamma_k |x|.|y|. Throws where k u is not below 1: then nothing is known.
double rounding_bound(double terms, double unit_roundoff);

/// (|x| + |y|) / |x + y|; infinite where they cancel.
double sum_condition(double x, double y);

/// |x|.|y| / |x.y|; infinite where the terms cancel.
double dot_condition(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace tessera::bench::models
