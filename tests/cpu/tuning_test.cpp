// SPDX-License-Identifier: BSD-3-Clause
// The axes of the CPU kernels' tunings: every value computes the same, wherever results lie and however batches are
// cut.
#include <cstring>

#include <tessera/cpu/detail/tasks.hpp>
#include <tessera/detail/axes.hpp>

#include "gemm_case.hpp"
#include "isa_types.hpp"
#include "testing/catch.hpp"
#include "tuned/tuned_rows.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

struct scaled {
  double alpha, beta;
};
constexpr scaled scalings[] = {{1, 0}, {1, 1}, {-0.75, 0}, {0.5, -1.5}};

std::string text_of(const gemm_row& row) {
  std::string text = "row of n " + std::to_string(row.n) + ", tuning";
  const cpu_gemm_tuning& t = row.tuning;
  for (const axis<cpu_gemm_tuning>& a : axes_of<cpu_gemm_tuning>()) text += ' ' + std::to_string(t.*a.field);
  return text + ", ";
}

// f(row, n) for every row of the type, for several n where it takes any.
template <class T, class F>
void each_row_and_n(const isa_rows& rows, F f) {
  for (const gemm_row& row : rows.specialised) {
    if (row.type != scalar_of<T>) continue;
    if (row.n > 0)
      f(row, row.n);
    else
      for (const index_t n : {index_t(1), index_t(7), row.k * row.k}) f(row, n);
  }
}

// Every product by itself, in the bits that all rows of an ISA agree about.
template <class T>
void run_alone(problem_function<T> run, const problem<T>& p) {
  for (index_t e = 0; e < p.batch; ++e) run(p, e, e + 1);
}

}  // namespace

// A buffer of up to a page lies in one page.
static_assert(simd::page_alignment(1) == 64 && simd::page_alignment(64) == 64 && simd::page_alignment(65) == 128);
static_assert(simd::page_alignment(4095) == 4096 && simd::page_alignment(4097) == 4096);

TEMPLATE_LIST_TEST_CASE("every tuning computes its size", "[cpu]", isa_types) {
  using T = typename TestType::type;
  if (TestType::rows() == nullptr) return;
  const isa_rows* rows = tuned_rows_of(TestType::isa);
  REQUIRE(rows != nullptr);
  each_row_and_n<T>(*rows, [](const gemm_row& row, index_t n) {
    for (const scaled& s : scalings)
      for (const bool shared : {false, true})
        for (const index_t loops : {1, 3})
          for (const index_t batch : {1, 11}) {
            gemm_case c{.size = {row.m, n, row.k, loops, batch},
                        .left_shared = shared,
                        .shift = batch % 8 + loops,
                        .alpha = s.alpha,
                        .beta = s.beta};
            drawn<T> d(c);
            REQUIRE(accepts(row, d.as_problem()));
            const int faults = faults_of(c, row.function<T>());
            if (faults != 0) FAIL_CHECK(text_of(row) << text_of(c) << ": " << faults << " faults");
          }
  });
}

// A wrong fence, line or tail shows as a difference somewhere in the storage, canaries included.
TEMPLATE_LIST_TEST_CASE("tunings agree bit for bit, however outputs are aligned and batches cut", "[cpu]", isa_types) {
  using T = typename TestType::type;
  const isa_rows* shipped = TestType::rows();
  if (shipped == nullptr) return;
  const isa_rows* rows = tuned_rows_of(TestType::isa);
  REQUIRE(rows != nullptr);
  constexpr index_t batch = 23;
  each_row_and_n<T>(*rows, [shipped](const gemm_row& row, index_t n) {
    // The compiler's own loop may order its sums in its own way.
    const problem_function<T> ordinary = row.tuning.plain != 0 ? row.function<T>() : shipped->generic<T>();
    for (const scaled& s : scalings) {
      // A single product, the compiler may fuse with the entry that it is added to.
      if (row.k == 1 && s.alpha == 1 && s.beta == 1) continue;
      for (const bool shared : {false, true})
        for (const bool gaps : {false, true})
          for (index_t shift = 0; shift < 64 / index_t(sizeof(T)); shift += shift < 2 ? 1 : 5) {
            // Gaps between matrices: the other loop steps, which this problem leaves out.
            const gemm_case c{.size = {row.m, n, row.k, gaps ? 2 : 1, batch},
                              .left_shared = shared,
                              .right_shared = shift % 2 == 1,
                              .shift = shift,
                              .alpha = s.alpha,
                              .beta = s.beta};
            drawn<T> one(c), other(c);
            problem<T> p = one.as_problem(), q = other.as_problem();
            p.loops = q.loops = 1;
            run_alone(ordinary, p);
            row.function<T>()(q, 0, 9);
            row.function<T>()(q, 9, 9);
            row.function<T>()(q, 9, 10);
            row.function<T>()(q, 10, batch);
            const std::vector<T>&wanted = one.out.storage, &got = other.out.storage;
            if (std::memcmp(wanted.data(), got.data(), wanted.size() * sizeof(T)) != 0)
              FAIL_CHECK(text_of(row) << text_of(c) << " shift " << shift);
          }
    }
  });
}
