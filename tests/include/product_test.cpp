// SPDX-License-Identifier: BSD-3-Clause
// Matrix products of Listing 4: operator*, trans, batch_gemm; the sizes of results and the numbers in them.
#include <tessera/product.hpp>

#include <cmath>
#include <limits>

#include "testing/definition.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <int Rows, int Cols>
using matrix_batch = batch<double, cpu, extents<Rows, Cols>>;

// Static sizes are carried to the result's type; a run-time one stays at run time.
using left_static = decltype(make_batch<double>(of_size<5, 3>(), 1));
using right_static = decltype(make_batch<double>(of_size<3, 4>(), 1));
using left_mixed = decltype(make_batch<double>(of_size(5, 3_c), 1));
using right_mixed = decltype(make_batch<double>(of_size(3_c, 4), 1));
template <class A, class B>
using product_of = decltype(std::declval<A&>() * std::declval<B&>());
static_assert(std::is_same_v<product_of<left_static, right_static>, matrix_batch<5, 4>>);
static_assert(std::is_same_v<product_of<left_mixed, right_static>, batch<double, cpu, extents<dynamic, 4>>>);
static_assert(std::is_same_v<product_of<left_static, right_mixed>, batch<double, cpu, extents<5, dynamic>>>);
static_assert(std::is_same_v<product_of<left_mixed, right_mixed>, batch<double, cpu, extents<dynamic, dynamic>>>);
static_assert(
    std::is_same_v<decltype(trans(std::declval<left_static&>()) * std::declval<left_static&>()), matrix_batch<3, 3>>);
static_assert(
    std::is_same_v<decltype(std::declval<left_static&>() * trans(std::declval<left_static&>())), matrix_batch<5, 5>>);
static_assert(std::is_same_v<product_of<tensor<double, cpu, extents<5, 3>>, right_static>, matrix_batch<5, 4>>);
static_assert(std::is_same_v<product_of<tensor<float, cpu, extents<5, 3>>, tensor<float, cpu, extents<3, 4>>>,
                             tensor<float, cpu, extents<5, 4>>>);

template <class Result, class A, class B>
void check_product(const char* text, const Result& result, const A& a, const B& b) {
  using T = typename Result::value_type;
  entries<T> before = read(result.view());
  const wanted_result wanted = by_definition<T>(contraction(text), {read(a.view()), read(b.view())}, before);
  INFO(text);
  CHECK(count_different(before, wanted) == 0);
}

template <class T>
void check_all_forms(index_t count) {
  auto nn_a = make_batch<T>(of_size(5_c, 3_c), count);
  auto nn_b = make_batch<T>(of_size(3_c, 4_c), count);
  auto t_a = make_batch<T>(of_size(3, 5), count);
  auto t_b = make_batch<T>(of_size(4, 3_c), count);
  fill_integers(nn_a.view(), 1);
  fill_integers(nn_b.view(), 2);
  fill_integers(t_a.view(), 3);
  fill_integers(t_b.view(), 4);
  check_product("ik,kj->ij", nn_a * nn_b, nn_a, nn_b);
  check_product("ki,kj->ij", trans(t_a) * nn_b, t_a, nn_b);
  check_product("ik,jk->ij", nn_a * trans(t_b), nn_a, t_b);
  check_product("ki,jk->ij", trans(t_a) * trans(t_b), t_a, t_b);
}

}  // namespace

TEST_CASE("operator* and trans are matrix products, in all four forms", "[product]") {
  for (index_t count : {1, 2, 15, 64}) {
    check_all_forms<double>(count);
    check_all_forms<float>(count);
  }
}

TEST_CASE("a tensor is shared by the batch on either side", "[product]") {
  auto shared = make_tensor<double>(of_size<5, 3>());
  auto many = make_batch<double>(of_size<3, 4>(), 7);
  auto wide = make_batch<double>(of_size<2, 5>(), 7);
  fill_integers(shared.view(), 1);
  fill_integers(many.view(), 2);
  fill_integers(wide.view(), 3);
  check_product("ik,kj->ij", shared * many, shared, many);
  check_product("ik,kj->ij", wide * shared, wide, shared);
  auto other = make_tensor<double>(of_size(3, 2));
  fill_integers(other.view(), 4);
  check_product("ik,kj->ij", shared * other, shared, other);
  // Temporaries and constant operands are fine.
  const auto& constant_batch = many;
  check_product("ik,kj->ij", shared * constant_batch, shared, constant_batch);
  CHECK(((wide * shared) * many).count() == 7);
}

