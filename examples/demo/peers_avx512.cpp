// SPDX-License-Identifier: BSD-3-Clause
// The peers compiled for avx512: this file alone gets that instruction set's flags.
#include "peer_loops.hpp"

namespace tessera::demo {

const peers& avx512_peers() {
  static constexpr peers all = peers_for("avx512");
  return all;
}

}  // namespace tessera::demo
