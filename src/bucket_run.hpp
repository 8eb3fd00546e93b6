// SPDX-License-Identifier: BSD-3-Clause
// The problems of one shape in one round: the only place that turns problems at any addresses into launches.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <tessera/plan.hpp>

namespace tessera::detail {

/// "1 launch", "2 launches"
std::string counted(index_t n, const char* one, const char* several);

/// The addresses of the operands of one problem: inputs first, the output last.
using problem_starts = std::array<const void*, max_inputs + 1>;

/// Problems as launches: one over batches, groups and shared operands; or, if `apart` has the problems' addresses, one
/// launch for each.
struct bucket_launches {
  enum class kind { single, batch, group, one_by_one } how;
  std::vector<operand> operands;  // without their data if problems run one by one
  std::vector<problem_starts> apart;
  std::vector<std::vector<const void*>> members;  // the address arrays of groups in host memory
  index_t problems = 0;
};

class bucket_run {
 public:
  /// `shape`: the operands of one problem as single tensors, whose data pointers are ignored. The problems, at least
  /// one, do not depend on each other.
  bucket_run(const contraction& what, const std::vector<operand>& shape, std::vector<problem_starts> problems,
             const plan_options& options);
  bucket_run(bucket_run&&) = default;

  void run(stream_view on) const;
  index_t launches() const { return launches_.apart.empty() ? 1 : launches_.problems; }
  /// "12 problems, 1 launch (evenly spaced; input 2 shared) on avx2: gemm f64 3x4x5"
  std::string describe() const;

 private:
  bucket_launches launches_;
  plan how_;
};

}  // namespace tessera::detail
