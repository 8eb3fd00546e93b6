// SPDX-License-Identifier: BSD-3-Clause
// Captures what is queued in a stream as a graph; events without times.
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <tessera/gpu/detail/graph.hpp>

#include "cuda_call.hpp"

namespace tessera::device {

namespace {

cudaStream_t cuda_stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

// The graph that `work` queues, or null and the reason. What `work` throws ends the capture.
cudaError_t capture(cudaStream_t on, const std::function<void(stream_view)>& work, cudaGraph_t* captured) {
  const cudaError_t begun = cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal);
  if (begun != cudaSuccess) return begun;
  try {
    work(stream_view(on));
  } catch (...) {
    cudaStreamEndCapture(on, captured);
    if (*captured != nullptr) cudaGraphDestroy(*captured);
    cudaGetLastError();
    throw;
  }
  return cudaStreamEndCapture(on, captured);
}

// An object of a graph, in a list of those that no graph has any more: a callback of CUDA's may not allocate.
struct kept_object {
  std::shared_ptr<const void> object;
  kept_object* next = nullptr;
};
struct released_objects {
  std::mutex guard;
  kept_object* first = nullptr;
};
released_objects& released() {
  static auto& only = *new released_objects;
  return only;
}
void CUDART_CB release(void* kept) {
  auto* const now = static_cast<kept_object*>(kept);
  released_objects& all = released();
  const std::lock_guard lock(all.guard);
  now->next = all.first;
  all.first = now;
}

// Of the stream, which is being captured.
cudaError_t captured_graph(cudaStream_t stream, cudaGraph_t* graph) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 13000
  return cudaStreamGetCaptureInfo(stream, &status, nullptr, graph, nullptr, nullptr, nullptr);
#else
  return cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, graph, nullptr, nullptr);
#endif
}

}  // namespace

graph::graph(const char* operation, stream_view on, const std::function<void(stream_view)>& work)
    : operation_(operation) {
  require_device(operation);
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t ready = nullptr;
  cudaError_t result = capture(cuda_stream_of(on.handle()), work, &captured);
  if (result == cudaSuccess) result = cudaGraphInstantiate(&ready, captured, 0);
  if (captured != nullptr) cudaGraphDestroy(captured);
  check(std::string(operation) + " as a CUDA graph, which what only queues work in its stream can be", result);
  ready_ = ready;
}
graph::~graph() {
  if (ready_ != nullptr && cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(ready_)) != cudaSuccess)
    cudaGetLastError();
}

void graph::launch(void* stream) const {
  check(operation_, cudaGraphLaunch(static_cast<cudaGraphExec_t>(ready_), cuda_stream_of(stream)));
}

// Stream 0 cannot be captured, and must not be used while other streams are.
bool is_capturing(void* stream) {
  if (stream == nullptr) return false;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check("stream", cudaStreamIsCapturing(cuda_stream_of(stream), &status));
  return status != cudaStreamCaptureStatusNone;
}

void keep_for_graph(void* stream, const std::shared_ptr<const void>& object) {
  cudaGraph_t graph = nullptr;
  check("graph", captured_graph(cuda_stream_of(stream), &graph));
  auto kept = std::make_unique<kept_object>(kept_object{object});
  cudaUserObject_t handle = nullptr;
  check("graph", cudaUserObjectCreate(&handle, kept.get(), &release, 1, cudaUserObjectNoDestructorSync));
  static_cast<void>(kept.release());  // it is the handle's
  const cudaError_t result = cudaGraphRetainUserObject(graph, handle, 1, cudaGraphUserObjectMove);
  if (result != cudaSuccess) cudaUserObjectRelease(handle, 1);
  check("graph", result);
}

bool destroy_released() {
  kept_object* all = nullptr;
  {
    const std::lock_guard lock(released().guard);
    all = std::exchange(released().first, nullptr);
  }
  if (all == nullptr) return false;
  // Memory may be freed while a stream is captured, as no graph has it.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  const bool is_relaxed = cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess;
  while (all != nullptr) {
    const std::unique_ptr<kept_object> last(all);
    all = last->next;
  }
  if (!is_relaxed || cudaThreadExchangeStreamCaptureMode(&mode) != cudaSuccess) cudaGetLastError();
  return true;
}

event::event() {
  require_device("event");
  cudaEvent_t made = nullptr;
  check("event", cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
  handle_ = made;
}
event::~event() {
  if (handle_ != nullptr && cudaEventDestroy(static_cast<cudaEvent_t>(handle_)) != cudaSuccess) cudaGetLastError();
}
void event::record(void* stream) {
  check("event", cudaEventRecord(static_cast<cudaEvent_t>(handle_), cuda_stream_of(stream)));
}
void event::order(void* stream) const {
  check("event", cudaStreamWaitEvent(cuda_stream_of(stream), static_cast<cudaEvent_t>(handle_), 0));
}
void event::wait() const { check("event", cudaEventSynchronize(static_cast<cudaEvent_t>(handle_))); }

}  // namespace tessera::device
