// SPDX-License-Identifier: BSD-3-Clause
// The compile-time door on the GPU: Table 1 of paper 004 with unequal extents, layouts of every kind, and what it
// refuses.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <vector>

#include <tessera/gpu/contract.cuh>

#include "gpu/products.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

/// Offsets that no strides describe: columns are rotated against each other. The kernels see it for the first time
/// here.
template <sizes Extents>
struct rotated {
  constexpr Extents extents() const { return {}; }
  constexpr index_t offset(index_t i, index_t j, index_t k) const {
    const Extents e{};
    return ((i + j + k) % e(0)) + e(0) * (j + e(1) * k);
  }
};

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

constexpr index_t elements = 37;
constexpr auto b1 = of_size<3, 2>();  // (q,d) of the first axis, likewise the others
constexpr auto b2 = of_size<2, 3>();
constexpr auto b3 = of_size<5, 4>();

template <class T>
void table_1() {
  auto x = fill<T>(of_size<2, 3, 4>(), elements, 1);
  auto first = fill<T>(b1, 1, 2);
  auto second = fill<T>(b2, 1, 3);
  auto third = fill<T>(b3, 1, 4);
  auto y1 = fill<T>(of_size<3, 3, 4>(), elements, 5);
  check<"ai,ijk->ajk", false, true>(first, x, y1);
  auto y2 = fill<T>(of_size<2, 2, 4>(), elements, 6);
  check<"bj,ijk->ibk", false, true>(second, x, y2);
  auto y3 = fill<T>(of_size<2, 3, 5>(), elements, 7);
  check<"ck,ijk->ijc", false, true>(third, x, y3);
  auto z1 = fill<T>(of_size<3, 4, 3>(), elements, 8);  // the contracted axis moved to the end
  check<"ai,ijk->jka", false, true>(first, x, z1);
  auto back = fill<T>(of_size<2, 3, 4>(), elements, 9);
  y1.device.write(y1.host);
  check<"ai,ajk->ijk", false, true>(first, y1, back);
}

/// Entries that are wrong after C = A B and C += A B, A shared or not, with all operands moved by `shift` entries
/// inside allocations that end where they end; those in front of C count too.
template <class T, index_t M, index_t N, index_t K>
int wrong_entries(index_t count, index_t shift) {
  int wrong = 0;
  for (const bool shared : {false, true})
    for (const double beta : {0.0, 1.0}) {
      const auto a = small_integers<T>(shift + M * K * (shared ? 1 : count), 1);
      const auto b = small_integers<T>(shift + K * N * count, 2), c = small_integers<T>(shift + M * N * count, 3);
      device_entries<T> left(a), right(b), out(c);
      const auto rights = view_batch(gpu, right.data() + shift, of_size<K, N>(), count);
      const auto outs = view_batch(gpu, out.data() + shift, of_size<M, N>(), count);
      const scaling s{1, beta};
      if (shared)
        contract<"ik,kj->ij">(view(gpu, left.data() + shift, of_size<M, K>()), rights, outs, s);
      else
        contract<"ik,kj->ij">(view_batch(gpu, left.data() + shift, of_size<M, K>(), count), rights, outs, s);
      const std::vector<T> got = out.read();
      for (index_t i = 0; i < shift; ++i) wrong += got[std::size_t(i)] != c[std::size_t(i)];
      for (index_t e = 0; e < M * N * count; ++e) {
        const index_t p = e / (M * N), row = e % M, col = e / M % N;
        T sum = T(beta) * c[std::size_t(shift + e)];
        for (index_t k = 0; k < K; ++k)
          sum += a[std::size_t(shift + (shared ? 0 : p * M * K) + k * M + row)] *
                 b[std::size_t(shift + p * K * N + col * K + k)];
        wrong += got[std::size_t(shift + e)] != sum;
      }
    }
  return wrong;
}

}  // namespace

TEST_CASE("gpu contract: one axis at a time, exact in integers", "[gpu][sanitize]") {
  if (no_gpu()) return;
  table_1<double>();
  table_1<float>();
}

