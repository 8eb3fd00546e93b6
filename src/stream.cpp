// SPDX-License-Identifier: BSD-3-Clause
// Streams: the GPU runtime's, behind opaque handles.
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/stream.hpp>

namespace tessera {

void stream_view::synchronize() const { device::stream_synchronize(handle_); }

stream::stream() : handle_(device::stream_create()) {}
stream::~stream() {
  if (handle_ != nullptr) device::stream_destroy(handle_);
}

}  // namespace tessera
