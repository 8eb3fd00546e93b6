// SPDX-License-Identifier: BSD-3-Clause
// Values by key, of which those that nobody holds are destroyed when they get too many.
#include <tessera/gpu/detail/kept_code.hpp>

#include <utility>
#include <vector>

#include "cache_size.hpp"

namespace tessera::device {

std::shared_ptr<const void> kept_code::get(const std::string& key, const std::function<made()>& make) {
  std::shared_ptr<slot> mine;
  {
    const std::lock_guard lock(guard_);
    std::shared_ptr<slot>& at = all_[key];
    if (at == nullptr) at = std::make_shared<slot>();
    at->used = ++clock_;
    mine = at;  // a slot that somebody else holds does not go
    if (mine->has.value != nullptr) return mine->has.value;
  }
  const std::lock_guard one(mine->making);
  {
    const std::lock_guard lock(guard_);
    if (mine->has.value != nullptr) return mine->has.value;
  }
  made fresh = make();
  std::vector<made> gone;  // destroyed last, without the lock
  const std::lock_guard lock(guard_);
  bytes_ += fresh.bytes;
  mine->has = fresh;
  while (bytes_ > most_) {
    const auto oldest = oldest_unused();
    if (oldest == all_.end()) break;
    bytes_ -= oldest->second->has.bytes;
    gone.push_back(std::move(oldest->second->has));
    all_.erase(oldest);
  }
  return fresh.value;
}

std::shared_ptr<const void> kept_code::find(const std::string& key) {
  const std::lock_guard lock(guard_);
  const auto at = all_.find(key);
  if (at == all_.end() || at->second->has.value == nullptr) return nullptr;
  at->second->used = ++clock_;
  return at->second->has.value;
}

kept_code::values::iterator kept_code::oldest_unused() {
  auto oldest = all_.end();
  for (auto at = all_.begin(); at != all_.end(); ++at) {
    const slot& s = *at->second;
    if (at->second.use_count() > 1 || s.has.value == nullptr || s.has.value.use_count() > 1) continue;
    if (oldest == all_.end() || s.used < oldest->second->used) oldest = at;
  }
  return oldest;
}

std::uint64_t kept_code::bytes() const {
  const std::lock_guard lock(guard_);
  return bytes_;
}
std::size_t kept_code::count() const {
  const std::lock_guard lock(guard_);
  return all_.size();
}

kept_code& loaded_kernels() {
  static auto& all = *new kept_code(loaded_code_size().bytes);
  return all;
}

}  // namespace tessera::device
