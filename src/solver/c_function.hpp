// SPDX-License-Identifier: BSD-3-Clause
// A caller's sizes and type against what a function of C says of its operator.
#pragma once

#include <string>

#include <tessera/error.hpp>
#include <tessera/solver/c_function.hpp>

namespace tessera::detail {

/// Throws where the facts of a function's operator are others than the caller gave, or where it has no context.
void check_facts(const std::string& function, known_c_function::facts_of facts, const void* context,
                 const c_operator_facts& given);

template <class Function>
void check_c_function(const std::string& function, Function f, const void* context, const c_operator_facts& given) {
  if (const known_c_function::facts_of facts = known_c_function::find(f)) check_facts(function, facts, context, given);
}

}  // namespace tessera::detail
