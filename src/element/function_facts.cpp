// SPDX-License-Identifier: BSD-3-Clause
// Asks the built-in pointwise functions what they take and give.
#include "function_facts.hpp"

#include <tessera/element/pointwise.hpp>
#include <tessera/error.hpp>
#include <tessera/size_check.hpp>

namespace tessera::detail {

namespace {

template <template <int> class Function>
function_facts built_in(operator_kind kind, int dimension) {
  const auto facts = [&]<int dim>() -> function_facts {
    using F = Function<dim>;
    const std::string type = std::string("tessera::pointwise::") + name_of(kind) + "<" + std::to_string(dim) + ">";
    return {name_of(kind),
            F::trial.components,
            F::test.components,
            F::factors,
            F::trial.gradient || F::test.gradient,
            F::trial,
            F::test,
            {type, ""}};
  };
  if (dimension == 1) return facts.template operator()<1>();
  if (dimension == 2) return facts.template operator()<2>();
  return facts.template operator()<3>();
}

}  // namespace

void check_kind(operator_kind kind) {
  std::string names;
  for (const operator_kind known : all_operator_kinds) {
    if (kind == known) return;
    names += (names.empty() ? "" : ", ") + std::string(name_of(known));
  }
  throw error("evaluation: operator kind " + std::to_string(int(kind)) + " is none of " + names,
              status::invalid_argument);
}

bool element_fits(index_t functions, index_t components) {
  const index_t entries = product_that_fits({functions, components}, 1);
  return entries >= 0 && entries < index_t{1} << 31;
}

function_facts facts_of(operator_kind kind, int dim) {
  switch (kind) {
    case operator_kind::mass: return built_in<pointwise::mass>(kind, dim);
    case operator_kind::diffusion: return built_in<pointwise::diffusion>(kind, dim);
    case operator_kind::helmholtz: return built_in<pointwise::helmholtz>(kind, dim);
    case operator_kind::convection: return built_in<pointwise::convection>(kind, dim);
    case operator_kind::elasticity: break;
  }
  return built_in<pointwise::elasticity>(kind, dim);
}

}  // namespace tessera::detail
