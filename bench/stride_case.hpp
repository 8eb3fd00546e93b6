// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores by strides on the CPU or a GPU, checked entry by entry, and what the models say of their times.
#pragma once

#include <tessera/memory.hpp>

#include "prediction.hpp"
#include "reference.hpp"

namespace tessera::bench {

class stride_case {
 public:
  /// Two arrays of this many floats, a power of 2.
  stride_case(space_kind space, unsigned entries, int threads);

  /// Queues a pass, on a CPU runs it: to[i] = from[i] + stride, by every thread or iteration for one i.
  void run(unsigned stride, bool masked);
  /// Fills `to` with NaN, runs a pass and compares all entries; the error is the number of wrong ones. Masked passes
  /// must leave the entries alone that they do not reach.
  verdict check(unsigned stride, bool masked);

  /// Of a pass: each thread loads an entry and stores one.
  double useful_bytes() const { return useful_bytes_of(entries_); }
  static constexpr double useful_bytes_of(unsigned entries) { return 2.0 * sizeof(float) * entries; }
  /// What memory moves at once: a sector of 32 bytes on a GPU, a line of 64 on a CPU.
  double sector_bytes() const { return space_ == space_kind::gpu ? 32 : 64; }
  /// Whole sectors for every access, from the level that holds all sectors that are reached.
  prediction predicted(unsigned stride, bool masked, memory_model& memory) const;

 private:
  space_kind space_;
  unsigned entries_;
  int threads_;
  buffer from_, to_;
};

}  // namespace tessera::bench