TEST_CASE("batch_gemm scales and adds", "[product]") {
  auto a = make_batch<double>(of_size(5, 3), 6);
  auto b = make_batch<double>(of_size(3, 4), 6);
  auto c = make_batch<double>(of_size(5, 4), 6);
  fill_integers(a.view(), 1);
  fill_integers(b.view(), 2);
  for (const scaling scale : {scaling{2, 0}, scaling{1, 1}, scaling{-1, 3}, scaling{0, 2}, scaling{0.5, -0.25}}) {
    fill_integers(c.view(), 3);
    const contraction what("ik,kj->ij", scale);
    const wanted_result wanted = by_definition<double>(what, {read(a.view()), read(b.view())}, read(c.view()));
    batch_gemm(a, b, c, scale);
    CHECK(count_different(read(c.view()), wanted) == 0);
  }
  std::fill(c.begin(), c.end(), std::numeric_limits<double>::quiet_NaN());
  batch_gemm(a, b, c);
  CHECK(std::none_of(c.begin(), c.end(), [](double x) { return std::isnan(x); }));
  batch_gemm(trans(b), trans(a), make_batch<double>(of_size(4, 5), 6));
}

TEST_CASE("a group gives the batch's result", "[product]") {
  auto a = make_batch<double>(of_size<5, 3>(), 4);
  auto b = make_batch<double>(of_size<3, 4>(), 4);
  fill_fractions(a.view(), 1);
  fill_fractions(b.view(), 2);
  const auto c = a * b;

  auto group_a = make_group<double>(of_size<5, 3>());
  auto group_b = make_group<double>(of_size<3, 4>());
  auto group_c = make_group<double>(of_size<5, 4>());
  std::vector<tensor<double, cpu, extents<5, 3>>> as;
  std::vector<tensor<double, cpu, extents<3, 4>>> bs;
  std::vector<tensor<double, cpu, extents<5, 4>>> cs;
  for (index_t i = 0; i < 4; ++i) {
    as.push_back(make_tensor<double>(of_size<5, 3>()));
    bs.push_back(make_tensor<double>(of_size<3, 4>()));
    cs.push_back(make_tensor<double>(of_size<5, 4>()));
    std::copy(a(i).data(), a(i).data() + 15, as.back().data());
    std::copy(b(i).data(), b(i).data() + 12, bs.back().data());
  }
  for (std::size_t i = 0; i < 4; ++i) {
    group_a.push_back(as[i]);
    group_b.push_back(bs[i]);
    group_c.push_back(cs[i]);
  }
  batch_gemm(group_a, group_b, group_c);
  for (index_t i = 0; i < 4; ++i) CHECK(std::equal(cs[std::size_t(i)].begin(), cs[std::size_t(i)].end(), c(i).data()));

  // Mixed with batches, transposed, and as an operator, whose result is a batch.
  const auto mixed = group_a * b;
  const auto turned = trans(group_b) * trans(group_a);
  CHECK(std::equal(mixed.begin(), mixed.end(), c.begin()));
  static_assert(std::is_same_v<decltype(turned), const batch<double, cpu, extents<4, 5>>>);
  const auto wanted_turned = trans(b) * trans(a);
  CHECK(std::equal(turned.begin(), turned.end(), wanted_turned.begin()));
  batch_gemm(a, group_b, group_c, {2, -1});
  for (index_t i = 0; i < 4; ++i) CHECK(std::equal(cs[std::size_t(i)].begin(), cs[std::size_t(i)].end(), c(i).data()));

  auto fewer = make_group<double>(of_size<5, 3>());
  check_failure(status::shape_mismatch, {"ik,kj->ij", "5x3, 3x4 -> 5x4", "group of 0", "of 4"},
                [&] { batch_gemm(fewer, group_b, group_c); });
}

TEST_CASE("sizes that do not fit at run time are errors", "[product]") {
  auto a = make_batch<double>(of_size(5, 3), 4);
  auto b = make_batch<double>(of_size(5, 3), 4);
  auto fitting = make_batch<double>(of_size(3, 5), 5);
  check_failure(status::shape_mismatch, {"ik,kj->ij", "5x3, 5x3"}, [&] { a* b; });
  check_failure(status::shape_mismatch, {"ik,kj->ij", "5x3, 3x5", "batch of"}, [&] { a* fitting; });
  auto c = make_batch<double>(of_size(5, 4), 4);
  std::fill(c.begin(), c.end(), -99.0);
  auto right = make_batch<double>(of_size(3, 5), 4);
  check_failure(status::shape_mismatch, {"5x3, 3x5 -> 5x4"}, [&] { batch_gemm(a, right, c); });
  CHECK(std::all_of(c.begin(), c.end(), [](double x) { return x == -99; }));
}
