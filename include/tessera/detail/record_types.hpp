// SPDX-License-Identifier: BSD-3-Clause
// The types in the generated header of embedded tuning records: winners, and the files that they come from.
#pragma once

#include <tessera/core/packed_layout.hpp>
#include <tessera/core/types.hpp>
#include <tessera/detail/gpu_tuning.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// A record file: the device that its winners were measured on.
struct record_origin {
  const char* device;      // "AMD EPYC (family 25, model 17)"
  target on;               // its instruction set, or cuda
  int compute_capability;  // 90 for 9.0; 0 on a CPU
  bool users;              // given with -DTESSERA_RECORDS
};

/// The second best tuning of a measurement; may be absent.
template <class Tuning>
struct runner_up {
  Tuning tuning{};
  double slower = 0;  // its time divided by the winner's; 0: absent

  /// True if it is so close that the winner needs no kernel of its own when one of this tuning is compiled anyway.
  constexpr bool is_as_good() const { return slower > 0 && slower <= 1.03; }
};

/// A winner: packed C = A B of one size, in one type and memory regime; column-major, or, on a GPU, as `layouts` says.
template <class Tuning>
struct tuned_gemm {
  target on;
  scalar_type type;
  memory_regime in;
  index_t m, n, k;
  int origin;  // index into record_origins
  bool stale;  // the kernels have changed since
  Tuning tuning;
  packed_layouts layouts = {};  // on a GPU
  runner_up<Tuning> second{};
};

/// Where the tuning of a compiled row comes from.
enum class evidence {
  recorded,  // a record of these sizes
  built_in,  // measured before there were record files
  nearest,   // the record of the nearest size
  model,     // no measurement
};

struct product_size {
  index_t m = 0, n = 0, k = 0;
  friend constexpr bool operator==(const product_size&, const product_size&) = default;
};

/// The tuning does not come from a record file.
inline constexpr int no_origin = -1;

namespace detail {

/// The squared distance of two sizes.
constexpr index_t distance(const product_size& a, const product_size& b) {
  return (a.m - b.m) * (a.m - b.m) + (a.n - b.n) * (a.n - b.n) + (a.k - b.k) * (a.k - b.k);
}

/// A tuning is used for other sizes within a quarter of the record's: further away the model is better.
constexpr bool is_near(const product_size& record, const product_size& wanted) {
  return 16 * distance(record, wanted) <= distance(record, {});
}

}  // namespace detail

}  // namespace tessera
