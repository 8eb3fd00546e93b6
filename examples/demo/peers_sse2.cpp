// SPDX-License-Identifier: BSD-3-Clause
// The peers compiled for sse2: this file alone gets that instruction set's flags.
#include "peer_loops.hpp"

namespace tessera::demo {

const peers& sse2_peers() {
  static constexpr peers all = peers_for("sse2");
  return all;
}

}  // namespace tessera::demo
