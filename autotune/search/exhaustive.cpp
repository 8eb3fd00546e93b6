// SPDX-License-Identifier: BSD-3-Clause
// Exhaustive search: the reference for the other strategies.
#include "search/selection.hpp"
#include "search/strategies.hpp"

namespace tessera::tune {

search_result exhaustive(const search_problem& p, evaluator& e, const search_options& o) {
  check(p);
  return measure_and_settle(in_order(p.candidates), p, e, o);
}

}  // namespace tessera::tune
