// SPDX-License-Identifier: BSD-3-Clause
// What one thread of a device-side operation does, on the host: layouts of every kind, odd forms, tiles, moves.
#include "testing/catch.hpp"

#include <tessera/gpu/detail/device/move.cuh>

#include "gpu/device_program_case.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

template <index_t... E>
using cols = column_major<extents<E...>>;
template <index_t... E>
using rows = row_major<extents<E...>>;
template <index_t... E>
using apart = padded<extents<E...>, 8>;

/// Offsets that no strides describe.
template <index_t A, index_t B, index_t C>
struct rotated {
  constexpr tessera::extents<A, B, C> extents() const { return {}; }
  constexpr index_t offset(index_t i, index_t j, index_t k) const { return (i + j + k) % A + A * (j + B * k); }
};

}  // namespace

TEST_CASE("device program: layouts of every kind", "[gpu]") {
  CHECK(share_case<"ai,ijk->ajk", double, rows<3, 3, 4>, rows<3, 2>, apart<2, 3, 4>>::wrong<8>() == 0);
  CHECK(share_case<"bj,ijk->ibk", double, apart<2, 5, 4>, apart<5, 3>, rows<2, 3, 4>>::wrong<16>() == 0);
  CHECK(share_case<"ai,ijk->ajk", float, rotated<3, 3, 4>, cols<3, 2>, rotated<2, 3, 4>>::wrong<8>() == 0);
  using odd = column_major<extents<4, 6>, 5>;
  CHECK(share_case<"kj,kb->jb", double, cols<6, 3>, odd, cols<4, 3>>::wrong<8>() == 0);
  using tiles = tiled<extents<3, 5>, 2, 2>;
  CHECK(share_case<"ik,jk->ij", double, tiled<extents<3, 3>, 2, 4>, tiles, tiles>::wrong<4>() == 0);
  CHECK(share_case<"si,sj,ksl->ikjl", double, rows<4, 3, 4, 2>, tiled<extents<5, 4>, 4, 2>, apart<5, 4>,
                   cols<3, 5, 2>>::wrong<32>() == 0);
  using mixed = interleaved<4, cols<2, 3, 4>>;
  CHECK(share_case<"ck,ijk->cji", double, cols<5, 3, 2>, cols<5, 4>, mixed>::wrong<32>() == 0);
}

TEST_CASE("device program: sums over two letters and over nothing, outer products, vectors, scalars", "[gpu]") {
  CHECK(share_case<"abij,ijc->abc", double, cols<2, 3, 5>, cols<2, 3, 4, 2>, cols<4, 2, 5>>::wrong<8>() == 0);
  CHECK(share_case<"ajbi,ijc->abc", double, cols<2, 3, 5>, rows<2, 2, 3, 4>, cols<4, 2, 5>>::wrong<8>() == 0);
  CHECK(share_case<"i,j->ij", double, cols<5, 7>, cols<5>, cols<7>>::wrong<8>() == 0);
  CHECK(share_case<"ik,k->i", double, cols<7>, cols<7, 9>, cols<9>>::wrong<32>() == 0);
  CHECK(share_case<"k,k->", double, cols<>, cols<9>, cols<9>>::wrong<4>() == 0);
  CHECK(share_case<"ik,kj->ij", double, cols<3, 4>, cols<3, 0>, cols<0, 4>>::wrong<4>() == 0);
  CHECK(share_case<"ik,kj->ij", double, cols<0, 4>, cols<0, 3>, cols<3, 4>>::wrong<4>() == 0);
  CHECK(share_case<"abl,bcl->acl", float, cols<3, 5, 4>, cols<3, 2, 4>, cols<2, 5, 4>>::wrong<96>() == 0);
}

TEST_CASE("device program: tiles that are asked for, also larger than the result", "[gpu]") {
  using product = share_case<"ik,kj->ij", double, cols<7, 5>, cols<7, 3>, cols<3, 5>>;
  CHECK(product::wrong<8, register_tile{1, 1}>() == 0);
  CHECK(product::wrong<8, register_tile{4, 3}>() == 0);
  CHECK(product::wrong<1, register_tile{7, 5}>() == 0);
  CHECK(product::wrong<3, register_tile{20, 20}>() == 0);
}

