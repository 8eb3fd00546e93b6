// SPDX-License-Identifier: BSD-3-Clause
// Chains in one launch: whether a chain can be one kernel, what that kernel is made of, and a chain's own addresses.
#pragma once

#include <string>
#include <vector>

#include <tessera/chain.hpp>
#include <tessera/gpu/chain_kernel.hpp>

namespace tessera::detail {

/// A chain as one kernel, or why it is none.
struct fusible {
  device::chain_form form;
  std::vector<const void*> tables, streams;  // addresses, by the form's numbers
  std::string why_not;
};

/// Looks at types, layouts and counts of operands; touches no data and no device. The steps are known to lower.
fusible fuse(const std::vector<chain_step>& steps, const operand& in, const operand& out);

/// A fused chain, its kernel loaded.
struct fused_run {
  const device::chain_kernel* kernel = nullptr;
  device::chain_form form;
  device::chain_blocks blocks;
  device::chain_call call;  // what all runs have in common
  operand in, out;          // what the chain was made for
};

/// Compiles and loads; null where the chain stays staged, and `why_not` says why.
std::shared_ptr<const fused_run> make_fused(const std::vector<chain_step>& steps, const operand& in, const operand& out,
                                            const plan_options& options, std::string& why_not);

/// Throws where an operand is not what the chain was made for.
void check_made_for(const operand& now, const operand& then, const char* which);

void run_fused(const fused_run& f, const operand& in, const operand& out, stream_view on);

/// "fused, one launch, compiled at run time: 16 elements per block of 128 threads, ..."; in full, with a line a step.
std::string describe_fused(const fused_run& f, detail_level how);

}  // namespace tessera::detail
