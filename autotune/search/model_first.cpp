// SPDX-License-Identifier: BSD-3-Clause
// Model-first search: measures what the model ranks first, and ignores the rest.
#include <tessera/error.hpp>

#include "search/selection.hpp"
#include "search/strategies.hpp"

namespace tessera::tune {

search_result model_first(const search_problem& p, evaluator& e, const search_options& o) {
  check(p);
  if (!is_modelled(p) && p.candidates > 0)
    throw error("the strategy model_first needs predicted times and there are none here; use elimination or random");
  return measure_and_settle(first_with_incumbent(by_prediction(p), allowance(p, o), p.incumbent), p, e, o);
}

}  // namespace tessera::tune
