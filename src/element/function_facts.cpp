// SPDX-License-Identifier: BSD-3-Clause
// Asks the built-in pointwise functions what they take and give.
#include "function_facts.hpp"

#include <tessera/detail/size_check.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/error.hpp>

namespace tessera::detail {

void check_kind(operator_kind kind) {
  if (is_built_in(kind)) return;
  throw error("evaluation: operator kind " + std::to_string(int(kind)) + " is none of " + list_of_operators(),
              status::invalid_argument);
}

template <class T>
void check_function(const compiled_function<T>& f) {
  const auto refuse = [&](const std::string& why) {
    throw error("evaluation: function " + f.name + ": " + why, status::invalid_argument);
  };
  if (f.dim < 1 || f.dim > 3) refuse("dimension " + std::to_string(f.dim) + " is not 1, 2 or 3");
  for (const int n : {f.trial_components, f.test_components, f.factors})
    if (n < 1)
      refuse(std::to_string(f.trial_components) + " components, " + std::to_string(f.test_components) +
             " test components and " + std::to_string(f.factors) + " factors, of which one is not positive");
  // What is called for blocks of points, or compiled from text, takes and gives as much as the shapes say.
  if (f.at_points == nullptr && f.source.type.empty()) return;
  if (f.trial.components != f.trial_components || f.test.components != f.test_components)
    refuse("its shapes have " + std::to_string(f.trial.components) + " and " + std::to_string(f.test.components) +
           " components, it itself " + std::to_string(f.trial_components) + " and " +
           std::to_string(f.test_components));
}
template void check_function(const compiled_function<float>&);
template void check_function(const compiled_function<double>&);

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

operator_sizes sizes_of(const function_facts& f, int dim, int components) {
  return {.name = f.name,
          .kind = {},
          .dim = dim,
          .components = components,
          .trial_parts = f.trial_parts,
          .test_parts = f.test_parts,
          .factors = f.factors,
          .of_trial = f.trial,
          .of_test = f.test};
}

}  // namespace tessera::detail
