// SPDX-License-Identifier: BSD-3-Clause
// QFunctions of libCEED's gallery that are built-in operators here.
#pragma once

#include <ceed/backend.h>

#include <tessera/element/operator_kind.hpp>

#include <optional>

#include "operator_fields.hpp"

namespace tessera::ceed {

struct known_function {
  operator_kind kind = operator_kind::mass;
  int dim = 0;  // 0: any
};

/// Empty for any other function: names alone do not count, it is the gallery's own code or none.
std::optional<known_function> known_function_of(Ceed ceed, const operator_fields& fields);

/// Factor f of a built-in operator's D is number [f] of libCEED's data at a point, whose symmetric matrices are in
/// Voigt's order 00 11 22 12 02 01.
const int* factor_order(const known_function& function, int dim);

}  // namespace tessera::ceed
