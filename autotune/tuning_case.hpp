// SPDX-License-Identifier: BSD-3-Clause
// What gets one winner: a product of fixed sizes in one type, on one target, in one memory regime.
#pragma once

#include <string>

#include <tessera/core/lie.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>
#include <tessera/tuning.hpp>

namespace tessera::tune {

/// Packed C = A B and C += A B, column-major or, on a GPU, as `lies` says; a candidate's time is the geometric mean of
/// both.
struct tuning_case {
  target on = target::reference;
  scalar_type type = scalar_type::f64;
  memory_regime in = memory_regime::cache;
  index_t m = 1, n = 1, k = 1;
  packed_lies lies = {};

  friend bool operator==(const tuning_case&, const tuning_case&) = default;
};

/// "avx2 f64 cache 5x5x5", "cuda f64 stream 3x4x2, A shared": names a case in journals, recordings and messages.
std::string key_of(const tuning_case& c);

}  // namespace tessera::tune
