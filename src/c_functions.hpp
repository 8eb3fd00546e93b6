// SPDX-License-Identifier: BSD-3-Clause
// Functions of entries and pairs of operations as a C caller gives them.
#pragma once

#include <tessera/tessera.h>

#include <tessera/contraction.hpp>
#include <tessera/operand.hpp>

namespace tessera::detail {

/// The contraction with the caller's functions and pair, for the type of its sums; `first` is the first input. Throws
/// for unknown names, for a name beside a function of the caller's, and for one that has neither text nor call.
contraction with_functions_of_c(const contraction& what, const tessera_functions& functions, const operand& first);

}  // namespace tessera::detail
