// SPDX-License-Identifier: BSD-3-Clause
// The peer Eigen: selects the calls that its fixed-size kernels can do.
#include <string>

#include "peers/eigen_kernels.hpp"

namespace tessera::bench {

namespace {

pass prepare(const gemm_call& call) {
  const bool square = call.m == call.n && call.n == call.k && call.m <= eigen_largest;
  if (!square || !call.is_packed() || call.trans_a || call.trans_b || (call.beta != 0 && call.beta != 1)) return {};
  const eigen_kernel run = find_eigen_kernel(call.type, int(call.m), call.beta == 1);
  if (run == nullptr) return {};
  return [run, call] { run(call); };
}

}  // namespace

std::vector<peer> eigen_peers() {
  const int v = eigen_version();
  const std::string text =
      std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." + std::to_string(v % 100);
  return {{"eigen", "Eigen " + text, true, space_kind::cpu, prepare, true}};
}

}  // namespace tessera::bench
