// SPDX-License-Identifier: BSD-3-Clause
// The products of a sweep, by networks and by BLAS, against plain loops over all letters.
#include "contractions.hpp"

#include <algorithm>
#include <cmath>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;
namespace sc = tessera::spin_chain;

namespace {

constexpr index_t n = sc::operator_bond, d = sc::states;

// The same numbers here and where the products are made.
struct tensor_twice {
  std::vector<index_t> extent;
  std::vector<double> here;
  sc::packed_tensor there;

  tensor_twice(space_kind where, const std::vector<index_t>& extents, unsigned seed)
      : extent(extents), there(where, extents) {
    integer_source next(seed);
    for (index_t i = 0; i < there.size(); ++i) here.push_back(next());
    there.set(here);
  }
  double operator()(std::initializer_list<index_t> index) const {
    index_t at = 0, stride = 1, dimension = 0;
    for (const index_t i : index) {
      at += i * stride;
      stride *= extent[std::size_t(dimension++)];
    }
    return here[std::size_t(at)];
  }
};

// `sum` of the indices of each entry of `out`, which held other numbers before. Integers: all sums are exact.
template <class Sum>
void check_entries(const sc::packed_tensor& out, Sum sum) {
  const std::vector<index_t>& e = out.extents();
  const std::vector<double> found = out.numbers();
  const index_t last = e.size() > 3 ? e[3] : 1;
  std::size_t at = 0;
  for (index_t l = 0; l < last; ++l)
    for (index_t k = 0; k < e[2]; ++k)
      for (index_t j = 0; j < e[1]; ++j)
        for (index_t i = 0; i < e[0]; ++i) REQUIRE(found[at++] == sum(i, j, k, l));
}

void check_products(sc::contractions& by, space_kind where, index_t a, index_t b) {
  const index_t m = a + 1;
  const tensor_twice L(where, {a, a, n}, 1), R(where, {b, n, b}, 2), theta(where, {a, d, d, b}, 3),
      A(where, {a, d, b}, 4), first(where, {a, d, m}, 5), second(where, {m, d, b}, 6), left(where, {n, d, d, n}, 7),
      right(where, {d, n, n, d}, 8), pair(where, {d, d, n, n, d, d}, 9);
  tensor_twice merged(where, {a, d, d, b}, 10), applied(where, {a, d, d, b}, 11), more_left(where, {b, b, n}, 12),
      more_right(where, {a, n, a}, 13);
  by.merge(first.there.all(), second.there.all(), merged.there.all());
  check_entries(merged.there, [&](index_t x, index_t s, index_t r, index_t y) {
    double sum = 0;
    for (index_t k = 0; k < m; ++k) sum += first({x, s, k}) * second({k, r, y});
    return sum;
  });
  by.apply(L.there.all(), theta.there.all(), pair.there.all(), R.there.all(), applied.there.all());
  check_entries(applied.there, [&](index_t x, index_t t, index_t u, index_t y) {
    double sum = 0;
    for (index_t v = 0; v < n; ++v)
      for (index_t w = 0; w < n; ++w)
        for (index_t s = 0; s < d; ++s)
          for (index_t r = 0; r < d; ++r)
            for (index_t j = 0; j < b; ++j)
              for (index_t i = 0; i < a; ++i)
                sum += L({x, i, w}) * theta({i, s, r, j}) * pair({s, r, v, w, t, u}) * R({j, v, y});
    return sum;
  });
  by.extend_left(L.there.all(), A.there.all(), left.there.all(), more_left.there.all());
  check_entries(more_left.there, [&](index_t y, index_t j, index_t v, index_t) {
    double sum = 0;
    for (index_t w = 0; w < n; ++w)
      for (index_t s = 0; s < d; ++s)
        for (index_t t = 0; t < d; ++t)
          for (index_t i = 0; i < a; ++i)
            for (index_t x = 0; x < a; ++x) sum += L({x, i, w}) * A({i, s, j}) * left({w, s, t, v}) * A({x, t, y});
    return sum;
  });
  by.extend_right(R.there.all(), A.there.all(), right.there.all(), more_right.there.all());
  check_entries(more_right.there, [&](index_t i, index_t w, index_t x, index_t) {
    double sum = 0;
    for (index_t v = 0; v < n; ++v)
      for (index_t s = 0; s < d; ++s)
        for (index_t t = 0; t < d; ++t)
          for (index_t j = 0; j < b; ++j)
            for (index_t y = 0; y < b; ++y) sum += A({i, s, j}) * R({j, v, y}) * right({s, v, w, t}) * A({x, t, y});
    return sum;
  });
}

void check_shapes(sc::contractions& by, space_kind where) {
  for (const auto& [a, b] : {std::pair<index_t, index_t>{1, 1}, {1, 4}, {5, 3}, {3, 7}, {5, 3}}) {
    INFO(a << " and " << b << " by " << by.describe());
    check_products(by, where, a, b);
  }
  CHECK(by.flops() > 0);
}

}  // namespace

TEST_CASE("products by networks are sums over all letters") {
  const auto by = sc::tessera_contractions(8);
  check_shapes(*by, space_kind::cpu);
  // Not more operations than the order of the products of matrices has.
  const auto blas = sc::blas_contractions(space_kind::cpu);
  const double networks = by->flops(), products = blas->flops();
  check_products(*by, space_kind::cpu, 8, 8);
  check_products(*blas, space_kind::cpu, 8, 8);
  CHECK(by->flops() - networks <= blas->flops() - products);
}

TEST_CASE("products by BLAS are sums over all letters") {
  check_shapes(*sc::blas_contractions(space_kind::cpu), space_kind::cpu);
}

TEST_CASE("products on a GPU by networks are sums over all letters") {
  if (no_gpu()) return;
  const auto by = sc::tessera_contractions(34);
  check_shapes(*by, space_kind::gpu);
  check_products(*by, space_kind::gpu, 33, 34);  // compiled
}

TEST_CASE("products on a GPU by cuBLAS are sums over all letters") {
  if (no_gpu()) return;
  try {
    check_shapes(*sc::blas_contractions(space_kind::gpu), space_kind::gpu);
  } catch (const error& e) {
    if (std::string(e.what()).find("libcublas.so was not found") == std::string::npos) throw;
    skip("no cuBLAS");
  }
}
