// SPDX-License-Identifier: BSD-3-Clause
// The elements of a process in two sets, with restrictions of their own.
#pragma once

#include <tessera/fem/distributed_operator.hpp>

#include <vector>

namespace tessera::fem::detail {

/// Inner elements have owned numbers alone, which are those of their restriction. The outer restriction's numbers are
/// `between`, own ones in ascending order, then those received.
struct split_elements {
  std::vector<index_t> inner, outer;
  std::vector<index_t> between;
  restriction of_inner, of_outer;

  /// Throws where numbers, components or signs do not fit.
  split_elements(const restriction& unknowns, const owned_numbers& numbers);
};

}  // namespace tessera::fem::detail
