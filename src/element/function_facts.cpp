// SPDX-License-Identifier: BSD-3-Clause
// Asks the built-in pointwise functions what they take and give.
#include "function_facts.hpp"

#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/error.hpp>
#include <tessera/size_check.hpp>

namespace tessera::detail {

void check_kind(operator_kind kind) {
  if (is_built_in(kind)) return;
  throw error("evaluation: operator kind " + std::to_string(int(kind)) + " is none of " + list_of_operators(),
              status::invalid_argument);
}

bool element_fits(index_t functions, index_t components) {
  const index_t entries = product_that_fits({functions, components}, 1);
  return entries >= 0 && entries < index_t{1} << 31;
}

function_facts facts_of(operator_kind kind, int dimension) {
  return with_function(kind, dimension, [&]<class F>(const F&) -> function_facts {
    const std::string type = std::string("tessera::pointwise::") + name_of(kind) + "<" + std::to_string(F::dim) + ">";
    return {name_of(kind),
            F::trial.components,
            F::test.components,
            F::factors,
            F::trial.gradient || F::test.gradient,
            F::trial,
            F::test,
            {type, ""}};
  });
}

}  // namespace tessera::detail
