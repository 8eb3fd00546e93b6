// SPDX-License-Identifier: BSD-3-Clause
// Nested loops over entries that lie at constant distances in several arrays at once.
#pragma once

#include <tessera/core/address.hpp>

namespace tessera::detail {

/// One loop; the distances of its entries in each of N arrays.
template <int N>
struct entry_loop {
  index_t extent;
  index_t step[N];
};

/// Loops, the fastest first. A loop that continues the one before in every array becomes a part of it.
template <int N>
class entry_nest {
 public:
  void add(const entry_loop<N>& next) {
    if (next.extent == 1) return;
    if (count_ > 0 && continues(loops_[count_ - 1], next))
      loops_[count_ - 1].extent *= next.extent;
    else
      loops_[count_++] = next;
  }

  /// f(at, inner, outer) for every step of all loops but the two fastest, which are f's: `at` has the offsets of their
  /// first entries.
  template <class F>
  void each(const F& f) const {
    const entry_loop<N> once{1, {}};
    const entry_loop<N>&inner = count_ > 0 ? loops_[0] : once, &outer = count_ > 1 ? loops_[1] : once;
    index_t at[N] = {}, done[most] = {};
    const auto move = [&](const entry_loop<N>& by, index_t times) {
      for (int i = 0; i < N; ++i) at[i] += times * by.step[i];
    };
    for (;;) {
      f(at, inner, outer);
      int l = 2;
      for (; l < count_; ++l) {
        move(loops_[l], 1);
        if (++done[l] < loops_[l].extent) break;
        move(loops_[l], -loops_[l].extent);
        done[l] = 0;
      }
      if (l >= count_) return;
    }
  }

 private:
  static constexpr int most = max_rank + 4;  // rows, columns, loop steps, lanes and blocks of them

  static bool continues(const entry_loop<N>& last, const entry_loop<N>& next) {
    for (int i = 0; i < N; ++i)
      if (next.step[i] != last.step[i] * last.extent) return false;
    return true;
  }

  entry_loop<N> loops_[most];
  int count_ = 0;
};

}  // namespace tessera::detail
