// SPDX-License-Identifier: BSD-3-Clause
// The contractions of tensor-product elements by contract<>, unequal sizes on all axes, exact.
#include "contract_case.hpp"
#include "core/table1_rows.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr int row_count = int(sizeof(table1::rows) / sizeof(table1::rows[0]));

// A row's einsum as a template argument.
template <int R>
constexpr auto text_of_row() {
  char text[32]{};
  for (int i = 0; i < 31 && table1::rows[R].text[i] != 0; ++i) text[i] = table1::rows[R].text[i];
  return fixed_string<32>(text);
}

// Operand O of a row (3: the output), packed column-major, sizes in the type or at run time.
template <int R, int O>
constexpr table1::tensor_shape shape_of_row() {
  return O == 3 ? table1::rows[R].out : table1::rows[R].input[O];
}
template <int R, int O, bool in_type>
auto layout_of_row() {
  constexpr table1::tensor_shape shape = shape_of_row<R, O>();
  return [&]<int... D>(sequence<D...>) {
    if constexpr (in_type)
      return column_major(extents<shape.extent[D]...>{});
    else
      return column_major(of_size(shape.extent[D]...));
  }
  (iota<shape.rank>{});
}

template <int R, class T, bool in_type>
void check_row(scaling s) {
  constexpr table1::row row = table1::rows[R];
  INFO("row " << row.name << ", " << row.text);
  const auto a = layout_of_row<R, 0, in_type>();
  const auto b = layout_of_row<R, 1, in_type>();
  const auto out = layout_of_row<R, 3, in_type>();
  if constexpr (row.form == canonical::eq9)
    CHECK(contract_agrees_9<text_of_row<R>(), T>(a, layout_of_row<R, 2, in_type>(), out, s));
  else if constexpr (row.form == canonical::pointwise)
    CHECK(contract_agrees<text_of_row<R>(), T, true, true>(a, b, out, s));
  else
    CHECK(contract_agrees<text_of_row<R>(), T, false, true>(a, b, out, s));
}

// The first row of its canonical form.
constexpr bool stands_for_its_form(int r) {
  for (int before = 0; before < r; ++before)
    if (table1::rows[before].form == table1::rows[r].form) return false;
  return true;
}

// All rows, or one of each form.
template <class T, bool in_type, bool all_rows = true>
void check_all() {
  const auto check = []<index_t R>(constant<R>, scaling s) {
    if constexpr (all_rows || stands_for_its_form(int(R))) check_row<int(R), T, in_type>(s);
  };
  for (const scaling s : {assign, add, scaling{2, -3}}) [&]<int... R>(sequence<R...>) {
      (check(constant<R>{}, s), ...);
    }
  (iota<row_count>{});
}

}  // namespace

TEST_CASE("Table 1 with static sizes", "[cpu][contract]") { check_all<double, true>(); }
// A kernel does not see which row it runs, only its form; that every row is lowered at run time, the integers show.
TEST_CASE("the forms of Table 1 with run-time sizes", "[cpu][contract]") { check_all<float, false, false>(); }
TEST_CASE("Table 1 in integers", "[cpu][contract]") {
  check_all<int, true>();
  check_all<long, false>();
}
