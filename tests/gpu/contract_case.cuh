// SPDX-License-Identifier: BSD-3-Clause
// Contractions by contract<> on the GPU: operands of small integers, and the same sums by brute force.
#pragma once

#include <type_traits>
#include <vector>

#include <tessera/gpu/contract.cuh>

#include "gpu/products.hpp"
#include "testing/catch.hpp"

namespace tessera::testing {

template <class T>
std::vector<T> small_integers(index_t count, int seed) {
  std::vector<T> v;
  for (index_t i = 0; i < count; ++i) v.push_back(T(int((i * 7 + seed * 13) % 11) - 5));
  return v;
}

/// A tensor or batch of small integers in device memory, seen through any layout.
template <class T, class Layout>
struct filled {
  Layout layout;
  index_t count;
  std::vector<T> host;
  device_entries<T> device;

  filled(const Layout& l, index_t n, int seed)
      : layout(l),
        count(n),
        host(small_integers<T>(block_of(l) * ((n + lanes_of<Layout>() - 1) / lanes_of<Layout>()), seed)),
        device(host) {}
  auto one() const { return view(gpu, device.data(), layout); }
  auto all() const { return view_batch(gpu, device.data(), layout, count); }
  index_t start(index_t b, bool batched) const {
    return batched ? batch_start(b, block_of(layout), lanes_of<Layout>()) : 0;
  }
};

template <class T, class Shape>
auto fill(const Shape& shape, index_t count, int seed) {
  const auto layout = detail::layout_from(shape);
  return filled<T, std::remove_const_t<decltype(layout)>>(layout, count, seed);
}

/// Sums over all letters, one entry of the output after another: brute force over index tuples.
template <fixed_string Text, class Out, class... In>
auto expected(const scaling& s, index_t batch, const bool (&batched)[sizeof...(In)], const Out& out, const In&... in) {
  constexpr einsum e = parse_einsum(Text.text);
  auto result = out.host;
  char letters[32];
  index_t extent[32];
  int count = 0;
  const auto note = [&](const modes& m, const auto& layout) {
    for (int d = 0; d < m.rank; ++d) {
      int at = 0;
      while (at < count && letters[at] != m.letter[d]) ++at;
      if (at == count) letters[count] = m.letter[d], extent[count++] = layout.extents()(d);
    }
  };
  note(e.out(), out.layout);
  int o = 0;
  (note(e.operand[o++], in.layout), ...);
  const auto offset = [&](const modes& m, const auto& layout, const index_t* value) {
    index_t index[max_rank]{};
    for (int d = 0; d < m.rank; ++d)
      for (int at = 0; at < count; ++at)
        if (letters[at] == m.letter[d]) index[d] = value[at];
    return offset_at(layout, index);
  };
  for (index_t b = 0; b < batch; ++b) {
    std::vector<char> cleared(result.size(), 0);
    index_t value[32]{};
    for (bool more = true; more;) {
      const auto to = std::size_t(out.start(b, true) + offset(e.out(), out.layout, value));
      using T = std::remove_reference_t<decltype(result[0])>;
      if (!cleared[to]) result[to] = s.beta == 0 ? T(0) : T(s.beta.re) * out.host[to], cleared[to] = 1;
      T term = T(s.alpha.re);
      int i = 0;
      ((term *= in.host[std::size_t(in.start(b, batched[i]) + offset(e.operand[i], in.layout, value))], ++i), ...);
      result[to] += term;
      more = false;
      for (int at = 0; at < count && !more; ++at) {
        more = ++value[at] < extent[at];
        if (!more) value[at] = 0;
      }
    }
  }
  return result;
}

/// Runs the contraction with and without beta; batched inputs are batches, the others one shared tensor.
template <fixed_string Text, bool A, bool B, class First, class Second, class Out>
void check(const First& a, const Second& b, Out& out) {
  for (const scaling s : {scaling{1, 0}, scaling{2, -3}}) {
    out.device.write(out.host);
    const auto run = [&](const auto& x, const auto& y) { contract<Text>(x, y, out.all(), s); };
    if constexpr (A && B)
      run(a.all(), b.all());
    else if constexpr (A)
      run(a.all(), b.one());
    else
      run(a.one(), b.all());
    const auto got = out.device.read();
    const bool exact = got == expected<Text>(s, out.count, {A, B}, out, a, b);
    INFO(Text.text << " alpha " << s.alpha.re << " beta " << s.beta.re);
    CHECK(exact);
  }
}

inline constexpr index_t elements = 37;
inline constexpr auto b1 = of_size<3, 2>();  // (q,d) of the first axis

}  // namespace tessera::testing
