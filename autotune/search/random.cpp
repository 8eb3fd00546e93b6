// SPDX-License-Identifier: BSD-3-Clause
// Random search: a fair sample of the space, from which random_report estimates how rare good candidates are.
#include <algorithm>

#include "search/selection.hpp"
#include "search/strategies.hpp"
#include "search/tally.hpp"

namespace tessera::tune {

search_result random(const search_problem& p, evaluator& e, const search_options& o) {
  check(p);
  std::vector<int> order = in_order(p.candidates);
  shuffle(order, o.seed);
  return measure_and_settle(first_with_incumbent(order, allowance(p, o), p.incumbent), p, e, o);
}

search_result until_enough(const search_problem& p, evaluator& e, const search_options& o, int at_once,
                           const std::function<bool(const search_result&)>& enough) {
  check(p);
  search_result result;
  tally books(result, p.candidates);
  const std::vector<int> order = in_order(p.candidates);
  for (int first = 0; first < p.candidates && (first == 0 || (o.may_go_on() && !enough(result))); first += at_once) {
    std::vector<int> alive(order.begin() + first, order.begin() + std::min(first + at_once, p.candidates));
    e.prepare(alive);
    for (int round = 0; round < o.rounds && !alive.empty(); ++round) {
      if (round > 0 && !o.may_go_on()) break;
      books.round(alive, e);
    }
  }
  settle(result, books.fastest(finalist_count, p.incumbent), p, e, o);
  return result;
}

}  // namespace tessera::tune
