// SPDX-License-Identifier: BSD-3-Clause
// The peers compiled for neon: this file alone gets that instruction set's flags.
#include "peer_loops.hpp"

namespace tessera::demo {

const peers& neon_peers() {
  static constexpr peers all = peers_for("neon");
  return all;
}

}  // namespace tessera::demo
