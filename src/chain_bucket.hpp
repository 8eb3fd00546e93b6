// SPDX-License-Identifier: BSD-3-Clause
// The chains of one shape in one round of an executor: evenly spaced ones as a batch, others as runs of their own.
#pragma once

#include <string>
#include <vector>

#include <tessera/chain.hpp>

namespace tessera::detail {

/// The input and the output of a chain.
struct chain_ends {
  operand in, out;
};

class chain_bucket {
 public:
  /// `items`, at least one, with layouts that differ in batches and addresses alone. They do not depend on each other,
  /// and each of them can run alone.
  chain_bucket(const std::vector<chain_step>& steps, std::vector<chain_ends> items, const plan_options& options);

  void run(buffer& workspace, stream_view on) const;
  /// Of the largest one of its runs, which use it one after the other.
  std::size_t workspace_bytes() const;
  index_t launches() const;
  /// "12 problems, 1 launch (evenly spaced): fused, one launch, ..."
  std::string describe() const;

 private:
  struct batch_run {
    chain_ends ends;
    std::size_t by;  // number of its chain
  };
  index_t launches_of(const batch_run& run) const { return chains_[run.by].is_fused() ? 1 : steps_; }
  std::size_t chain_for(const std::vector<chain_step>& steps, const chain_ends& ends, const plan_options& options);

  index_t steps_;
  std::vector<chain> chains_;
  std::vector<batch_run> runs_;
  std::string why_several_;
};

}  // namespace tessera::detail
