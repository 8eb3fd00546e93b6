// SPDX-License-Identifier: BSD-3-Clause
// Layouts: each predefined one against its formula, index by index, and what can be asked of any layout.
#include <tessera/core/offset.hpp>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

// Static sizes leave nothing in the object, leading dimensions included.
static_assert(std::is_empty_v<column_major<extents<5, 3>>> && std::is_empty_v<column_major<extents<5, 3>, 8>>);
static_assert(std::is_empty_v<row_major<extents<5, 3>>> && std::is_empty_v<row_major<extents<5, 3>, 8>>);
static_assert(std::is_empty_v<padded<extents<5, 3>, 8>> && std::is_empty_v<tiled<extents<5, 3>, 2, 2>>);
static_assert(std::is_empty_v<interleaved<4, column_major<extents<5, 3>>>>);
static_assert(sizeof(column_major<extents<5, 3>, dynamic>) == sizeof(index_t));
static_assert(std::is_trivially_copyable_v<strided<extents<dynamic, 3>>>);

// A user's own: the lower triangle mirrored, so that (i, j) and (j, i) are one entry.
struct symmetric {
  constexpr auto extents() const { return of_size<4, 4>(); }
  constexpr index_t offset(index_t i, index_t j) const { return i < j ? offset(j, i) : i * (i + 1) / 2 + j; }
};
static_assert(layout_type<symmetric> && !affine_layout<symmetric> && rank_of<symmetric> == 2);

struct no_offset {
  constexpr auto extents() const { return of_size<4, 4>(); }
};
struct offset_of_one_index : no_offset {
  constexpr index_t offset(index_t i) const { return i; }
};
static_assert(!layout_type<no_offset> && !layout_type<offset_of_one_index> && !layout_type<extents<4, 4>>);
// Backwards, in place and with gaps: from the lowest entry to the highest.
static_assert(span_of(strided(of_size(5, 3), -1, -5)) == 15 && span_of(strided(of_size(5, 3), 0, -4)) == 9 &&
              span_of(strided(of_size(5, 1), 2, -1000)) == 9 && span_of(strided(of_size(0, 3), -1, 1)) == 0);
static_assert(span_of(symmetric{}) == 10 && symmetric{}.offset(1, 3) == symmetric{}.offset(3, 1));

static_assert(affine_layout<column_major<extents<5, 3>>> && affine_layout<strided<extents<5, 3>>>);
static_assert(affine_layout<interleaved<4, row_major<extents<5, 3>>>>);
static_assert(!affine_layout<tiled<extents<5, 3>, 2, 2>> && !affine_layout<interleaved<4, tiled<extents<5, 3>, 2, 2>>>);

// Usable as constants.
static_assert(column_major(of_size<5, 3>()).offset(2, 1) == 7 && column_major(of_size<5, 3>(), 8).offset(2, 1) == 10);
static_assert(row_major(of_size<5, 3>()).offset(2, 1) == 7 && row_major(of_size<5, 3>(), 4).offset(2, 1) == 9);
static_assert(column_major<extents<5, 3>, 8>{}.leading_dimension() == 8);
static_assert(column_major(extents<>{}).offset() == 0 && span_of(column_major(extents<>{})) == 1);

template <class Layout, class Formula>
void check_formula(const Layout& layout, Formula wanted, bool affine = true) {
  index_t index[max_rank]{};
  index_t largest = -1;
  std::vector<index_t> offsets;
  for (index_t i = 0; i < layout.extents().size(); ++i) {
    unravel(i, layout.extents(), index);
    const index_t found = offset_at(layout, index);
    CHECK(found == wanted(index));
    offsets.push_back(found);
    largest = std::max(largest, found);
    if constexpr (affine_layout<Layout>) {
      index_t sum = 0;
      for (int d = 0; d < rank_of<Layout>; ++d) sum += index[d] * layout.stride(d);
      CHECK(found == sum);
    }
  }
  CHECK(affine == affine_layout<Layout>);
  CHECK(span_of(layout) == largest + 1);
  std::sort(offsets.begin(), offsets.end());
  CHECK(std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end());
}

}  // namespace

