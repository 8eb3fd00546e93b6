// SPDX-License-Identifier: BSD-3-Clause
// Ways to run many small products on a GPU that plans do not use: all in one block, and as a CUDA graph.
#pragma once

#include <functional>

#include <tessera/stream.hpp>

#include "peers/peer.hpp"

namespace tessera::bench::device {

/// C = A B, the products one after the other, in one launch of one block. Needs packed, untransposed operands and
/// beta = 0.
void multiply_in_one_block(const gemm_call& call);

/// Captures the work that `launches` queues, and returns a pass that replays it on the default stream.
std::function<void()> graph_of(const std::function<void(stream_view)>& launches);

}  // namespace tessera::bench::device
