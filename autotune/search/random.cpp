// SPDX-License-Identifier: BSD-3-Clause
// Random search: a fair sample of the space, from which random_report estimates how rare good candidates are.
#include "search/selection.hpp"
#include "search/strategies.hpp"

namespace tessera::tune {

search_result random(const search_problem& p, evaluator& e, const search_options& o) {
  check(p);
  std::vector<int> order = in_order(p.candidates);
  shuffle(order, o.seed);
  return measure_and_settle(first_with_incumbent(order, allowance(p, o), p.incumbent), p, e, o);
}

}  // namespace tessera::tune
