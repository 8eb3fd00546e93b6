// SPDX-License-Identifier: BSD-3-Clause
// What the kernels with everything at run time are given: lists of digits with offsets in bytes, types, functions and
// the way to go. Numbers of entries become offsets by division with a multiplication.
#pragma once

#include <optional>

#include <tessera/detail/general_kind.hpp>
#include <tessera/gpu/detail/general/any_functions.hpp>
#include <tessera/gpu/detail/general/arguments.hpp>

#include <tessera/core/general.hpp>

namespace tessera::device {

/// Quotients by one number: of numbers below 2^31 by a multiplication, of others by the processor's division.
struct any_divisor {
  index_t by = 1;
  unsigned magic = 0, shift = 0;

  any_divisor() = default;
  /// Rounded up by at most 2^shift / 2^(31 + shift) of a number below 2^31, which is too little to reach the next one.
  constexpr explicit any_divisor(index_t n) : by(n) {
    if (n < 1 || n >= limit) return;
    while ((index_t(1) << shift) < n) ++shift;
    magic = unsigned((1ULL << (31 + shift)) / static_cast<unsigned long long>(n) + 1);
  }
  static constexpr index_t limit = index_t(1) << 31;

  /// `wide`: x or the divisor may be 2^31 or more.
  constexpr index_t quotient(index_t x, bool wide) const {
    if (wide) return x / by;
    return index_t(static_cast<unsigned long long>(static_cast<unsigned>(x)) * magic >> (31 + shift));
  }
};

/// Offsets in bytes, in the operands.
struct any_place {
  index_t left = 0, right = 0, out = 0, addend = 0;
};

struct any_digit {
  any_divisor extent;
  any_place stride;
};

/// The first one counts fastest.
struct any_digits {
  static constexpr int most = max_rank + 1;  // a list with a digit in two parts, or with the batch
  index_t size = 1;
  int count = 0;
  any_digit at[most]{};

  constexpr any_place place(index_t number, bool wide) const {
    any_place sum;
    for (int i = 0; i < count; ++i) {
      const any_digit& d = at[i];
      const index_t rest = i + 1 < count ? d.extent.quotient(number, wide) : 0, x = number - rest * d.extent.by;
      sum.left += x * d.stride.left;
      sum.right += x * d.stride.right;
      sum.out += x * d.stride.out;
      sum.addend += x * d.stride.addend;
      number = rest;
    }
    return sum;
  }
};

struct any_types {
  any_type left = any_type::f64, right = any_type::f64, out = any_type::f64, sum = any_type::f64;
  std::optional<any_type> addend{};  // of a tensor of its own
  bool reads_out = false;            // the output is the addend
  bool left_conjugated = false, right_conjugated = false;
};
/// Of every member but `by` and `functions`.
any_types any_types_of(const tessera::detail::general_kind& kind);
bool any_can(const any_types& types, const any_functions& functions);

inline constexpr int any_threads = 256, any_threads_log = 8;  // of a block

/// How outputs are shared out: tiles of 64 x 64 of a block; tiles of 16 x 16, each sum being split in 16; or one output
/// by one thread or several, a power of two, which split its sum.
enum class any_way { large_tiles, small_tiles, single };

/// An argument of a kernel: at most 4 KiB.
struct any_work {
  any_digits rows, cols, inner, batch;
  const char *left = nullptr, *right = nullptr, *addend = nullptr;  // without an addend null
  char* out = nullptr;
  complex<double> alpha = 1, beta = 0;
  any_functions functions;
  any_type left_type = any_type::f64, right_type = any_type::f64, out_type = any_type::f64, sum_type = any_type::f64,
           addend_type = any_type::f64;
  bool left_conjugated = false, right_conjugated = false;
  bool wide = false;                                     // numbers reach 2^31
  bool left_along_sum = false, right_along_sum = false;  // entries that lie side by side are of the sum
  bool out_along_cols = false;                           // of an output, they are of a row
  any_way way = any_way::large_tiles;
  int lanes_log = 0;  // of any_way::single: log2 of the number of outputs of a block's threads
  index_t tiles = 0;  // of all tensors
  // In a tensor: tiles of rows and of columns; of any_way::single groups of outputs, and all rows.
  any_divisor tiles_down, tiles_across;
};

static_assert(sizeof(any_work) <= 4096);

/// The work of a contraction; one of no outputs has no tiles. The way depends on the form alone, unless it is given.
any_work any_work_of(const general_form& form, const any_types& types, const any_functions& functions,
                     const general_arguments& of, index_t batch, std::optional<any_way> way = {});

/// Queues it. Throws status::no_device without a GPU.
void queue_any(const any_work& work, void* stream);

}  // namespace tessera::device
