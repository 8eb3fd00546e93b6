// SPDX-License-Identifier: BSD-3-Clause
// Listing 1: dimensions, stated in three ways.
#include <tessera/tessera.hpp>

#include <array>
#include <type_traits>

using namespace tessera;

// snippet dimensions
// Sizes as template arguments, as integral constants, or at run time; mixing is fine.
constexpr auto sizes1 = of_size<5, 3>();
constexpr auto sizes2 = of_size(5_c, 3_c);
constexpr auto sizes3 = of_size(5, 3);
constexpr auto sizes4 = of_size(5_c, 3);

// A dimension is read with (); they are counted from 0. It is a constant, usable as a template argument.
constexpr auto rows = sizes1(0);
std::array<float, sizes1(1)> one_row;
// end snippet

// The first two are one type, and hold nothing at run time.
static_assert(std::is_same_v<decltype(sizes1), decltype(sizes2)>);
static_assert(std::is_empty_v<decltype(sizes1)> && !std::is_empty_v<decltype(sizes3)>);
static_assert(rows == 5 && sizes3(1) == 3 && one_row.size() == 3);

// snippet layout
// A layout maps indices to an offset. Extents alone stand for the packed column-major one.
constexpr auto by_columns = column_major(of_size<5, 3>());
constexpr auto with_distance = column_major(of_size<5, 3>(), 8);  // leading dimension 8
constexpr auto by_rows = row_major(of_size<5, 3>());
constexpr auto aligned = pad_to<8>(of_size<5, 3>());           // every column starts at a multiple of 8
constexpr auto in_tiles = tile_by<4, 4>(of_size<64, 32>());    // tiles of 4 x 4
constexpr auto side_by_side = interleave<8>(of_size<5, 3>());  // 8 tensors of a batch share a block

// A user's own: anything with extents() and offset(i, j, ...).
struct lower_triangle {
  constexpr auto extents() const { return of_size<4, 4>(); }
  constexpr index_t offset(index_t i, index_t j) const { return i < j ? offset(j, i) : i * (i + 1) / 2 + j; }
};
// end snippet

static_assert(by_columns.offset(2, 1) == 7 && with_distance.offset(2, 1) == 10 && by_rows.offset(2, 1) == 7);
static_assert(aligned.offset(2, 1) == 10 && in_tiles.offset(5, 0) == 17 && side_by_side.offset(2, 1) == 56);
static_assert(layout_type<lower_triangle>);

int main() {
  auto full = make_batch<double>(lower_triangle{}, 2);
  full(1)(0, 3) = 7;
  return sizes4 == sizes1 && full(1)(3, 0) == 7 ? 0 : 1;
}
