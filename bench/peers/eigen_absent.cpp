// SPDX-License-Identifier: BSD-3-Clause
// Replaces Eigen if its headers were not found.
#include "peers/peer.hpp"

namespace tessera::bench {

std::vector<peer> eigen_peers() {
  return {{"eigen", "not found when tessera-bench was built", false, space_kind::cpu, {}}};
}

}  // namespace tessera::bench
