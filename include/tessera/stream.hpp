// SPDX-License-Identifier: BSD-3-Clause
// A stream of GPU work, as an opaque handle for plain C++ code (a cudaStream_t).
#pragma once

namespace tessera {

/// Refers to a stream owned elsewhere. The default is CUDA's stream 0. Implicit from a cudaStream_t.
class stream_view {
 public:
  constexpr stream_view() = default;
  constexpr stream_view(void* handle) : handle_(handle) {}
  constexpr void* handle() const { return handle_; }

  /// Waits for all work in the stream. Throws status::launch_failure if it failed.
  void synchronize() const;

 private:
  void* handle_ = nullptr;
};

/// Owns a stream of its own. Throws status::no_device without a GPU.
class stream {
 public:
  stream();
  ~stream();
  stream(stream&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  stream& operator=(stream&&) = delete;

  operator stream_view() const { return {handle_}; }
  void synchronize() const { stream_view(handle_).synchronize(); }

 private:
  void* handle_;
};

}  // namespace tessera
