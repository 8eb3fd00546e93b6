// SPDX-License-Identifier: BSD-3-Clause
// CUDA graphs and events for plain C++ code.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <tessera/stream.hpp>

namespace tessera::device {

/// What `work` queues in `on`, not stream 0, as one graph. Throws status::launch_failure, naming `operation`,
/// where that cannot be captured.
class graph {
 public:
  graph(const char* operation, stream_view on, const std::function<void(stream_view)>& work);
  ~graph();
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  void launch(void* stream) const;

 private:
  const char* operation_;
  void* ready_ = nullptr;
};

/// True while what is queued in the stream becomes a part of a graph.
bool is_capturing(void* stream);

/// The graph that is being captured in the stream, and all that are made from it, keep the object. When the last of
/// them is destroyed it waits for destroy_released(): the destructor may call CUDA, which it could not do then.
void keep_for_graph(void* stream, const std::shared_ptr<const void>& object);
/// Destroys what no graph keeps any more, and says whether there was anything.
bool destroy_released();

class event {
 public:
  event();
  ~event();
  event(const event&) = delete;
  event& operator=(const event&) = delete;

  void record(void* stream);
  /// What is queued in the stream from now on waits, on the GPU, until what was queued before the last record() is
  /// complete.
  void order(void* stream) const;
  /// Until what was queued before the last record() is complete. Page-locked memory has what kernels wrote.
  void wait() const;

 private:
  void* handle_ = nullptr;
};

}  // namespace tessera::device
