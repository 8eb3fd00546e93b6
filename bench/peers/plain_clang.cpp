// SPDX-License-Identifier: BSD-3-Clause
// The peer of plain loops that clang compiled.
#include "peers/plain.hpp"

namespace tessera::bench {

peer plain_clang_peer() { return plain_spelling("plain-clang", {plain_clang_f64, plain_clang_f32}); }

}  // namespace tessera::bench
