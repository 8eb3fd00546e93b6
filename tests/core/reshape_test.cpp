// SPDX-License-Identifier: BSD-3-Clause
// Reshaped layouts: entries keep their column-major linear index, whatever lies below.
#include <tessera/core/reshape.hpp>

#include <type_traits>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

// A packed column-major layout stays one; reshaping twice is reshaping once; lanes stay.
static_assert(
    same_type<decltype(reshape_layout(column_major(of_size<4, 6>()), of_size<8, 3>())), column_major<extents<8, 3>>>);
using once = decltype(reshape_layout(row_major(of_size<4, 6>()), of_size<8, 3>()));
using twice = decltype(reshape_layout(once{}, of_size<2, 12>()));
static_assert(same_type<once, reshaped<row_major<extents<4, 6>>, extents<8, 3>>>);
static_assert(same_type<twice, reshaped<row_major<extents<4, 6>>, extents<2, 12>>>);
static_assert(std::is_empty_v<once>);
static_assert(!affine_layout<once> && layout_type<once> && once::lanes == 1);
static_assert(lanes_of<decltype(reshape_layout(interleave<4>(of_size<4, 6>()), of_size<24>()))>() == 4);

// To the sizes it has already, and between layouts of run-time sizes: both hold the same extents type twice.
static_assert(reshape_layout(row_major(of_size<4, 6>()), of_size<4, 6>()).offset(1, 2) == 8);
static_assert(reshape_layout(row_major(of_size(4, 6)), of_size(8, 3)).extents()(0) == 8);
static_assert(reshape_layout(row_major(of_size(4, 6)), of_size(8, 3)).inner().extents()(0) == 4);

static_assert(static_product_mismatch<extents<5, 6>, extents<4, 7>>());
static_assert(!static_product_mismatch<extents<5, 6>, extents<3, 10>>());
static_assert(!static_product_mismatch<extents<5, dynamic>, extents<4, 7>>());

template <class From, class To>
void check_same_entries(const From& from, const To& to) {
  REQUIRE(from.extents().size() == to.extents().size());
  index_t a[max_rank]{}, b[max_rank]{};
  for (index_t i = 0; i < from.extents().size(); ++i) {
    unravel(i, from.extents(), a);
    unravel(i, to.extents(), b);
    CHECK(offset_at(from, a) == offset_at(to, b));
  }
}

template <class Layout>
void check_all_shapes(const Layout& from) {
  check_same_entries(from, reshape_layout(from, of_size<24>()));
  check_same_entries(from, reshape_layout(from, of_size<2, 12>()));
  check_same_entries(from, reshape_layout(from, of_size(8, 3_c)));
  check_same_entries(from, reshape_layout(from, of_size<2, 2, 3, 2>()));
  check_same_entries(from, reshape_layout(from, of_size(1, 6, 1, 4, 1)));
  check_same_entries(from, reshape_layout(from, of_size<4, 6>()));
  check_same_entries(from, reshape_layout(reshape_layout(from, of_size(3, 8)), of_size(4, 6)));
}

}  // namespace

TEST_CASE("reshape keeps the linear index over every layout", "[reshape]") {
  check_all_shapes(column_major(of_size<4, 6>()));
  check_all_shapes(column_major(of_size(4, 6)));
  check_all_shapes(column_major(of_size(4, 6), 7));
  check_all_shapes(row_major(of_size<4, 6>()));
  check_all_shapes(row_major(of_size(4, 6), 9));
  check_all_shapes(pad_to<8>(of_size(4_c, 6)));
  check_all_shapes(tile_by<3, 4>(of_size(4, 6)));
  check_all_shapes(interleave<4>(of_size(4, 6)));
  check_all_shapes(strided(of_size(4, 6), 10, 1));
}

TEST_CASE("a random walk through shapes comes back to the same offsets", "[reshape]") {
  const auto start = tile_by<3, 2>(of_size(6, 10));
  unsigned state = 7;
  const index_t divisors[] = {1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60};
  auto walked = reshape_layout(start, of_size(60, 1));
  for (int step = 0; step < 50; ++step) {
    state = state * 1664525u + 1013904223u;
    const index_t rows = divisors[(state >> 16) % 12];
    walked = reshape_layout(walked, of_size(rows, 60 / rows));
    check_same_entries(start, walked);
  }
  check_same_entries(start, reshape_layout(walked, of_size(6, 10)));
}