TEST_CASE("column-major: first index fastest, with and without a leading dimension", "[layout]") {
  const auto packed_formula = [](const index_t* i) { return i[0] + 5 * (i[1] + 3 * i[2]); };
  check_formula(column_major(of_size<5, 3, 2>()), packed_formula);
  check_formula(column_major(of_size(5, 3, 2)), packed_formula);
  check_formula(column_major(of_size(5, 3_c, 2)), packed_formula);
  const auto with_distance = [](const index_t* i) { return i[0] + 8 * (i[1] + 3 * i[2]); };
  check_formula(column_major(of_size<5, 3, 2>(), 8), with_distance);
  check_formula(column_major<extents<5, 3, 2>, 8>(), with_distance);
  check_formula(column_major<extents<dynamic, dynamic, dynamic>, 8>(of_size(5, 3, 2)), with_distance);
}

TEST_CASE("row-major: last index fastest", "[layout]") {
  check_formula(row_major(of_size<5, 3, 2>()), [](const index_t* i) { return i[2] + 2 * (i[1] + 3 * i[0]); });
  check_formula(row_major(of_size(5, 3, 2)), [](const index_t* i) { return i[2] + 2 * (i[1] + 3 * i[0]); });
  check_formula(row_major(of_size(5, 3, 2), 4), [](const index_t* i) { return i[2] + 4 * (i[1] + 3 * i[0]); });
  check_formula(row_major<extents<5, 3>, 4>(), [](const index_t* i) { return i[1] + 4 * i[0]; });
  check_formula(row_major(of_size<5>()), [](const index_t* i) { return i[0]; });
}

TEST_CASE("padded: columns start at multiples", "[layout]") {
  check_formula(pad_to<4>(of_size<5, 3>()), [](const index_t* i) { return i[0] + 8 * i[1]; });
  check_formula(pad_to<4>(of_size(4, 3, 2)), [](const index_t* i) { return i[0] + 4 * (i[1] + 3 * i[2]); });
  check_formula(pad_to<8>(of_size(9, 2)), [](const index_t* i) { return i[0] + 16 * i[1]; });
}

TEST_CASE("tiled: whole tiles, edge tiles included", "[layout]") {
  const auto formula = [](const index_t* i) { return ((i[1] / 2) * 2 + i[0] / 3) * 6 + (i[1] % 2) * 3 + i[0] % 3; };
  check_formula(tile_by<3, 2>(of_size<5, 3>()), formula, false);
  check_formula(tile_by<3, 2>(of_size(5, 3)), formula, false);
  CHECK(span_of(tile_by<3, 2>(of_size(6, 4))) == 24);
}

TEST_CASE("strided: what a foreign array has", "[layout]") {
  check_formula(strided(of_size(5, 3), 7, 1), [](const index_t* i) { return 7 * i[0] + i[1]; });
  check_formula(
      strided(of_size<2, 3, 2>(), 3, 1, 50), [](const index_t* i) { return 3 * i[0] + i[1] + 50 * i[2]; }, true);
}

TEST_CASE("interleaved: W tensors side by side", "[layout]") {
  check_formula(interleave<4>(of_size<5, 3>()), [](const index_t* i) { return 4 * (i[0] + 5 * i[1]); });
  check_formula(interleave<4>(row_major(of_size(5, 3))), [](const index_t* i) { return 4 * (i[1] + 3 * i[0]); });
  check_formula(
      interleave<2>(tile_by<3, 2>(of_size(5, 3))),
      [](const index_t* i) { return 2 * (((i[1] / 2) * 2 + i[0] / 3) * 6 + (i[1] % 2) * 3 + i[0] % 3); }, false);

  const auto layout = interleave<4>(of_size(5, 3));
  CHECK(lanes_of<decltype(layout)>() == 4);
  CHECK(block_of(layout) == 60);
  // Tensor b at (b / W) W span + b % W.
  for (index_t b = 0; b < 11; ++b) CHECK(batch_start(b, block_of(layout), 4) == b / 4 * 60 + b % 4);
}

TEST_CASE("an empty tensor spans nothing", "[layout]") {
  CHECK(span_of(column_major(of_size(0, 3))) == 0);
  CHECK(span_of(row_major(of_size(4, 0, 2))) == 0);
  CHECK(span_of(tile_by<2, 2>(of_size(0, 3))) == 0);
  CHECK(block_of(interleave<4>(of_size(0, 3))) == 0);
}
