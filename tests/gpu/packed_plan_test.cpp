// SPDX-License-Identifier: BSD-3-Clause
// Shared memory of packed products: as the rule of what fits counts it. Needs no GPU.
#include <tessera/detail/packed_plan.hpp>

#include <tessera/detail/axes.hpp>
#include <tessera/detail/fits.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::device;

TEST_CASE("packed plan: fits counts the bytes of the kernel", "[packed]") {
  int compared = 0;
  for (const known_product& known : known_products)
    for (const packed_sizes s : {packed_sizes{1, 1, 1}, {5, 5, 5}, {8, 3, 7}, {3, 32, 2}, {31, 29, 30}, {32, 32, 32}})
      for (const int matrices : {1, 3, 4, 56})
        for (const int rows : {1, 2, 3, 8})
          for (const int cols : {1, 5})
            for (const int over_a : {0, 1, 2}) {
              const gpu_gemm_tuning t{.matrices = matrices, .tile_rows = rows, .tile_cols = cols, .over_a = over_a};
              const packed_words words{int(size_of(known.types.in)), int(size_of(known.types.out))};
              for (const bool adds : {false, true}) {
                const packed_plan plan(s, words, t, {adds, true});
                CHECK(shared_bytes_of(t, {known.types, s.m, s.n, s.k}, adds) == plan.bytes);
                CHECK(packed_plan(s, words, t, {adds, false}).bytes <= plan.bytes);
                ++compared;
              }
            }
  CHECK(compared == 9 * 6 * 4 * 4 * 2 * 3 * 2);
}

TEST_CASE("packed plan: shares that start anywhere have room for whole sectors", "[packed]") {
  for (const int word : {1, 2, 4, 8, 16})
    for (int entries = 1; entries < 70; ++entries)
      for (int before = 0; before < sector_bytes; before += word) {
        const int needed = (before + entries * word + sector_bytes - 1) / sector_bytes * sector_bytes;
        CHECK(bytes_in_sectors(entries * word) >= needed);
        CHECK(bytes_in_sectors(entries * word) % 16 == 0);
      }
}

TEST_CASE("packed plan: fits counts the bytes of shared and transposed operands", "[packed]") {
  for (const packed_layouts layouts :
       {packed_layouts{.left = packed_layout::shared_by_cols}, packed_layouts{.right = packed_layout::shared_by_rows},
        packed_layouts{.left = packed_layout::by_rows, .right = packed_layout::by_rows}})
    for (const int over_a : {0, 1, 2})
      for (const bool adds : {false, true}) {
        const gpu_gemm_tuning t{.matrices = 8, .tile_rows = 2, .tile_cols = 3, .over_a = over_a};
        const packed_plan plan({7, 5, 6, layouts}, 8, t, {adds, true});
        CHECK(shared_bytes_of(t, {scalar_type::f64, 7, 5, 6, memory_regime::stream, layouts}, adds) == plan.bytes);
      }
}

TEST_CASE("packed plan: C takes the place of an input of the products' own, and of nothing else", "[packed]") {
  for (const packed_layout left :
       {packed_layout::by_cols, packed_layout::by_rows, packed_layout::shared_by_cols, packed_layout::shared_by_rows})
    for (const packed_sizes s : {packed_sizes{5, 3, 7, {.left = left}}, {3, 9, 2, {.left = left}}, {8, 2, 8, {left}}})
      for (const int over_a : {0, 1, 2})
        for (const packed_variant variant :
             {packed_variant{false, false}, {false, true}, {true, false}, {true, true}}) {
          const gpu_gemm_tuning t{.matrices = 4, .tile_rows = 2, .tile_cols = 2, .over_a = over_a};
          const packed_plan at(s, 8, t, variant);
          const bool over = over_a == 1 || (over_a == 2 && !variant.adds);
          const auto end = [&](int start, const packed_tiles& tiles) { return start + tiles.entries * 8; };
          const int ends[] = {end(at.out, at.out_tiles), end(at.left, at.left_tiles), end(at.right, at.right_tiles)};
          const auto apart = [&](int one, int end_of_one, int other, int end_of_other) {
            return end_of_one <= other || end_of_other <= one;
          };
          INFO("A lies " << int(left) << ", " << s.m << "x" << s.n << "x" << s.k << ", over " << over_a);
          CHECK(apart(at.left, ends[1], at.right, ends[2]));
          CHECK(apart(at.out, ends[0], at.left, ends[1]) == (!over || is_shared(left)));
          CHECK(apart(at.out, ends[0], at.right, ends[2]) == (!over || !is_shared(left)));
          for (const int e : ends) CHECK(e <= at.barrier);
        }
}

