// SPDX-License-Identifier: BSD-3-Clause
// Which entry a thread accesses where neighbouring threads are a stride apart; of the host and of kernels.
#pragma once

namespace tessera::bench {

/// Thread t of n = 2^log_n accesses this entry of n, for a stride of 2^log_stride; each entry is accessed by one
/// thread: column t mod n / stride of a matrix of n / stride columns of length `stride`, row by row. No division: it
/// would cost as much as the access.
constexpr unsigned bijective_index(unsigned t, int log_stride, int log_n) {
  const int log_columns = log_n - log_stride;
  return (t & ((1u << log_columns) - 1)) << log_stride | t >> log_columns;
}

/// The index of Sinkin's thesis, (t stride) mod n: with strides above 1 only n / stride entries are accessed, each by
/// `stride` threads.
constexpr unsigned masked_index(unsigned t, int log_stride, int log_n) {
  return (t << log_stride) & ((1u << log_n) - 1);
}

static_assert(bijective_index(1, 2, 4) == 4 && bijective_index(5, 2, 4) == 5 && bijective_index(15, 2, 4) == 15);
static_assert(masked_index(5, 2, 4) == 4);

}  // namespace tessera::bench
