// SPDX-License-Identifier: BSD-3-Clause
// Hands out workspaces: on a CPU a free one, or one more; on a GPU the only one, in the order of calls.
#include "own_workspace.hpp"

#include <utility>

#include <tessera/error.hpp>

namespace tessera::detail {

own_workspace::own_workspace(space_kind space, std::size_t bytes) : space_(space), bytes_(bytes) {
  free_.emplace_back(space, bytes);
  if (space == space_kind::gpu) complete_ = std::make_unique<device::event>();
}

own_workspace::~own_workspace() {
  try {
    if (complete_ != nullptr) complete_->wait();
  } catch (const error&) {  // of the GPU, or at the end of the process: the memory is not in use any more
  }
}

buffer own_workspace::taken() {
  {
    const std::lock_guard lock(guard_);
    if (!free_.empty()) {
      buffer unused = std::move(free_.back());
      free_.pop_back();
      return unused;
    }
    free_.reserve(count_ + 1);  // so that giving back never allocates
    ++count_;
  }
  try {
    return buffer(space_, bytes_);
  } catch (...) {
    const std::lock_guard lock(guard_);
    --count_;
    throw;
  }
}

void own_workspace::give_back(buffer unused) noexcept {
  const std::lock_guard lock(guard_);
  free_.push_back(std::move(unused));
}

void own_workspace::use(stream_view on, const std::function<void(void*)>& work) {
  if (space_ == space_kind::gpu) {
    const std::lock_guard lock(guard_);  // the kernels of two runs in one stream do not mix
    const bool orders = !device::is_capturing(on.handle());
    if (orders) complete_->order(on.handle());
    try {
      work(free_.front().data());
    } catch (...) {
      if (orders) complete_->record(on.handle());  // a part of the work may be queued
      throw;
    }
    if (orders) complete_->record(on.handle());
    return;
  }
  buffer mine = taken();
  try {
    work(mine.data());
  } catch (...) {
    give_back(std::move(mine));
    throw;
  }
  give_back(std::move(mine));
}

}  // namespace tessera::detail