TEST_CASE("gpu contract: kernel (9), two factors on one side", "[gpu][sanitize]") {
  if (no_gpu()) return;
  auto b = fill<double>(of_size<5, 4>(), 1, 1);
  auto d = fill<double>(of_size<3, 5, 2>(), elements, 2);
  auto out = fill<double>(of_size<3, 4, 2, 4>(), elements, 3);
  for (const scaling s : {assign, scaling{-1, 1}}) {
    out.device.write(out.host);
    contract<"si,sj,ksl->kilj">(b.one(), b.one(), d.all(), out.all(), s);
    CHECK(out.device.read() == expected<"si,sj,ksl->kilj">(s, elements, {false, false, true}, out, b, b, d));
  }
  auto rows_first = fill<double>(of_size<4, 3, 4, 2>(), elements, 4);
  contract<"si,sj,ksl->ikjl">(b.one(), b.one(), d.all(), rows_first.all());
  CHECK(rows_first.device.read() ==
        expected<"si,sj,ksl->ikjl">(assign, elements, {false, false, true}, rows_first, b, b, d));
}

TEST_CASE("gpu contract: pointwise, matrices and their transposes", "[gpu]") {
  if (no_gpu()) return;
  auto a = fill<float>(of_size<5, 4>(), elements, 1);
  auto b = fill<float>(of_size<5, 4>(), elements, 2);
  auto c = fill<float>(of_size<5, 4>(), elements, 3);
  check<"ij,ij->ij", true, true>(a, b, c);
  check<"ij,ij->ij", true, false>(a, b, c);
  auto square = fill<float>(of_size<5, 5>(), elements, 4);
  check<"ik,jk->ij", true, true>(a, b, square);
  auto inner = fill<float>(of_size<4, 4>(), elements, 5);
  check<"ki,kj->ij", true, true>(a, b, inner);
  check<"ki,kj->ji", true, true>(a, b, inner);
  auto five = fill<double>(of_size<5, 5>(), 101, 6);
  auto six = fill<double>(of_size<5, 5>(), 101, 7);
  auto seven = fill<double>(of_size<5, 5>(), 101, 8);
  check<"ik,kj->ij", true, true>(five, six, seven);
  auto i1 = fill<int>(of_size<3, 2>(), 9, 1);
  auto i2 = fill<int>(of_size<2, 4>(), 9, 2);
  auto i3 = fill<int>(of_size<3, 4>(), 9, 3);
  check<"ik,kj->ij", true, true>(i1, i2, i3);
}

TEST_CASE("gpu contract: padded, row-major, tiled, interleaved and a user's layout", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const auto shape = of_size<2, 3, 4>();
  auto table = fill<double>(row_major(b1), 1, 1);
  auto padded_in = fill<double>(pad_to<8>(shape), elements, 2);
  auto rows_out = fill<double>(row_major(of_size<3, 3, 4>()), elements, 3);
  check<"ai,ijk->ajk", false, true>(table, padded_in, rows_out);
  auto mixed_in = fill<double>(interleave<4>(shape), elements, 4);
  auto mixed_out = fill<double>(interleave<8>(of_size<3, 3, 4>()), elements, 5);
  check<"ai,ijk->ajk", false, true>(table, mixed_in, mixed_out);
  auto own_in = fill<double>(rotated<extents<2, 3, 4>>{}, elements, 6);
  auto own_out = fill<double>(rotated<extents<3, 3, 4>>{}, elements, 7);
  check<"ai,ijk->ajk", false, true>(table, own_in, own_out);
  check<"ai,ijk->ajk", false, true>(table, own_in, mixed_out);
  auto tiles = fill<double>(tile_by<2, 2>(of_size<3, 5>()), elements, 8);
  auto tiled_out = fill<double>(tile_by<2, 4>(of_size<3, 3>()), elements, 9);
  check<"ik,jk->ij", true, true>(tiles, tiles, tiled_out);
}

