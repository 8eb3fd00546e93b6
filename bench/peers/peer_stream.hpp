// SPDX-License-Identifier: BSD-3-Clause
// The stream in which passes of cuBLAS and cuTENSOR queue their work: the default stream, but for captures.
#pragma once

#include <tessera/stream.hpp>

namespace tessera::bench {

stream_view stream_of_peers();

/// Passes that run while this lives queue in that stream.
class peers_in_stream {
 public:
  explicit peers_in_stream(stream_view stream);
  ~peers_in_stream();
  peers_in_stream(const peers_in_stream&) = delete;
  peers_in_stream& operator=(const peers_in_stream&) = delete;
};

}  // namespace tessera::bench
