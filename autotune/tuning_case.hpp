// SPDX-License-Identifier: BSD-3-Clause
// What gets one winner: a product of fixed sizes in one type, on one target, in one memory regime.
#pragma once

#include <string>

#include <tessera/scalar.hpp>
#include <tessera/target.hpp>
#include <tessera/tuning.hpp>

namespace tessera::tune {

/// Packed column-major C = A B and C += A B; a candidate's time is the geometric mean of both.
struct tuning_case {
  target on = target::reference;
  scalar_type type = scalar_type::f64;
  memory_regime in = memory_regime::cache;
  index_t m = 1, n = 1, k = 1;

  friend bool operator==(const tuning_case&, const tuning_case&) = default;
};

/// "avx2 f64 cache 5x5x5": names a case in journals, recordings and messages.
std::string key_of(const tuning_case& c);

}  // namespace tessera::tune
