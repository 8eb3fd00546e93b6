// SPDX-License-Identifier: BSD-3-Clause
// Runs a contraction by contract<> over guarded storage and compares it with the reference exactly.
#pragma once

#include <type_traits>
#include <vector>

#include <tessera/cpu/contract.hpp>
#include <tessera/cpu/detail/reference.hpp>

namespace tessera::testing {

/// Storage of `count` tensors of a layout (count < 0: one, shared), filled with small integers, so that sums are exact.
template <class T, class Layout>
struct stored {
  Layout layout;
  index_t count;
  std::vector<T> memory;

  stored(const Layout& l, index_t tensors, int seed) : layout(l), count(tensors) {
    const index_t blocks = count < 0 ? 1 : (count + lanes_of<Layout>() - 1) / lanes_of<Layout>();
    memory.resize(std::size_t(1 + blocks * block_of(layout) + 4));
    unsigned state = unsigned(seed);
    for (T& x : memory) {
      state = state * 1664525u + 1013904223u;
      x = T(int(state >> 28) - 7);
    }
  }
  /// Misaligned by one entry.
  template <bool batched>
  auto as_view() {
    T* const start = memory.data() + 1 + facts_of(layout).before();
    if constexpr (batched)
      return view_batch(start, layout, count, block_of(layout));
    else
      return view(start, layout);
  }
};

/// True where every entry, and every gap between entries, is what the reference makes of it.
template <fixed_string text, class T, bool a_batched, bool b_batched, class A, class B, class Out>
bool contract_agrees(const A& a, const B& b, const Out& out, scaling s, index_t count = 5) {
  using sum = std::conditional_t<std::is_integral_v<T>, long long, long double>;
  stored<T, A> left(a, a_batched ? count : -1, 1);
  stored<T, B> right(b, b_batched ? count : -1, 2);
  stored<T, Out> computed(out, count, 3), wanted(out, count, 3);
  contract<text>(left.template as_view<a_batched>(), right.template as_view<b_batched>(),
                 computed.template as_view<true>(), s);
  reference_contract<sum>(parse_einsum(text.text), left.template as_view<a_batched>(),
                          right.template as_view<b_batched>(), wanted.template as_view<true>(), s);
  return computed.memory == wanted.memory;
}

/// Kernel (9) with a shared table.
template <fixed_string text, class T, class A, class C, class Out>
bool contract_agrees_9(const A& a, const C& c, const Out& out, scaling s, index_t count = 5) {
  using sum = std::conditional_t<std::is_integral_v<T>, long long, long double>;
  stored<T, A> table(a, -1, 1);
  stored<T, C> data(c, count, 2);
  stored<T, Out> computed(out, count, 3), wanted(out, count, 3);
  contract<text>(table.template as_view<false>(), table.template as_view<false>(), data.template as_view<true>(),
                 computed.template as_view<true>(), s);
  reference_contract<sum>(parse_einsum(text.text), table.template as_view<false>(), table.template as_view<false>(),
                          data.template as_view<true>(), wanted.template as_view<true>(), s);
  return computed.memory == wanted.memory;
}

}  // namespace tessera::testing
