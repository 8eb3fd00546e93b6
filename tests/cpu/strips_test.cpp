// SPDX-License-Identifier: BSD-3-Clause
// Strips of the generic row against the definition: every tile, shared operands, loop steps that continue each other.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "gemm_case.hpp"
#include "isa_types.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class IsaType>
void check(const isa_rows& rows, const gemm_case& c) {
  const int faults = faults_of(c, rows.generic<typename IsaType::type>());
  if (faults != 0) FAIL_CHECK(text_of(c) << ": " << faults << " faults");
}

// The result of the generic row, the batch in parts that end at each of `cuts`.
template <class T>
std::vector<T> computed(const gemm_case& c, problem_function<T> run, const std::vector<index_t>& cuts) {
  drawn<T> d(c);
  index_t first = 0;
  for (const index_t last : cuts) {
    run(d.as_problem(), first, last);
    first = last;
  }
  return d.out.storage;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("strips of 1 to 40 rows by 1 to 23 columns", "[cpu]", isa_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (index_t m = 1; m <= 40; ++m)
    for (index_t n = 1; n <= 23; ++n)
      for (const bool shared : {false, true}) {
        gemm_case c{.size = {m, n, 1 + (m + n) % 5, 1, 3}, .left = placement::leading, .right_shared = shared};
        c.right = n % 2 == 0 ? placement::packed : placement::transposed;
        c.seed = unsigned(100 * m + n);
        if (n % 3 == 0) c.alpha = 0.5, c.beta = n % 2 == 0 ? 1 : -1.5;
        check<TestType>(*rows, c);
      }
}

TEMPLATE_LIST_TEST_CASE("a contraction by the first, a middle and the last index", "[cpu]", isa_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  constexpr placement table_as[] = {placement::packed, placement::transposed, placement::leading, placement::table};
  for (index_t nodes = 1; nodes <= 17; ++nodes)
    for (index_t points = nodes; points <= nodes + 3; ++points)
      for (const placement p : table_as)
        for (const double beta : {0.0, 1.0}) {
          // Loop steps give a table no constant distance.
          const index_t steps = p == placement::table ? 1 : nodes;
          check<TestType>(
              *rows, {.size = {points, nodes, nodes, 1, 3}, .left = p, .left_shared = true, .beta = beta, .seed = 1});
          check<TestType>(
              *rows,
              {.size = {nodes, points, nodes, steps, 3}, .right = p, .right_shared = true, .beta = beta, .seed = 2});
          check<TestType>(*rows, {.size = {nodes * nodes, points, nodes, 1, 2},
                                  .right = p,
                                  .right_shared = true,
                                  .beta = beta,
                                  .seed = 3});
        }
}

TEMPLATE_LIST_TEST_CASE("A transposed, of each product another", "[cpu]", isa_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (index_t m = 1; m <= 21; ++m)
    for (index_t k = 1; k <= 21; ++k)
      for (const bool right_shared : {false, true}) {
        gemm_case c{.size = {m, 1 + (m + k) % 7, k, 1 + (m + k) % 3, 5}, .left = placement::transposed};
        c.right = k % 2 == 0 ? placement::packed : placement::transposed;
        c.right_shared = right_shared;
        c.seed = unsigned(100 * m + k);
        if (m % 3 == 0) c.alpha = 0.5, c.beta = k % 2 == 0 ? 1 : -1.5;
        check<TestType>(*rows, c);
      }
  // More products than a task has, long sums, and an operand that no buffer holds.
  for (const auto& [m, k, batch] : {std::tuple{3, 4, 700}, {5, 9, 200}, {33, 128, 4}, {9, 129, 4}, {70, 61, 3}})
    check<TestType>(*rows, {.size = {m, 3, k, 2, batch}, .left = placement::transposed, .beta = 1});
}

TEMPLATE_LIST_TEST_CASE("shared operands that are too large to be packed", "[cpu]", isa_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (const placement p : {placement::packed, placement::transposed, placement::table}) {
    check<TestType>(*rows, {.size = {3, 70, 61, 1, 3}, .right = p, .right_shared = true});
    check<TestType>(*rows, {.size = {70, 3, 61, 1, 3}, .left = p, .left_shared = true});
  }
}

TEMPLATE_LIST_TEST_CASE("the generic row's results are the same bits however a batch is divided", "[cpu]", isa_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (const index_t n : {3, 9, 25})
    for (const bool left_shared : {false, true})
      for (const bool right_shared : {false, true})
        for (const index_t loops : {1, 3}) {
          gemm_case c{.size = {n, n + 1, n, loops, 40}, .left_shared = left_shared, .right_shared = right_shared};
          if (n == 9) c.left = placement::transposed;
          const std::vector<T> whole = computed<T>(c, rows->generic<T>(), {40});
          const std::vector<T> parts = computed<T>(c, rows->generic<T>(), {1, 2, 19, 40});
          CHECK(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(T)) == 0);
        }
}

