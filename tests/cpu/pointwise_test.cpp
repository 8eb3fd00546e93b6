// SPDX-License-Identifier: BSD-3-Clause
// The pointwise rows of every target: the D step, all placements, tails and scalings.
#include "gemm_case.hpp"
#include "isa_types.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

TEMPLATE_LIST_TEST_CASE("the pointwise row multiplies entry by entry", "[cpu]", target_types) {
  using T = typename TestType::type;
  const isa_rows* rows = TestType::rows();
  if (rows == nullptr) return;
  constexpr placement all[] = {placement::packed, placement::leading, placement::interleaved, placement::table};
  for (const placement in : all)
    for (const placement out : all)
      for (const index_t m : {0, 1, 5, 16, 37})
        for (const double beta : {0.0, 1.0, -2.0}) {
          // Left and right are (m, 1) here, as the lowered form has them.
          gemm_case c{.size = {m, 1, 1, 2, 3}, .left = in, .right = in, .out = out, .alpha = 0.5, .beta = beta};
          c.form = canonical::pointwise;
          drawn<T> d(c);
          for (guarded<T>& g : d.right) g = d.left[1];
          for (guarded<T>* g : {&d.right[0], &d.right[1]})
            if (g->map.table != nullptr) g->map.table = g->table.data();
          const std::vector<T> before = d.out.storage;
          rows->pointwise<T>()(d.as_problem(), 0, 3);
          int faults = 0;
          d.each_output([&](index_t b, index_t l, index_t r, index_t col, T& entry) {
            const T old = before[std::size_t(&entry - d.out.storage.data())];
            faults += int(!is_close(entry, d.expected(b, l, r, col, old), 4));
          });
          if (faults != 0) FAIL_CHECK(text_of(c) << ": " << faults << " faults");
        }
}
