// SPDX-License-Identifier: BSD-3-Clause
// What one thread of a device-side contraction computes, on the host: core/table1_rows.hpp for several orders.
#include "testing/catch.hpp"

#include "gpu/device_program_case.hpp"
#include "gpu/table1_cases.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class Case, class T, int... O>
auto share_of_row(sequence<O...>) {
  return share_case<Case::text, T, typename Case::template layout<output>, typename Case::template layout<O>...>{};
}

template <int R, int P, class T>
void check_row() {
  using row = table1_case<R, P>;
  using share = decltype(share_of_row<row, T>(iota<row::inputs>{}));
  INFO("row " << table1_texts[R].einsum << ", order " << P);
  CHECK(share::template wrong<32>() == 0);
  if constexpr (P == 0) {
    CHECK(share::template wrong<1>() == 0);
    CHECK(share::template wrong<0>(5) == 0);
    CHECK(share::template wrong<16, register_tile{3, 2}>() == 0);
  }
}

template <int P, class T, int... R>
void check_rows(sequence<R...>) {
  (check_row<R, P, T>(), ...);
}

}  // namespace

TEST_CASE("device share: Table 1, no two axes alike", "[gpu]") {
  check_rows<0, double>(iota<table1_count>{});
  check_row<7, 0, int>();
}

TEST_CASE("device share: Table 1, orders 1 to 4", "[gpu]") {
  check_rows<1, float>(iota<table1_count>{});
  check_rows<2, double>(iota<table1_count>{});
  check_rows<3, float>(iota<table1_products>{});
  check_rows<4, double>(iota<table1_products>{});
}
