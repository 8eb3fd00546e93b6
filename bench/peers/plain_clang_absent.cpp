// SPDX-License-Identifier: BSD-3-Clause
// Replaces the plain loops of clang if clang builds everything or was not found.
#include "peers/plain.hpp"

namespace tessera::bench {

peer plain_clang_peer() {
  return {"plain-clang", "no second compiler when tessera-bench was built", false, space_kind::cpu, {}};
}

}  // namespace tessera::bench
