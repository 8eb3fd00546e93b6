// SPDX-License-Identifier: BSD-3-Clause
// The state of a network: its steps with their plans and results, and the operands that it was made for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/network.hpp>

#include "own_workspace.hpp"
#include "steps.hpp"

namespace tessera::detail {

struct network_state {
  std::string text;
  network_letters letters;
  network_options options;
  std::vector<operand> made_for;  // inputs, then the output; without data
  scalar_type sum = scalar_type::f64;
  bool is_exact = true;  // whether all orders were compared
  double flops = 0, one_loop = 0;

  std::vector<network_step> steps;
  std::vector<plan> plans;       // of each step
  std::vector<operand> results;  // of each step but the last one, without data
  buffer one;                    // the only entry of `ones`
  operand ones;                  // of type and space, without extents
  index_t block = 1;             // batch entries that run together
  bool in_blocks = false;        // whether a longer batch needs several blocks
  std::size_t workspace_bytes = 0;
  std::unique_ptr<own_workspace> own;  // null: none is needed, or each run is given one

  int inputs() const { return int(letters.inputs.size()); }
  const operand& out() const { return made_for.back(); }
};

/// "ab,bc->ac" over 3x4, 4x5 -> 3x5; operands of any count.
std::string text_of_network(std::string_view text, const operand* operands, int count);

/// What makes sense for the letters: counts, ranks, extents, types, spaces. Throws; accesses no data.
void check_network(std::string_view text, const network_letters& letters, const operand* operands, int count,
                   const network_options& options);

/// Checks the operands of one run. Returns the batch count.
index_t check_network_run(const network_state& state, const operand* operands, int count);

/// Throws where a workspace is too small, misaligned, in another space, or not apart from the operands.
void check_workspace(const network_state& state, workspace_view workspace, const operand* operands, int count);

}  // namespace tessera::detail
