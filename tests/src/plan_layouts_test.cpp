// SPDX-License-Identifier: BSD-3-Clause
// Plans over typed views: every predefined layout, and one written here, give the definition's numbers.
#include <tessera/batch.hpp>
#include <tessera/plan.hpp>
#include <tessera/reshape.hpp>

#include <algorithm>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// A user's own layout, known to no header of the library: columns in bit-reversed order, rows backwards.
struct scrambled {
  index_t rows, cols;
  constexpr auto extents() const { return of_size(rows, cols); }
  constexpr index_t offset(index_t i, index_t j) const {
    const index_t reversed = (j & 1) << 2 | (j & 2) | (j & 4) >> 2;
    return 3 + reversed * (rows + 1) + (rows - 1 - i);
  }
};
static_assert(layout_type<scrambled> && !affine_layout<scrambled>);

// A symmetric matrix stored once: two index tuples may share an entry of an input.
struct lower_triangle {
  index_t n;
  constexpr auto extents() const { return of_size(n, n); }
  constexpr index_t offset(index_t i, index_t j) const { return i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j; }
};

template <class T, class A, class B, class C>
void check_product(const A& a_layout, const B& b_layout, const C& c_layout, const char* text = "ik,kj->ij") {
  const index_t count = 5;
  std::vector<T> memory_a(2000, T(-77)), memory_b(2000, T(-77)), memory_c(2000, T(-99));
  const auto a = view_batch(memory_a.data() + 1, a_layout, count);
  const auto b = view_batch(memory_b.data(), b_layout, count);
  const auto c = view_batch(memory_c.data() + 2, c_layout, count);
  for (target where : cpu_targets()) {
    std::fill(memory_c.begin(), memory_c.end(), T(-99));
    fill_fractions(a, 1);
    fill_fractions(b, 2);
    fill_fractions(c, 3);
    const contraction what(text, {1.5, -0.75});
    const wanted_result wanted = by_definition<T>(what, {read(a), read(b)}, read(c));
    make_plan(what, a, b, c, on(where)).run(a, b, c);
    INFO(name_of(where));
    CHECK(count_wrong(read(c), wanted) == 0);
    CHECK(std::count(memory_c.begin(), memory_c.end(), T(-99)) ==
          index_t(memory_c.size()) - c.extents().size() * count);
  }
}

// One layout in each place, packed ones in the others.
template <class LayoutOf>
void check_in_every_place(LayoutOf layout_of) {
  const auto packed_of = [](auto e) { return column_major(e); };
  check_product<double>(layout_of(of_size(5, 7)), packed_of(of_size(7, 6)), packed_of(of_size(5, 6)));
  check_product<double>(packed_of(of_size(5, 7)), layout_of(of_size(7, 6)), packed_of(of_size(5, 6)));
  check_product<double>(packed_of(of_size(5, 7)), packed_of(of_size(7, 6)), layout_of(of_size(5, 6)));
  check_product<float>(layout_of(of_size(5, 7)), layout_of(of_size(7, 6)), layout_of(of_size(5, 6)));
}

}  // namespace

TEST_CASE("a user's own layout runs in every place", "[plan]") {
  check_in_every_place([](auto e) { return scrambled{e(0), e(1)}; });
}

TEST_CASE("every predefined layout runs in every place", "[plan]") {
  check_in_every_place([](auto e) { return column_major(e, e(0) + 3); });
  check_in_every_place([](auto e) { return row_major(e); });
  check_in_every_place([](auto e) { return row_major(e, e(1) + 1); });
  check_in_every_place([](auto e) { return pad_to<8>(e); });
  check_in_every_place([](auto e) { return tile_by<4, 2>(e); });
  check_in_every_place([](auto e) { return interleave<4>(e); });
  check_in_every_place([](auto e) { return interleave<2>(tile_by<2, 2>(e)); });
  check_in_every_place([](auto e) { return strided(e, 2, 20); });
  check_in_every_place([](auto e) { return reshape_layout(row_major(of_size(e(1), e(0))), e); });
}

TEST_CASE("an input may hold an entry twice", "[plan]") {
  check_product<double>(lower_triangle{6}, column_major(of_size(6, 4)), column_major(of_size(6, 4)));
  check_product<float>(column_major(of_size(4, 6)), lower_triangle{6}, column_major(of_size(4, 6)));
}

TEST_CASE("a user's own layout in a pointwise product and in a three-input contraction", "[plan]") {
  const scrambled own{5, 6};
  check_product<double>(own, column_major(of_size(5, 6)), own, "ab,ab->ab");
  check_product<float>(row_major(of_size(5, 6)), own, column_major(of_size(5, 6)), "ab,ab->ab");

  std::vector<double> tables(200), d(200), m(2000);
  const auto basis = view(tables.data(), scrambled{5, 4});
  const auto weights = view_batch(d.data(), scrambled{5, 6}, 3);
  const auto result = view_batch(m.data(), of_size(4, 6, 4), 3);
  fill_fractions(basis, 1);
  fill_fractions(weights, 2);
  const contraction what("ki,kj,kl->ilj");
  const wanted_result wanted = by_definition<double>(what, {read(basis), read(basis), read(weights)}, read(result));
  for (target where : cpu_targets()) {
    std::fill(m.begin(), m.end(), -99);
    make_plan(what, basis, basis, weights, result, on(where)).run(basis, basis, weights, result);
    INFO(name_of(where));
    CHECK(count_wrong(read(result), wanted) == 0);
  }
}

TEST_CASE("static, mixed and run-time sizes make the same plan", "[plan]") {
  auto a = make_tensor<double>(of_size<5, 3>());
  auto x = make_batch<double>(of_size(3_c, 4), 6);
  auto y = make_batch<double>(of_size(5, 4), 6);
  auto z = make_batch<double>(of_size<5, 4>(), 6);
  tensor<double> ranked(of_size(5, 3));
  fill_fractions(a.view(), 1);
  fill_fractions(x.view(), 2);
  std::copy(a.begin(), a.end(), ranked.begin());
  const plan p = make_plan(contraction("ij,jk->ik"), a, x, y);
  p.run(a, x, y);
  p.run(ranked, x, z);
  CHECK(std::equal(y.begin(), y.end(), z.begin()));
}

TEST_CASE("a plan takes reshaped views", "[plan]") {
  auto b = make_tensor<double>(of_size<3, 2>());
  auto v = make_batch<double>(of_size(4, 2, 5), 3);
  auto u = make_batch<double>(of_size(4, 3, 5), 3);
  fill_fractions(b.view(), 1);
  fill_fractions(v.view(), 2);
  const contraction what("kj,ajc->akc");
  const wanted_result wanted = by_definition<double>(what, {read(b.view()), read(v.view())}, read(u.view()));
  // The same numbers with a dimension of 1 in front, and with a split one.
  const auto one_more = insert_one<0>(v.view());
  const auto result = insert_one<0>(u.view());
  make_plan(contraction("kj,xajc->xakc"), b, one_more, result).run(b, one_more, result);
  CHECK(count_wrong(read(u.view()), wanted) == 0);
  const auto split = reshape(v.view(), of_size(2, 2, 2, 5)), split_result = reshape(u.view(), of_size(2, 2, 3, 5));
  std::fill(u.begin(), u.end(), 0.0);
  make_plan(contraction("kj,xajc->xakc"), b, split, split_result).run(b, split, split_result);
  CHECK(count_wrong(read(u.view()), wanted) == 0);
}
