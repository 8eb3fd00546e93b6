// SPDX-License-Identifier: BSD-3-Clause
// The pointwise rows of every target: the D step, all placements, tails and scalings.
#include <cstring>
#include <utility>

#include "gemm_case.hpp"
#include "isa_types.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Batch entries [0, batch) in parts that end at each of `cuts`.
template <class T>
void check(const isa_rows& rows, gemm_case c, const std::vector<index_t>& cuts) {
  // Left and right are (m, 1) here, as the lowered form has them.
  c.form = canonical::pointwise;
  c.right = c.left;
  drawn<T> d(c);
  for (guarded<T>& g : d.right) g = d.left[1];
  for (guarded<T>* g : {&d.right[0], &d.right[1]})
    if (g->map.table != nullptr) g->map.table = g->table.data();
  const std::vector<T> before = d.out.storage;
  index_t first = 0;
  for (const index_t last : cuts) {
    rows.pointwise<T>()(d.as_problem(), first, last);
    first = last;
  }
  int faults = 0;
  d.each_output([&](index_t b, index_t l, index_t r, index_t col, T& entry) {
    const T old = before[std::size_t(&entry - d.out.storage.data())];
    faults += int(!is_close(entry, d.expected(b, l, r, col, old), 4));
  });
  if (faults != 0) FAIL_CHECK(text_of(c) << ": " << faults << " faults");
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("the pointwise row multiplies entry by entry", "[cpu]", target_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  constexpr placement all[] = {placement::packed, placement::leading, placement::interleaved, placement::table};
  for (const placement in : all)
    for (const placement out : all)
      for (const index_t m : {0, 1, 5, 16, 37})
        for (const double beta : {0.0, 1.0, -2.0})
          check<T>(*rows, {.size = {m, 1, 1, 2, 3}, .left = in, .out = out, .alpha = 0.5, .beta = beta}, {3});
}

TEMPLATE_LIST_TEST_CASE("the pointwise row over whole blocks of interleaved entries", "[cpu]", target_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  constexpr placement interleaved = placement::interleaved;
  for (const placement other : {interleaved, placement::packed, placement::leading, placement::table})
    for (const bool moves_out : {false, true})
      for (const index_t lanes : {2, 4, 8, 16})
        for (const index_t m : {1, 3, 8, 16, 21, 37})
          for (const double beta : {0.0, -2.0}) {
            gemm_case c{.size = {m, 1, 1, 2, 3 * lanes + 1}, .lanes = lanes, .alpha = m == 3 ? 1 : 0.5, .beta = beta};
            c.left = moves_out ? interleaved : other;
            c.out = moves_out ? other : interleaved;
            check<T>(*rows, c, {1, 2 * lanes + 1, 3 * lanes + 1});
          }
}

TEMPLATE_LIST_TEST_CASE("a divided pointwise product of interleaved entries has the same bits", "[cpu]", target_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {1.0, 1.0}, {-0.75, 0.5}, {0.3, -1.7}})
    for (const placement other : {placement::interleaved, placement::packed}) {
      gemm_case c{.size = {21, 1, 1, 2, 40}, .lanes = 8, .alpha = alpha, .beta = beta};
      c.left = c.right = other;
      c.out = placement::interleaved;
      c.form = canonical::pointwise;
      const auto computed = [&](const std::vector<index_t>& cuts) {
        drawn<T> d(c);
        d.right[0] = d.left[1];
        index_t first = 0;
        for (const index_t last : cuts) {
          rows->pointwise<T>()(d.as_problem(), first, last);
          first = last;
        }
        return d.out.storage;
      };
      const std::vector<T> whole = computed({40}), parts = computed({1, 2, 19, 40});
      CHECK(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(T)) == 0);
    }
}
