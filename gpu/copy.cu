// SPDX-License-Identifier: BSD-3-Clause
// Copies between host and device; asynchronous ones stage pageable memory through a small ring of pinned pieces.
#include "cuda_call.hpp"

#include <cstring>
#include <map>
#include <mutex>

#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::device {

namespace {

constexpr std::size_t piece_bytes = std::size_t(1) << 20;
constexpr int pieces = 8;

// One piece of pinned memory, and the copy from it by a host function of the stream.
struct piece {
  char* memory = nullptr;
  cudaEvent_t free = nullptr;  // recorded after the last use
  void* to = nullptr;
  std::size_t bytes = 0;
};

void CUDART_CB copy_out(void* argument) {
  const piece& p = *static_cast<piece*>(argument);
  std::memcpy(p.to, p.memory, p.bytes);
}

// One device's pieces. Host functions never take the lock, so waiting for one while holding it is safe.
class ring {
 public:
  ring() {
    memory_ = static_cast<char*>(allocate_pinned(pieces * piece_bytes));
    for (int i = 0; i < pieces; ++i) {
      pieces_[i].memory = memory_ + std::size_t(i) * piece_bytes;
      const cudaError_t made = cudaEventCreateWithFlags(&pieces_[i].free, cudaEventDisableTiming);
      if (made == cudaSuccess) continue;
      give_back();
      check("copy", made);
    }
  }
  ring(const ring&) = delete;

  void to_device(char* to, const char* from, std::size_t bytes, cudaStream_t stream) {
    each_part(bytes, stream, [&](piece& p, std::size_t done) {
      std::memcpy(p.memory, from + done, p.bytes);
      check("copy", cudaMemcpyAsync(to + done, p.memory, p.bytes, cudaMemcpyHostToDevice, stream));
    });
  }

  void to_host(char* to, const char* from, std::size_t bytes, cudaStream_t stream) {
    each_part(bytes, stream, [&](piece& p, std::size_t done) {
      p.to = to + done;
      check("copy", cudaMemcpyAsync(p.memory, from + done, p.bytes, cudaMemcpyDeviceToHost, stream));
      check("copy", cudaLaunchHostFunc(stream, copy_out, &p));
    });
  }

 private:
  void give_back() {
    for (const piece& p : pieces_)
      if (p.free != nullptr && cudaEventDestroy(p.free) != cudaSuccess) cudaGetLastError();
    deallocate_pinned(memory_);
  }

  // queue(piece, bytes before it) for as many pieces as there are bytes.
  template <class Queue>
  void each_part(std::size_t bytes, cudaStream_t stream, Queue queue) {
    const std::lock_guard lock(mutex_);
    try {
      for (std::size_t done = 0; done < bytes;) {
        piece& p = next();
        p.bytes = bytes - done < piece_bytes ? bytes - done : piece_bytes;
        queue(p, done);
        check("copy", cudaEventRecord(p.free, stream));
        done += p.bytes;
      }
    } catch (...) {  // queued work may still use a piece whose event was not recorded
      if (cudaStreamSynchronize(stream) != cudaSuccess) cudaGetLastError();
      throw;
    }
  }

  piece& next() {
    piece& p = pieces_[at_++ % pieces];
    check("copy", cudaEventSynchronize(p.free));
    return p;
  }

  std::mutex mutex_;
  char* memory_ = nullptr;
  piece pieces_[pieces];
  unsigned at_ = 0;
};

// Never freed: at the end of the process the driver may already be shut down.
ring& ring_of_device() {
  static std::mutex mutex;
  static auto& rings = *new std::map<int, ring*>;
  int device = 0;
  check("copy", cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  ring*& found = rings[device];
  if (found == nullptr) found = new ring;
  return *found;
}

bool is_pageable(const void* pointer) {
  cudaPointerAttributes attributes;
  check("copy", cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type == cudaMemoryTypeUnregistered;
}

void check_pointers(const void* to, const void* from, std::size_t bytes, direction way) {
  const auto fail = [&](const char* which, const char* where) {
    throw error("copy of " + std::to_string(bytes) + " bytes: the " + which + " is not " + where + " memory",
                status::wrong_space);
  };
  if (to == nullptr || from == nullptr)
    throw error("copy of " + std::to_string(bytes) + " bytes: null pointer", status::null_pointer);
  if (way != direction::device_to_host && !is_device_pointer(to)) fail("destination", "device");
  if (way != direction::host_to_device && !is_device_pointer(from)) fail("source", "device");
  cudaPointerAttributes attributes;
  const void* host = way == direction::host_to_device ? from : to;
  if (way == direction::device_to_device) return;
  check("copy", cudaPointerGetAttributes(&attributes, host));
  if (attributes.type == cudaMemoryTypeDevice)
    fail(way == direction::host_to_device ? "source" : "destination", "host");
}

cudaMemcpyKind kind_of(direction way) {
  return way == direction::host_to_device   ? cudaMemcpyHostToDevice
         : way == direction::device_to_host ? cudaMemcpyDeviceToHost
                                            : cudaMemcpyDeviceToDevice;
}

}  // namespace

void copy(void* to, const void* from, std::size_t bytes, direction way) {
  require_device("copy");
  if (bytes == 0) return;
  check_pointers(to, from, bytes, way);
  check("copy", cudaMemcpy(to, from, bytes, kind_of(way)));
  // cudaMemcpy returns while a device-to-device copy, or the last piece of one from pageable memory, is still running;
  // streams that do not wait for stream 0 would not wait for it.
  if (way != direction::device_to_host) check("copy", cudaStreamSynchronize(cudaStreamLegacy));
}

void copy_async(void* to, const void* from, std::size_t bytes, direction way, void* stream) {
  require_device("copy");
  if (bytes == 0) return;
  check_pointers(to, from, bytes, way);
  const auto on = static_cast<cudaStream_t>(stream);
  const bool staged =
      way == direction::host_to_device ? is_pageable(from) : way == direction::device_to_host && is_pageable(to);
  if (!staged) return check("copy", cudaMemcpyAsync(to, from, bytes, kind_of(way), on));
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  check("copy", cudaStreamIsCapturing(on, &capturing));
  if (capturing != cudaStreamCaptureStatusNone)
    throw error("copy of " + std::to_string(bytes) +
                    " bytes: pageable host memory cannot be copied in a graph capture; "
                    "allocate it with device::allocate_pinned",
                status::launch_failure);
  if (way == direction::host_to_device)
    ring_of_device().to_device(static_cast<char*>(to), static_cast<const char*>(from), bytes, on);
  else
    ring_of_device().to_host(static_cast<char*>(to), static_cast<const char*>(from), bytes, on);
}

}  // namespace tessera::device
