// SPDX-License-Identifier: BSD-3-Clause
// Chains with an element a lane: when the intermediates of a chain on a CPU are interleaved.
#pragma once

#include <vector>

#include <tessera/chain.hpp>

namespace tessera::detail {

/// How many elements are interleaved between the steps; 1: none. `between` are the packed intermediates, `on` is where
/// the plans run.
index_t lanes_of_chain(const std::vector<chain_step>& steps, const operand& in, const operand& out,
                       const std::vector<operand>& between, target on, const plan_options& options);

}  // namespace tessera::detail