TEST_CASE("packed plan: shares start on pieces where a group is whole pieces, or one matrix serves all", "[packed]") {
  CHECK(starts_on_pieces({3, 3, 3}, 8, 2));
  CHECK_FALSE(starts_on_pieces({3, 3, 3}, 8, 1));
  CHECK_FALSE(starts_on_pieces({3, 3, 3}, 4, 2));
  CHECK(starts_on_pieces({3, 4, 4, packed_layout::by_cols}, 8, 1));
  CHECK_FALSE(starts_on_pieces({3, 2, 3}, 8, 1));
  CHECK(starts_on_pieces({3, 2, 3, packed_layout::shared_by_cols}, 8, 1));
  // From half to float.
  CHECK(starts_on_pieces({3, 3, 3}, {2, 4}, 8));
  CHECK_FALSE(starts_on_pieces({3, 3, 3}, {2, 4}, 4));
  CHECK(starts_on_pieces({3, 3, 3}, 16, 1));
}

TEST_CASE("packed plan: a kernel for any alignment serves all operands, one for aligned ones does not", "[packed]") {
  CHECK(serves({false, true}, false, true));
  CHECK(serves({false, true}, false, false));
  CHECK(serves({true, false}, true, false));
  CHECK_FALSE(serves({true, false}, true, true));
  CHECK_FALSE(serves({true, true}, false, false));
}

TEST_CASE("packed plan: lines that lanes step through lie an odd number of pieces apart", "[packed]") {
  const auto left = [](packed_layout layouts, int m, int k, int word, bool phased) {
    return packed_plan({m, 5, k, {layouts}}, word, gpu_gemm_tuning{.matrices = 3}, {false, phased}).left_tiles;
  };
  for (const int word : {4, 8})
    for (int k = 1; k <= 32; ++k)
      for (const packed_layout layouts : {packed_layout::by_rows, packed_layout::shared_by_rows}) {
        const packed_tiles t = left(layouts, 7, k, word, false);
        const bool in_pieces = k * word % 16 == 0;
        INFO("k " << k << ", " << word << " bytes");
        CHECK(t.each == 7 * k);
        CHECK(t.row == t.pitch);
        CHECK(t.col == 1);
        CHECK(t.pitch >= k);
        CHECK(t.entries == 7 * t.pitch * (is_shared(layouts) ? 1 : 3));
        if (t.by == staging::chunk) {
          CHECK(t.pitch == k);
        } else {
          CHECK(t.pitch * word / (in_pieces ? 16 : word) % 2 == 1);
          if (in_pieces) CHECK(t.pitch * word % 16 == 0);
        }
      }
  CHECK(left(packed_layout::by_rows, 7, 32, 8, false).by == staging::lines);
  CHECK(left(packed_layout::by_rows, 7, 32, 8, true).by == staging::chunk);
  CHECK(left(packed_layout::by_rows, 7, 5, 8, false).by == staging::chunk);
  CHECK(left(packed_layout::shared_by_rows, 7, 5, 8, true).by == staging::through_cache);
  CHECK(left(packed_layout::by_cols, 7, 32, 8, false).by == staging::chunk);
}
