// SPDX-License-Identifier: BSD-3-Clause
// A function of entries around a peer's contraction, by passes of their own over A, B and C.
#pragma once

#include "peers/peer.hpp"

namespace tessera::bench {

/// C = f(f(A) f(B) + beta C), where f(x) is x or, for negative x, slope x: f(A) and f(B) are written to memory, `p`
/// contracts them, and f is taken of C in place. Real types only; else, and where `p` cannot do the call, empty.
contraction_pass by_separate_passes(const peer& p, const contraction_call& call, double slope);

}  // namespace tessera::bench
