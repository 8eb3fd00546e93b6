// SPDX-License-Identifier: BSD-3-Clause
// Every compiled gemm row of every target against the definition: sizes, layouts, scalings, positions in the batch.
#include <cstring>

#include "gemm_case.hpp"
#include "isa_types.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

struct scaled {
  double alpha, beta;
};
constexpr scaled scalings[] = {{1, 0}, {1, 1}, {-0.75, 0}, {0.5, -1.5}, {2, 1}};

// Faults of the generic row, which also names the case that failed.
template <class IsaType>
void check_generic(const isa_rows& rows, const gemm_case& c) {
  const int faults = faults_of(c, rows.generic<typename IsaType::type>());
  if (faults != 0) FAIL_CHECK(text_of(c) << ": " << faults << " faults");
}

gemm_case random_case(std::mt19937& draw) {
  const auto pick = [&](int most) { return int(draw() % unsigned(most)); };
  constexpr placement all[] = {placement::packed, placement::transposed, placement::leading, placement::interleaved,
                               placement::table};
  gemm_case c;
  c.size = {1 + pick(32), 1 + pick(32), 1 + pick(32), 1 + pick(3), 1 + 2 * pick(3)};
  c.left = all[pick(5)], c.right = all[pick(5)], c.out = all[pick(5)];
  c.left_factors = 1 + int(pick(8) == 0), c.right_factors = 1 + int(pick(8) == 0);
  c.left_shared = pick(3) == 0, c.right_shared = pick(3) == 0;
  c.shift = pick(4);
  c.alpha = scalings[pick(5)].alpha, c.beta = scalings[pick(5)].beta;
  c.seed = unsigned(draw());
  return c;
}

}  // namespace

TEST_CASE("the check finds a wrong sum, a missing entry and a write outside", "[cpu]") {
  const gemm_case c{.size = {3, 2, 4, 1, 2}};
  const problem_function<double> right = rows_of(target::reference)->generic<double>();
  CHECK(faults_of<double>(c, right) == 0);
  CHECK(faults_of<double>(c, [](const problem<double>&, index_t, index_t) {}) == 12);
  CHECK(faults_of<double>(c, [](const problem<double>& p, index_t first, index_t last) {
          rows_of(target::reference)->generic<double>()(p, first, last);
          p.out.data[-1] = 0;
          p.out.data[1] *= 1 + 1e-14;
        }) == 2);
}

TEMPLATE_LIST_TEST_CASE("every specialised row computes its size", "[cpu]", isa_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  int count = 0;
  for (const gemm_row& row : rows->specialised) {
    if (row.type != scalar_of<T>) continue;
    ++count;
    for (const index_t n : {row.n, index_t(1), index_t(7), row.m * row.m}) {
      if (row.n > 0 && n != row.n) continue;
      if (n == 0) continue;
      for (const scaled& s : scalings) {
        for (const bool shared : {false, true})
          for (const index_t loops : {1, 3}) {
            gemm_case c{.size = {row.m, n, row.k, loops, 5}, .left_shared = shared, .alpha = s.alpha, .beta = s.beta};
            drawn<T> d(c);
            REQUIRE(accepts(row, d.as_problem()));
            const int faults = faults_of(c, row.function<T>());
            if (faults != 0) FAIL_CHECK("row " << row.n << ", " << text_of(c) << ": " << faults << " faults");
          }
        // Tables that lie otherwise are packed.
        for (const placement p : {placement::transposed, placement::table}) {
          gemm_case c{
              .size = {row.m, n, row.k, 1, 5}, .left = p, .left_shared = true, .alpha = s.alpha, .beta = s.beta};
          if (row.n > 0) c.right = p, c.right_shared = true;
          drawn<T> d(c);
          REQUIRE(accepts(row, d.as_problem()));
          int faults = faults_of(c, row.function<T>());
          // The plan was made for tables, and runs over batches.
          c.left_shared = c.right_shared = false;
          faults += faults_of(c, row.function<T>());
          if (faults != 0) FAIL_CHECK("row " << row.n << ", " << text_of(c) << ": " << faults << " faults");
        }
      }
    }
  }
  CHECK(count > 0);
}