TEST_CASE("gpu contract: run-time sizes, products larger than a block, one tensor, empty batches", "[gpu]") {
  if (no_gpu()) return;
  auto table = fill<double>(of_size(3, 2), 1, 1);
  auto x = fill<double>(of_size(2, 3_c, 4), elements, 2);
  auto y = fill<double>(of_size(3, 3, 4), elements, 3);
  check<"ai,ijk->ajk", false, true>(table, x, y);
  auto own = fill<double>(rotated<extents<2, 3, 4>>{}, elements, 4);
  check<"ai,ijk->ajk", false, true>(table, own, y);
  auto apart = fill<double>(pad_to<8>(of_size(2, 3, 4)), elements, 5);
  check<"ai,ijk->ajk", false, true>(table, apart, y);
  auto a = fill<float>(of_size<70, 65>(), 3, 1);
  auto b = fill<float>(of_size<65, 90>(), 3, 2);
  auto c = fill<float>(of_size<70, 90>(), 3, 3);
  check<"ik,kj->ij", true, true>(a, b, c);
  auto m = fill<double>(b1, 1, 1);
  auto v = fill<double>(of_size<2, 4>(), 1, 2);
  auto r = fill<double>(of_size<3, 4>(), 1, 3);
  contract<"ik,kj->ij">(m.one(), v.one(), r.one());
  CHECK(r.device.read() == expected<"ik,kj->ij">(assign, 1, {false, false}, r, m, v));
  contract<"ik,kj->ij">(m.one(), view_batch(gpu, v.device.data(), v.layout, 0),
                        view_batch(gpu, r.device.data(), r.layout, 0), add);
  CHECK(r.device.read() == expected<"ik,kj->ij">(assign, 1, {false, false}, r, m, v));
}

TEST_CASE("gpu contract: packed products that start anywhere, for counts up to several blocks", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (index_t shift = 0; shift < 4; ++shift)
    for (const index_t count : {1, 2, 3, 5, 8, 37, 101}) {
      CHECK(wrong_entries<double, 3, 5, 7>(count, shift) == 0);
      CHECK(wrong_entries<double, 4, 4, 4>(count, shift) == 0);
      CHECK(wrong_entries<float, 3, 3, 3>(count, shift) == 0);
      CHECK(wrong_entries<float, 8, 2, 6>(count, shift) == 0);
    }
  // Sizes whose records multiply on tensor cores.
  for (const index_t count : {1, 5, 9}) CHECK(wrong_entries<double, 31, 31, 31>(count, count % 2) == 0);
}

TEST_CASE("gpu contract: a batch of stride 0 is shared, other strides are honoured", "[gpu]") {
  if (no_gpu()) return;
  auto a = fill<double>(of_size<4, 4>(), 12, 1);
  auto b = fill<double>(of_size<4, 4>(), 12, 2);
  auto c = fill<double>(of_size<4, 4>(), 12, 3);
  contract<"ik,kj->ij">(view_batch(gpu, a.device.data(), a.layout, 12, 0), b.all(), c.all());
  CHECK(c.device.read() == expected<"ik,kj->ij">(assign, 12, {false, true}, c, a, b));
  c.device.write(c.host);
  contract<"ik,kj->ij">(a.one(), view_batch(gpu, b.device.data(), b.layout, 6, 32),
                        view_batch(gpu, c.device.data(), c.layout, 6, 32));
  const auto every = expected<"ik,kj->ij">(assign, 12, {false, true}, c, a, b), got = c.device.read();
  bool right = true;
  for (std::size_t i = 0; i < got.size(); ++i) right = right && got[i] == (i / 16 % 2 == 0 ? every[i] : c.host[i]);
  CHECK(right);
}

TEST_CASE("gpu contract: what is refused, with nothing written", "[gpu]") {
  if (no_gpu()) return;
  auto a = fill<double>(of_size(4, 3), 5, 1);
  auto b = fill<double>(of_size(3, 4), 5, 2);
  auto c = fill<double>(of_size(4, 4), 5, 3);
  auto wrong = fill<double>(of_size(5, 4), 5, 4);
  check_failure(status::shape_mismatch, {"ik,kj->ij", "4x3", "5x4"},
                [&] { contract<"ik,kj->ij">(a.all(), wrong.all(), c.all()); });
  check_failure(status::shape_mismatch, {"ik,kj->ij"},
                [&] { contract<"ik,kj->ij">(view_batch(gpu, a.device.data(), a.layout, 4), b.all(), c.all()); });
  check_failure(status::shape_mismatch, {"ik,kj->ij", "batch of 4"},
                [&] { contract<"ik,kj->ij">(view_batch(gpu, a.device.data(), a.layout, 4, 0), b.all(), c.all()); });
  check_failure(status::overlap, {"ik,kj->ij"},
                [&] { contract<"ik,kj->ij">(a.all(), b.all(), view_batch(gpu, a.device.data(), c.layout, 5)); });
  check_failure(status::wrong_space, {"ik,kj->ij", "input 1"},
                [&] { contract<"ik,kj->ij">(view_batch(gpu, a.host.data(), a.layout, 5), b.all(), c.all()); });
  CHECK(c.device.read() == c.host);
}