TEST_CASE("device program: tiles are chosen to occupy the group", "[gpu]") {
  constexpr auto chosen = [](index_t m, index_t n, int threads) { return device::tile_for({m, n, 8, 1, threads, 8}); };
  // As many tiles as threads, or fewer, where one pass does it.
  for (const int threads : {8, 32, 128})
    for (const index_t m : {2, 5, 8})
      for (const index_t n : {4, 25, 64}) {
        const device::product_size p{m, n, 8, 1, threads, 8};
        const register_tile t = chosen(m, n, threads);
        INFO(m << "x" << n << " by " << threads << ": " << t.rows << "x" << t.cols);
        CHECK(t.rows * t.cols * 8 <= 128);
        CHECK(p.passes(t) * threads * t.rows * t.cols < 4 * m * n + threads);
      }
  STATIC_REQUIRE(chosen(4, 4, 32).rows == 1 && chosen(4, 4, 32).cols == 1);
  STATIC_REQUIRE(chosen(8, 64, 8).rows * chosen(8, 64, 8).cols >= 8);
}

TEST_CASE("device program: pointwise in place", "[gpu]") {
  unsigned seed = 0;
  held<double, cols<5, 4>> a(seed), b(seed);
  const auto wanted =
      by_definition<double>(contraction("ij,ij->ij"), {read(a.on_host()), read(b.on_host())}, read(b.on_host()));
  by_group<"ij,ij->ij", register_tile{}, 8>(8, assign, b.in_kernel(), a.in_kernel(), b.in_kernel());
  CHECK(count_different(read(b.on_host()), wanted) == 0);
}

namespace {

template <class Walked, class T, class From, class To>
index_t wrong_moves() {
  index_t wrong = 0;
  for (const int threads : {1, 3, 32, 100}) {
    unsigned seed = 0;
    held<T, From> from(seed);
    held<T, To> to(seed);
    for (int rank = 0; rank < threads; ++rank)
      device::move_tensor<Walked>(device::member<0>{rank, threads}, from.in_kernel(), to.in_kernel());
    wrong += index_t(read(from.on_host()).value != read(to.on_host()).value) + to.strays();
  }
  return wrong;
}
template <class T, class From, class To>
index_t wrong_moves() {
  return wrong_moves<From, T, From, To>() + wrong_moves<To, T, From, To>();
}

}  // namespace

TEST_CASE("device program: moving from any layout to any other", "[gpu]") {
  CHECK(wrong_moves<double, cols<5, 3, 4>, cols<5, 3, 4>>() == 0);
  CHECK(wrong_moves<float, cols<5, 3, 7>, cols<5, 3, 7>>() == 0);
  CHECK(wrong_moves<float, rows<5, 3>, rows<5, 3>>() == 0);
  CHECK(wrong_moves<double, cols<5, 3, 4>, apart<5, 3, 4>>() == 0);
  CHECK(wrong_moves<double, apart<5, 3, 4>, apart<5, 3, 4>>() == 0);
  CHECK(wrong_moves<double, rows<5, 3, 4>, cols<5, 3, 4>>() == 0);
  CHECK(wrong_moves<double, rotated<5, 3, 4>, rows<5, 3, 4>>() == 0);
  CHECK(wrong_moves<int, cols<1, 7>, rows<1, 7>>() == 0);
  CHECK(wrong_moves<double, cols<0, 7>, cols<0, 7>>() == 0);
  CHECK(wrong_moves<double, cols<0, 7>, rows<0, 7>>() == 0);
}

TEST_CASE("device program: 16 bytes at a time where both sides start on them", "[gpu]") {
  alignas(16) float from[40], to[40];
  for (const int shift : {0, 1}) {
    for (int i = 0; i < 40; ++i) from[i] = float(i), to[i] = -1;
    const device::view a(static_cast<const float*>(from) + shift, of_size<37>());
    const device::view b(to + shift, of_size<37>());
    for (int rank = 0; rank < 8; ++rank) device::move_tensor<cols<37>>(device::member<8>{rank}, a, b);
    for (int i = 0; i < 40; ++i) CHECK(to[i] == (i >= shift && i < 37 + shift ? float(i) : -1.0f));
  }
}
