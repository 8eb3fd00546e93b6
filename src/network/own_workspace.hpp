// SPDX-License-Identifier: BSD-3-Clause
// The workspace that a network owns: one for each CPU run of those at a time, one for all GPU runs, in their order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <tessera/gpu/detail/graph.hpp>
#include <tessera/memory.hpp>
#include <tessera/stream.hpp>

namespace tessera::detail {

class own_workspace {
 public:
  /// Allocates the first one.
  own_workspace(space_kind space, std::size_t bytes);
  own_workspace(const own_workspace&) = delete;
  own_workspace& operator=(const own_workspace&) = delete;
  /// Waits for what has been queued and uses the memory.
  ~own_workspace();

  /// Calls work(memory), which runs or queues what uses the memory. On a GPU what is queued in `on` waits for the work
  /// of the call before, unless `on` is being captured.
  void use(stream_view on, const std::function<void(void*)>& work);

 private:
  buffer taken();
  void give_back(buffer unused) noexcept;

  space_kind space_;
  std::size_t bytes_;
  std::mutex guard_;
  std::vector<buffer> free_;
  std::size_t count_ = 1;                    // free or in use
  std::unique_ptr<device::event> complete_;  // of a GPU: after the work of the last call
};

}  // namespace tessera::detail
