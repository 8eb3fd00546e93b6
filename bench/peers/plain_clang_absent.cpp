// SPDX-License-Identifier: BSD-3-Clause
// Stands in for the plain loops of clang where clang builds everything or was not found.
#include "peers/plain.hpp"

namespace tessera::bench {

peer plain_clang_peer() {
  return {"plain-clang", "no second compiler when tessera-bench was built", false, space_kind::cpu, {}};
}

}  // namespace tessera::bench
