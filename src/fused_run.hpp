// SPDX-License-Identifier: BSD-3-Clause
// Chains in one launch: whether a chain can be one kernel, the form of that kernel, and the chain's addresses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/chain.hpp>
#include <tessera/gpu/detail/chain_kernel.hpp>

namespace tessera::detail {

/// Entries. Beyond it the bytes of a block would overflow 32-bit counts.
inline constexpr index_t farthest_apart = index_t(1) << 24;

/// A chain as one kernel, or the reason why it cannot be one.
struct fusible {
  device::chain_form form;
  std::vector<const void*> tables, streams;  // addresses, by the form's numbers
  std::string why_not;
};

/// Checks types, layouts and counts of operands; accesses no data and no device. Precondition: the steps can be
/// lowered.
fusible fuse(const std::vector<chain_step>& steps, const operand& in, const operand& out);

class two_tables_run;

/// A fused chain, its kernel loaded: of two tables that are large, or of blocks that have everything in shared memory.
struct fused_run {
  std::shared_ptr<const two_tables_run> tables;  // if this is there, nothing else is
  std::shared_ptr<const device::chain_kernel> kernel;
  device::chain_form form;
  device::chain_blocks blocks;
  device::chain_call call;  // the arguments common to all runs
};

/// Compiles and loads; null if the chain stays staged, with the reason in `why_not`.
std::shared_ptr<const fused_run> make_fused(const std::vector<chain_step>& steps, const operand& in, const operand& out,
                                            const plan_options& options, std::string& why_not);

/// Throws if an operand differs from what the chain was made for.
void check_made_for(const operand& now, const operand& then, const char* which);

void run_fused(const fused_run& f, const operand& in, const operand& out, stream_view on);

/// "fused, one launch, compiled at run time: 16 elements per block of 128 threads, ..."; in full, with a line a step.
std::string describe_fused(const fused_run& f, detail_level how);

}  // namespace tessera::detail