TEMPLATE_LIST_TEST_CASE("the generic row computes all squares to 32", "[cpu]", target_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (index_t n = 1; n <= 32; ++n)
    for (const scaled& s : {scalings[0], scalings[1], scalings[3]})
      check_generic<TestType>(*rows, {.size = {n, n, n, 1, 3}, .alpha = s.alpha, .beta = s.beta, .seed = unsigned(n)});
}

TEMPLATE_LIST_TEST_CASE("the generic row computes 200 drawn problems", "[cpu]", target_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  std::mt19937 draw(20261120);
  for (int i = 0; i < 200; ++i) check_generic<TestType>(*rows, random_case(draw));
}

TEMPLATE_LIST_TEST_CASE("empty and large extents", "[cpu]", target_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (const placement p : {placement::packed, placement::transposed, placement::table})
    for (const scaled& s : scalings) {
      const auto check = [&](gemm_sizes size, int left_factors, int right_factors) {
        check_generic<TestType>(*rows, {.size = size,
                                        .left = p,
                                        .right = p,
                                        .out = p,
                                        .left_factors = left_factors,
                                        .right_factors = right_factors,
                                        .alpha = s.alpha,
                                        .beta = s.beta});
      };
      check({5, 4, 0, 2, 3}, 1, 1);
      check({0, 4, 3, 2, 3}, 1, 1);
      check({5, 0, 3, 2, 3}, 1, 1);
      check({5, 4, 3, 0, 3}, 1, 1);
      check({5, 4, 3, 2, 0}, 1, 1);
      check({1, 1, 1, 1, 1}, 1, 1);
      check({243, 81, 33, 1, 1}, 1, 1);
      check({7, 3, 300, 1, 3}, 2, 1);
      check({300, 2, 5, 1, 1}, 1, 2);
      check({2, 300, 131, 1, 1}, 2, 2);
    }
}

// Copies of one matrix product at every batch position, cut anywhere: the same bits everywhere.
TEMPLATE_LIST_TEST_CASE("results do not depend on the position in the batch", "[cpu]", target_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  const auto check = [&](index_t n, placement out, problem_function<T> run) {
    gemm_case c{.size = {n, n, n, 1, 11}, .out = out, .beta = 0.5};
    drawn<T> d(c);
    for (index_t b = 1; b < c.size.batch; ++b)
      for (guarded<T>* g : {&d.left[0], &d.right[0]})
        std::memcpy(g->data() + b * g->stride, g->data(), std::size_t(g->stride) * sizeof(T));
    d.each_output([&](index_t, index_t, index_t r, index_t col, T& entry) { entry = T(r - 2 * col) / 3; });
    const problem<T> p = d.as_problem();
    run(p, 0, 4);
    run(p, 4, 5);
    run(p, 5, 11);
    std::vector<T> first;
    int different = 0;
    d.each_output([&](index_t b, index_t, index_t r, index_t col, T& entry) {
      if (b == 0)
        first.push_back(entry);
      else
        different += int(std::memcmp(&entry, &first[std::size_t(r + n * col)], sizeof(T)) != 0);
    });
    CHECK(different == 0);
  };
  for (index_t n = 1; n <= 20; ++n) {
    check(n, placement::packed, rows->generic<T>());
    check(n, placement::interleaved, rows->generic<T>());
    for (const gemm_row& row : rows->specialised)
      if (row.type == scalar_of<T> && row.m == n && row.k == n && (row.n == n || row.n == 0))
        check(n, placement::packed, row.function<T>());
  }
}

TEMPLATE_LIST_TEST_CASE("all triples to 32", "[.long]", isa_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (index_t m = 1; m <= 32; ++m)
    for (index_t n = 1; n <= 32; ++n)
      for (index_t k = 1; k <= 32; ++k) {
        // Odd batches and all four transpositions, in turn.
        constexpr placement either[] = {placement::packed, placement::transposed};
        gemm_case c{.size = {m, n, k, 1, 1 + 2 * ((m + n + k) % 2)}, .beta = double((m + n + k) % 3 == 0)};
        for (const gemm_row& row : rows->specialised)
          if (row.type == scalar_of<T> && row.m == m && row.k == k && (row.n == 0 || row.n == n))
            if (faults_of(c, row.function<T>()) != 0) FAIL_CHECK("row " << row.n << ", " << text_of(c));
        c.left = either[(m + k) % 2], c.right = either[n % 2];
        check_generic<TestType>(*rows, c);
      }
}
