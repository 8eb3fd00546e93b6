// SPDX-License-Identifier: BSD-3-Clause
// Device-side contractions on the host, without a GPU: groups of any size run one thread after the other, since no
// thread needs another one's result.
#pragma once

#include "testing/definition.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include <tessera/gpu/detail/device/product.cuh>
#include <tessera/gpu/detail/device/view.hpp>
#include <tessera/tessera.hpp>

namespace tessera::testing {

using device::register_tile;

/// Memory of one tensor, filled with small integers, among entries that belong to nobody.
template <class T, class Layout>
struct held {
  static constexpr index_t around = 3;
  std::vector<T> memory;
  explicit held(unsigned& seed) : memory(std::size_t(span_of(Layout{}) + 2 * around), T(77)) {
    fill_integers(on_host(), ++seed);
  }
  auto on_host() { return view(memory.data() + around, Layout{}); }
  auto in_kernel() { return device::view(memory.data() + around, Layout{}); }
  /// Entries outside the tensor that changed: gaps between its entries and everything around it.
  index_t strays() {
    std::vector<T> rest = memory;
    for (index_t i = 0; i < Layout{}.extents().size(); ++i) {
      index_t index[max_rank]{};
      unravel(i, Layout{}.extents(), index);
      rest[std::size_t(around + offset_at(Layout{}, index))] = T(77);
    }
    return index_t(rest.size()) - std::count(rest.begin(), rest.end(), T(77));
  }
};

/// All threads of a group, one after the other.
template <fixed_string Text, register_tile Tile, int Size, class Out, class... In>
void by_group(int threads, scaling s, const Out& out, const In&... in) {
  using form = device::static_lowering<Text, typename In::layout_kind..., typename Out::layout_kind>;
  const auto run = [&](const auto& result) {
    for (int rank = 0; rank < threads; ++rank)
      if constexpr (Size == 0)
        device::contract_program<form, Tile>(device::member<0>{rank, threads}, result, out, in...);
      else
        device::contract_program<form, Tile>(device::member<Size>{rank}, result, out, in...);
  };
  if (s.alpha == 1 && s.beta == 0)
    run(device::plain_result{});
  else
    run(device::scaled_result<typename Out::value_type>(s));
}

template <fixed_string Text, class T, class OutLayout, class... InLayout>
class share_case {
  using group = void (*)(int, scaling, const device::view<T, OutLayout>&, const device::view<T, InLayout>&...);

  static index_t wrong_by(group run, int threads) {
    index_t count = 0;
    for (const scaling s : {assign, add, scaling{2, -3}, scaling{-1, 0}}) {
      unsigned seed = 0;
      held<T, OutLayout> out(seed);
      std::tuple<held<T, InLayout>...> in{held<T, InLayout>(seed)...};
      std::apply(
          [&](auto&... each) {
            const auto wanted =
                by_definition<T>(contraction(Text.text, s), {read(each.on_host())...}, read(out.on_host()));
            if constexpr (std::numeric_limits<T>::has_quiet_NaN)
              if (s.beta == 0)
                for_each_entry(out.on_host(), [](T& e, index_t, index_t) { e = std::numeric_limits<T>::quiet_NaN(); });
            run(threads, s, out.in_kernel(), each.in_kernel()...);
            count += count_different(read(out.on_host()), wanted) + out.strays();
          },
          in);
    }
    return count;
  }

 public:
  /// Entries that differ from the definition, and entries outside the output that changed.
  template <int Size, register_tile Tile = register_tile{}>
  static index_t wrong(int threads = Size) {
    return wrong_by(&by_group<Text, Tile, Size, device::view<T, OutLayout>, device::view<T, InLayout>...>, threads);
  }
};

}  // namespace tessera::testing
