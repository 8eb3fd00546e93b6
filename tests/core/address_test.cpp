// SPDX-License-Identifier: BSD-3-Clause
// Address functors: static, strided, by table and by layout, all the same map where they apply.
#include <tessera/core/address.hpp>

#include <type_traits>
#include <vector>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

static_assert(std::is_empty_v<static_map<1, 5>> && std::is_empty_v<static_map<1, 5, 3, 20>>);
static_assert(static_map<1, 5>{}.offset(2, 3, 0) == 17);
// Two loop digits: l = l0 + 3 l1.
static_assert(static_map<1, 5, 3, 20, 4, 100>{}.offset(2, 3, 7) == 17 + 1 * 20 + 2 * 100);
static_assert(std::is_trivially_copyable_v<run_time_map>);
// Kernels of a GPU take up to five by value, in 4 KiB.
static_assert(sizeof(run_time_map) <= 256);

struct lowering_case {
  const char* text;
  detail::lowering in;
  lowered form;
};

template <class A, class B, class Out>
constexpr lowering_case lower_layouts(const char* text, const A& a, const B& b, const Out& out) {
  const detail::lowering in{parse_einsum(text), {facts_of(a), facts_of(b), {}, facts_of(out)}};
  return {text, in, lower(in.e, in.facts)};
}

// The letters of (r, c, l) for an operand, written out: what every functor has to reproduce.
template <class Layout>
index_t expected(const lowering_case& c, int operand, const Layout& layout, index_t row, index_t col, index_t loop) {
  const roles role = roles_of(c.form, operand);
  index_t index[max_rank]{};
  const auto place = [&](const modes& letters, index_t linear) {
    for (int i = 0; i < letters.rank; ++i) {
      const index_t extent = c.in.extent(letters.letter[i]);
      const int at = c.in.e.operand[operand].find(letters.letter[i]);
      if (at >= 0) index[at] = linear % extent;
      linear /= extent;
    }
  };
  place(role.rows.letters, row);
  place(role.cols.letters, col);
  place(role.loop.letters, loop);
  return offset_at(layout, index);
}

template <class Layout>
void check_operand(const lowering_case& c, int operand, const Layout& layout) {
  INFO(c.text << ", operand " << operand);
  const roles role = roles_of(c.form, operand);
  const auto by_layout = layout_map_of(layout, c.form, c.in, operand);
  const bool strides_do = is_strided(c.form, c.in.facts[operand], operand);
  const run_time_map by_stride = strided_map_of(c.form, operand);
  run_time_map by_table{.rows = role.rows.size(), .cols = role.cols.size()};
  std::vector<index_t> table;
  for (index_t l = 0; l < role.loop.size(); ++l)
    for (index_t j = 0; j < role.cols.size(); ++j)
      for (index_t i = 0; i < role.rows.size(); ++i) table.push_back(expected(c, operand, layout, i, j, l));
  by_table.table = table.data();
  const split_index rows = split_index_of(role.rows, operand), cols = split_index_of(role.cols, operand);
  run_time_map by_digits = by_stride;
  by_digits.split_rows = &rows, by_digits.split_cols = &cols;
  CHECK(by_digits.row_stride() == 0);
  CHECK(by_digits.is_strided() == false);
  CHECK(by_table.row_stride() == 0);
  CHECK(by_table.col_stride() == 0);
  for (index_t l = 0; l < role.loop.size(); ++l)
    for (index_t j = 0; j < role.cols.size(); ++j)
      for (index_t i = 0; i < role.rows.size(); ++i) {
        const index_t wanted = expected(c, operand, layout, i, j, l);
        CHECK(by_layout.offset(i, j, l) == wanted);
        CHECK(by_table.offset(i, j, l) == wanted);
        if (strides_do) CHECK(by_stride.offset(i, j, l) == wanted);
        if (c.in.facts[operand].affine) CHECK(by_digits.offset(i, j, l) == wanted);
      }
}

template <class A, class B, class Out>
void check_case(const char* text, const A& a, const B& b, const Out& out) {
  const lowering_case c = lower_layouts(text, a, b, out);
  REQUIRE(c.form.fault == lower_fault::none);
  check_operand(c, 0, a);
  check_operand(c, 1, b);
  check_operand(c, output, out);
}

}  // namespace

TEST_CASE("every functor gives the operand's own offset", "[address]") {
  check_case("kj,jbc->kbc", column_major(of_size<5, 2>()), column_major(of_size<2, 3, 4>()),
             column_major(of_size<5, 3, 4>()));
  check_case("kj,ajc->akc", column_major(of_size(5, 3)), column_major(of_size(2, 3, 4)),
             column_major(of_size(2, 5, 4)));
  check_case("kj,abj->abk", row_major(of_size(5, 4)), row_major(of_size(2, 3, 4)), row_major(of_size(2, 3, 5)));
  check_case("kj,abj->abk", pad_to<8>(of_size(5, 4)), column_major(of_size(2, 3, 4), 3),
             strided(of_size(2, 3, 5), 1, 20, 3));
  check_case("ik,kj->ij", tile_by<2, 2>(of_size(5, 3)), column_major(of_size(3, 4)), tile_by<3, 3>(of_size(5, 4)));
  check_case("ab,ab->ab", column_major(of_size(5, 3)), row_major(of_size(5, 3)), column_major(of_size(5, 3)));
  check_case("ckd,dbc->kb", column_major(of_size(3, 5, 4)), strided(of_size(4, 2, 3), -1, 12, 4),
             strided(of_size(5, 2), -1, -5));
  check_case("akbl,lk->ab", column_major(of_size(5, 3, 2, 4)), column_major(of_size(4, 3)),
             column_major(of_size(5, 2)));
}

TEST_CASE("packed operands of (8a) are strided and merge into one digit", "[address]") {
  const auto c = lower_layouts("kj,jbc->kbc", column_major(of_size(5, 2)), column_major(of_size(2, 3, 4)),
                               column_major(of_size(5, 3, 4)));
  CHECK(is_strided(c.form, c.in.facts[1], 1));
  const run_time_map map = strided_map_of(c.form, 1);
  CHECK(map.row_stride() == 1);
  CHECK(map.col_stride() == 2);
  CHECK(map.loop_rank == 0);
  CHECK(c.form.cols.size() == 12);
}
