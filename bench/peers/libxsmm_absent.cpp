// SPDX-License-Identifier: BSD-3-Clause
// Replaces LIBXSMM if its headers were not found.
#include "peers/peer.hpp"

namespace tessera::bench {

std::vector<peer> libxsmm_peers() {
  return {{"libxsmm", "not found when tessera-bench was built", false, space_kind::cpu, {}},
          {"libxsmm-prefetch", "not found when tessera-bench was built", false, space_kind::cpu, {}}};
}

}  // namespace tessera::bench