TEMPLATE_LIST_TEST_CASE("interleaved batches", "[cpu]", isa_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (const index_t lanes : {2, 4, 8, 16})
    for (index_t n = 1; n <= 12; ++n)
      for (const bool left_shared : {false, true})
        for (const bool right_shared : {false, true})
          for (const index_t loops : {1, 3}) {
            gemm_case c{.size = {n, 13 - n, 1 + n % 4, loops, 2 * lanes + 3},
                        .left = left_shared ? placement::leading : placement::interleaved,
                        .right = right_shared ? placement::transposed : placement::interleaved,
                        .out = placement::interleaved,
                        .left_shared = left_shared,
                        .right_shared = right_shared,
                        .lanes = lanes};
            if (n % 3 == 0) c.alpha = 0.5, c.beta = n % 2 == 0 ? 1 : -1.5;
            check<TestType>(*rows, c);
          }
}

TEMPLATE_LIST_TEST_CASE("interleaved batches beside others", "[cpu]", isa_types) {
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  constexpr placement interleaved = placement::interleaved;
  constexpr placement all[] = {interleaved, placement::packed, placement::transposed, placement::leading};
  for (const index_t lanes : {4, 8, 16})
    for (const placement left : all)
      for (const placement right : all)
        for (const placement out : all)
          for (index_t n = 1; n <= 9; ++n) {
            if (left != interleaved && right != interleaved && out != interleaved) continue;
            gemm_case c{.size = {n, 10 - n, 1 + n % 5, 1 + n % 3, 2 * lanes + 3},
                        .left = left,
                        .right = right,
                        .out = out,
                        .lanes = lanes,
                        .seed = unsigned(n)};
            if (left != interleaved) c.left_shared = n % 4 == 0;
            if (n % 3 == 0) c.alpha = 0.5, c.beta = n % 2 == 0 ? 1 : -1.5;
            check<TestType>(*rows, c);
          }
  // More blocks than are moved at once, and operands of more entries than are moved.
  for (const auto& [n, batch] : {std::pair<index_t, index_t>{4, 400}, {11, 90}, {40, 17}})
    for (const placement in : {interleaved, placement::packed})
      for (const double beta : {0.0, 1.0})
        check<TestType>(*rows, {.size = {n, n, n, 2, batch},
                                .left = in,
                                .right = interleaved,
                                .out = in == interleaved ? placement::packed : interleaved,
                                .lanes = 16,
                                .beta = beta});
}

TEMPLATE_LIST_TEST_CASE("a divided interleaved batch has the same bits", "[cpu]", isa_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  constexpr placement interleaved = placement::interleaved;
  for (const index_t k : {0, 7, 128, 200})
    for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {1.0, 1.0}, {-0.75, 0.5}, {-0.75, 0.0}})
      for (const placement other : {interleaved, placement::packed})
        for (const bool moves_out : {false, true}) {
          const gemm_case c{.size = {5, 6, k, 1, 40},
                            .left = moves_out ? interleaved : other,
                            .right = interleaved,
                            .out = moves_out ? other : interleaved,
                            .lanes = 8,
                            .alpha = alpha,
                            .beta = beta};
          const std::vector<T> whole = computed<T>(c, rows->generic<T>(), {40});
          const std::vector<T> parts = computed<T>(c, rows->generic<T>(), {1, 2, 19, 40});
          CHECK(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(T)) == 0);
        }
}

// What a plan over groups does: each member by itself, and no distance between them.
TEMPLATE_LIST_TEST_CASE("members one by one have the bits of the batch", "[cpu]", isa_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (const index_t k : {1, 7, 128, 200})
    for (const placement left : {placement::packed, placement::transposed})
      for (const placement right : {placement::packed, placement::transposed, placement::table}) {
        const gemm_case c{.size = {3, 5, k, 1, 4}, .left = left, .right = right};
        drawn<T> together(c), apart(c);
        // Products that are minus zero, and stay so.
        for (drawn<T>* d : {&together, &apart}) {
          std::fill_n(d->left[0].storage.begin(), d->left[0].storage.size() / 2, T(-0.0));
          for (T& x : d->right[0].storage) x = std::abs(x);
        }
        rows->generic<T>()(together.as_problem(), 0, 4);
        for (index_t e = 0; e < 4; ++e) {
          problem<T> one = apart.as_problem();
          for (factor<const T>* f : {&one.left[0], &one.right[0]}) f->data += e * f->batch_stride, f->batch_stride = 0;
          one.out.data += e * one.out.batch_stride;
          rows->generic<T>()(one, 0, 1);
        }
        CHECK(std::memcmp(together.out.storage.data(), apart.out.storage.data(),
                          together.out.storage.size() * sizeof(T)) == 0);
      }
}
