// SPDX-License-Identifier: BSD-3-Clause
// cuTENSOR is given a stream with each call, cuBLAS's context has one.
#include "peers/peer_stream.hpp"

#include <tessera/error.hpp>

#include "peers/cublas_library.hpp"

namespace tessera::bench {

namespace {

stream_view& now() {
  static stream_view stream;
  return stream;
}

void use(stream_view stream) {
  now() = stream;
  const cublas& blas = opened_cublas();
  if (blas.context == nullptr) return;
  auto* const set = blas.library.find<int(cublas_handle, void*)>("cublasSetStream_v2");
  if (set == nullptr || set(blas.context, stream.handle()) != 0) throw error("cuBLAS takes no stream");
}

}  // namespace

stream_view stream_of_peers() { return now(); }

peers_in_stream::peers_in_stream(stream_view stream) { use(stream); }
peers_in_stream::~peers_in_stream() { use({}); }

}  // namespace tessera::bench
