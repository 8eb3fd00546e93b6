// SPDX-License-Identifier: BSD-3-Clause
// Nested loops over products at constant distances: loop steps, the batch, and pieces of a product.
#pragma once

#include <cstdint>

#include <tessera/core/address.hpp>
#include <tessera/core/types.hpp>

namespace tessera::simd::detail {

/// A sum over operands that are packed is made in chunks of so many terms.
inline constexpr index_t k_chunk = 128;
/// The largest operand that is held in all lanes has so many entries with all of them: 64 KiB of doubles.
inline constexpr index_t lane_entries = 8192;

/// Products at constant distances from each other: a loop digit, or the batch. `step` is the distance in loop steps.
struct repeat {
  index_t count, a, b, out, step = 0;
};

/// Nested loops, the fastest first. All functions here are inlined: copies for other instruction sets must not be
/// shared.
struct repeats {
  repeat digit[max_rank + 2];  // of loop steps, and two more: the batch, terms, vectors of a block of lanes
  int count;

  [[gnu::always_inline]] repeats() : count(0) {}

  [[gnu::always_inline]] void add(const repeat& next) {
    if (next.count != 1) digit[count++] = next;
  }
  /// The same; digits that continue each other become one.
  [[gnu::always_inline]] void join(const repeat& next) {
    if (count > 0) {
      repeat& last = digit[count - 1];
      if (next.a == last.a * last.count && next.b == last.b * last.count && next.out == last.out * last.count) {
        last.count *= next.count;
        return;
      }
    }
    add(next);
  }
};

/// f(position) for every step of the digits from number `first` on, one after the other.
template <class F>
[[gnu::always_inline]] inline void each_step(const repeats& all, int first, const F& f) {
  index_t done[max_rank + 2] = {};
  repeat at{1, 0, 0, 0, 0};
  const auto move = [&](const repeat& by, index_t times) __attribute__((always_inline)) {
    at.a += times * by.a, at.b += times * by.b, at.out += times * by.out, at.step += times * by.step;
  };
  for (;;) {
    f(at);
    int d = first;
    for (; d < all.count; ++d) {
      move(all.digit[d], 1);
      if (++done[d] < all.digit[d].count) break;
      move(all.digit[d], -all.digit[d].count);
      done[d] = 0;
    }
    if (d >= all.count) return;
  }
}

/// whole / part of numbers that are not negative: by a small number a multiplication.
[[gnu::always_inline]] inline index_t quotient(index_t whole, index_t part) {
  const auto by = std::uint64_t(whole);
  switch (part) {
    case 1: return whole;
    case 2: return index_t(by / 2);
    case 3: return index_t(by / 3);
    case 4: return index_t(by / 4);
    case 5: return index_t(by / 5);
    case 6: return index_t(by / 6);
    case 7: return index_t(by / 7);
    case 8: return index_t(by / 8);
    case 9: return index_t(by / 9);
    case 10: return index_t(by / 10);
    default: return whole / part;
  }
}

/// `wide` pieces of `size`, then `narrow` ones of one less.
struct even_cut {
  int size = 0;
  index_t wide = 0, narrow = 0;

  [[gnu::always_inline]] even_cut() {}
  [[gnu::always_inline]] even_cut(index_t whole, int most) {
    const index_t pieces = quotient(whole + most - 1, most);
    if (pieces == 0) return;
    size = int(quotient(whole + pieces - 1, pieces));
    narrow = pieces * size - whole;
    wide = pieces - narrow;
  }
  [[gnu::always_inline]] index_t pieces() const { return wide + narrow; }
};

}  // namespace tessera::simd::detail
