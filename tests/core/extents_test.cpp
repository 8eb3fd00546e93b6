// SPDX-License-Identifier: BSD-3-Clause
// Sizes: the three spellings of of_size, sizes in the type, constants usable as template arguments.
#include <tessera/core/extents.hpp>

#include <array>
#include <type_traits>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

// Listing 1: by template arguments, by literals, by run-time values.
constexpr auto by_template = of_size<5, 3>();
constexpr auto by_literal = of_size(5_c, 3_c);
constexpr auto by_value = of_size(5, 3);
static_assert(std::is_same_v<decltype(by_template), decltype(by_literal)>);
static_assert(same_type<decltype(of_size(5_c, 3_c)), extents<5, 3>>);
static_assert(same_type<decltype(of_size(5, 3)), extents<dynamic, dynamic>>);
static_assert(same_type<decltype(of_size(5_c, 3)), extents<5, dynamic>>);
static_assert(same_type<decltype(of_size(5, constant<3>{}, 2LL)), extents<dynamic, 3, dynamic>>);

// Static sizes cost nothing; run-time ones cost only themselves.
static_assert(std::is_empty_v<extents<5, 3>> && std::is_empty_v<extents<>>);
static_assert(sizeof(extents<5, dynamic>) == sizeof(index_t));
static_assert(sizeof(extents<dynamic, dynamic>) == 2 * sizeof(index_t));
static_assert(std::is_trivially_copyable_v<extents<dynamic, 3>>);

// Sizes are counted from 0 and are constants.
static_assert(by_template(0) == 5 && by_template(1) == 3);
static_assert(sizeof(std::array<int, by_template(0)>) == 5 * sizeof(int));
static_assert(sizeof(std::array<int, by_value(1)>) == 3 * sizeof(int));
static_assert(extents<5, dynamic, 7>(5, 4, 7)(1) == 4 && extents<5, dynamic, 7>(5, 4, 7)(2) == 7);
static_assert(extents<dynamic, 3, dynamic>(2, 3, 4)(2) == 4);

static_assert(by_template == by_value && by_value == by_template && by_template == of_size(5, 3_c));
static_assert(!(by_template == of_size<3, 5>()) && !(by_template == of_size<5>()) &&
              !(by_template == of_size<5, 3, 1>()));

static_assert(of_size<5, 3, 6>().size() == 90 && of_size(5, 0, 6).size() == 0 && extents<>{}.size() == 1);
static_assert(extents<5, 3>::rank() == 2 && extents<>::rank() == 0 &&
              extents<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12>::rank() == max_rank);
static_assert(extents<5, 3>::is_static && !extents<5, dynamic>::is_static);
static_assert(extents<5, dynamic>::static_extent(1) == dynamic && extents<5, dynamic>::static_extent(0) == 5);

static_assert((0_c).value == 0 && (12_c).value == 12 && (1'000'000_c).value == 1000000);
static_assert(sizes<extents<5, dynamic>> && !sizes<int>);
static_assert(same_type<iota<5>, sequence<0, 1, 2, 3, 4>> && same_type<iota<0>, sequence<>>);

}  // namespace

TEST_CASE("run-time sizes are kept in order between static ones", "[extents]") {
  for (int n = 0; n < 4; ++n) {
    const auto e = of_size(n, 3_c, 2 * n, 4_c, n + 1);
    CHECK(e(0) == n);
    CHECK(e(1) == 3);
    CHECK(e(2) == 2 * n);
    CHECK(e(3) == 4);
    CHECK(e(4) == n + 1);
    CHECK(e.size() == index_t(n) * 3 * 2 * n * 4 * (n + 1));
  }
}

TEST_CASE("sizes compare by value whatever is static in them", "[extents]") {
  int n = 3;
  CHECK(of_size(5, n) == of_size<5, 3>());
  CHECK(of_size(5_c, n) == of_size(5, 3_c));
  CHECK_FALSE(of_size(n, 5) == of_size<5, 3>());
}
