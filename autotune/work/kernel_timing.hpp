// SPDX-License-Identifier: BSD-3-Clause
// Times candidates of one case over operands in cache, or over more memory than the caches hold.
#pragma once

#include <array>
#include <map>
#include <string>

#include "work/guarded_buffer.hpp"
#include "work/kernel_check.hpp"

namespace tessera::tune {

/// Bytes of all operands: half of L2, or four times the last-level cache and at least 256 MiB.
std::size_t operand_bytes(memory_regime in);

struct timed {
  double seconds = 0;  // of one product: the geometric mean of C = A B and C += A B
  bool disturbed = false;
};

template <class T>
class timing_ground {
 public:
  explicit timing_ground(const tuning_case& c);

  /// Both modes for at least `least` seconds each. A sample that the system interrupted is repeated, at most four
  /// times.
  timed sample(kernel<T> f, double least);

  bool is_intact() const { return a_.is_intact() && b_.is_intact() && c_.is_intact(); }
  index_t batch() const { return problem_.batch; }

 private:
  using buffer = guarded_buffer<T>;

  double seconds_of(kernel<T> f, bool add, double least);
  index_t run_steps(kernel<T> f, long steps);  // returns the number of products

  memory_regime in_;
  product_size size_;
  problem<T> problem_;
  struct {
    std::size_t left, right, out;
  } entries_;
  large_pages memory_;
  buffer a_, b_, c_;  // one behind the other
  // Streamed: a step is a window of the batch, and the next sample continues where the last one ended, so that a window
  // is reused only after all of the memory. In cache: a step is the whole batch.
  index_t window_, next_ = 0;
  std::map<kernel<T>, std::array<long, 2>> steps_;  // that take long enough, of C = A B and C += A B
};

}  // namespace tessera::tune
