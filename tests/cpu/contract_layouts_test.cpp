// SPDX-License-Identifier: BSD-3-Clause
// contract<> over every predefined layout and over layouts that only this file knows.
#include "contract_case.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// A user's own layout that no strides describe: bits of row and column interleaved (Morton order), 8 x 8 at most.
struct morton {
  constexpr tessera::extents<5, 7> extents() const { return {}; }
  static constexpr index_t spread(index_t i) { return (i & 1) | (i & 2) << 1 | (i & 4) << 2; }
  constexpr index_t offset(index_t i, index_t j) const { return spread(i) | spread(j) << 1; }
};

// Another one with a run-time size: rows swizzled by their column, as GPU code does against bank conflicts.
struct swizzled {
  index_t rows, cols;
  constexpr auto extents() const { return of_size(rows, cols); }
  constexpr index_t offset(index_t i, index_t j) const { return (i ^ (j & 1)) + 8 * j; }
};

// Rows backwards, by constants: packed, and entry (0, 0) is in front of the columns behind it.
template <index_t Rows, index_t Cols>
struct backwards {
  constexpr tessera::extents<Rows, Cols> extents() const { return {}; }
  constexpr index_t stride(int d) const { return d == 0 ? -1 : Rows; }
  constexpr index_t offset(index_t i, index_t j) const { return Rows * j - i; }
};

template <class A, class B, class Out>
void check_product(const A& a, const B& b, const Out& out) {
  for (const scaling s : {assign, add, scaling{-2, 3}}) {
    CHECK((contract_agrees<"ik,kj->ij", double, true, true>(a, b, out, s)));
    CHECK((contract_agrees<"ik,kj->ij", float, false, true>(a, b, out, s)));
  }
}

}  // namespace

TEST_CASE("leading dimensions, static and at run time", "[cpu][contract]") {
  check_product(column_major<extents<5, 7>, 8>(of_size<5, 7>()), column_major(of_size(7, 6), 9),
                column_major(of_size<5, 6>(), 11));
  for (const scaling s : {assign, add, scaling{-2, 3}})
    CHECK((contract_agrees<"ik,kj->ij", double, false, false>(column_major<extents<5, 7>, 8>(of_size<5, 7>()),
                                                              row_major(of_size(7, 6)),
                                                              column_major(of_size<5, 6>(), 11), s)));
  check_product(row_major(of_size<5, 7>()), row_major(of_size(7, 6)), row_major<extents<5, 6>, 16>(of_size<5, 6>()));
}

TEST_CASE("padded, tiled, strided and reshaped layouts", "[cpu][contract]") {
  check_product(pad_to<8>(of_size<5, 7>()), tile_by<4, 4>(of_size<7, 6>()), pad_to<4>(of_size(5, 6)));
  check_product(tile_by<2, 3>(of_size(5, 7)), column_major(of_size(7, 6)), tile_by<4, 4>(of_size(5, 6)));
  check_product(strided(of_size<5, 7>(), 14, 2), strided(of_size(7, 6), 3, 21), strided(of_size<5, 6>(), 1, 10));
  check_product(reshape_layout(pad_to<8>(of_size<35>()), of_size<5, 7>()),
                reshape_layout(row_major(of_size<6, 7>()), of_size<7, 6>()), column_major(of_size<5, 6>()));
}

TEST_CASE("layouts that run backwards", "[cpu][contract]") {
  check_product(backwards<5, 7>{}, strided(of_size(7, 6), -6, -1), strided(of_size<5, 6>(), 1, -10));
  check_product(column_major(of_size(5, 7)), backwards<7, 6>{}, backwards<5, 6>{});
  check_product(strided(of_size(5, 7), 0, -1), strided(of_size(7, 6), -1, 0), strided(of_size(5, 6), -6, 1));
  for (const scaling s : {assign, add})
    CHECK((contract_agrees<"ij,ij->ij", double, true, true>(backwards<5, 7>{}, column_major(of_size<5, 7>()),
                                                            strided(of_size(5, 7), -1, -5), s)));
  // Single tensors of constant sizes: the output's entries are the first 25.
  std::vector<double> memory(80, 1.0);
  const auto out = view(memory.data() + 4, backwards<5, 5>{}), other = view(memory.data() + 50, backwards<5, 5>{});
  contract<"ik,kj->ij">(view(memory.data() + 25, of_size<5, 5>()), other, out);
  CHECK((memory[0] == 5 && memory[24] == 5 && memory[25] == 1));
  for (const index_t from : {1, 24}) {
    const auto in = view(memory.data() + from, of_size<5, 5>());
    CHECK_THROWS_AS((contract<"ik,kj->ij">(in, other, out)), error);
  }
}

TEST_CASE("interleaved batches", "[cpu][contract]") {
  for (const scaling s : {assign, add}) {
    const auto a = interleave<4>(of_size<5, 7>());
    const auto b = interleave<8>(of_size<7, 6>());
    CHECK((contract_agrees<"ik,kj->ij", double, true, true>(a, b, interleave<4>(of_size<5, 6>()), s, 9)));
    CHECK((contract_agrees<"ik,kj->ij", float, true, false>(a, column_major(of_size(7, 6)),
                                                            interleave<2>(of_size(5, 6)), s, 1)));
    CHECK((contract_agrees<"ij,ij->ij", float, true, true>(a, a, interleave<4>(of_size<5, 7>()), s, 6)));
  }
}

TEST_CASE("layouts of the user's own", "[cpu][contract]") {
  check_product(morton{}, column_major(of_size<7, 6>()), column_major(of_size<5, 6>()));
  check_product(morton{}, swizzled{7, 6}, swizzled{5, 6});
  for (const scaling s : {assign, add}) {
    CHECK((contract_agrees<"ij,kj->ki", double, true, false>(morton{}, column_major(of_size<3, 7>()),
                                                             row_major(of_size<3, 5>()), s)));
    CHECK((contract_agrees<"ij,ij->ij", int, true, true>(morton{}, morton{}, swizzled{5, 7}, s)));
    CHECK((contract_agrees_9<"ki,kj,kl->ilj", double>(morton{}, tile_by<2, 2>(of_size<5, 3>()),
                                                      row_major(of_size<7, 3, 7>()), s)));
  }
}
