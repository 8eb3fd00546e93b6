// SPDX-License-Identifier: BSD-3-Clause
// Which entry a thread accesses where neighbouring threads are a stride apart; of the host and of kernels.
#pragma once

namespace tessera::bench {

/// Thread t of n accesses this entry of n: each entry is accessed by one thread. `stride` divides n, and both are
/// powers of 2: column t % (n / stride) of a matrix of n / stride columns of length `stride`, row by row.
constexpr unsigned bijective_index(unsigned t, unsigned stride, unsigned n) {
  const unsigned columns = n / stride;
  return (t & (columns - 1)) * stride + t / columns;
}

/// The index of paper 003: with strides above 1 only n / stride entries are accessed, each by `stride` threads.
constexpr unsigned masked_index(unsigned t, unsigned stride, unsigned n) { return (t * stride) & (n - 1); }

static_assert(bijective_index(1, 4, 16) == 4 && bijective_index(5, 4, 16) == 5 && bijective_index(15, 4, 16) == 15);
static_assert(masked_index(5, 4, 16) == 4);

}  // namespace tessera::bench
