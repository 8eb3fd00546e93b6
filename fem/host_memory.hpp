// SPDX-License-Identifier: BSD-3-Clause
// Memory that the host reads or writes.
#pragma once

#include <tessera/error.hpp>
#include <tessera/memory.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace tessera::fem::detail {

inline void need_host(const std::string& what, const void* memory) {
  if (space_of(memory) == space_kind::gpu)
    throw error(what + ": device memory; host memory is needed", status::wrong_space);
}

/// Numbers on the host: where they are, or a copy of those in device memory.
template <class T>
class on_host {
 public:
  /// `reads`: whether what is there matters.
  on_host(T* at, index_t count, bool reads = true) : given_(at), at_(at) {
    if (count == 0 || space_of(at) != space_kind::gpu) return;
    copy_.resize(std::size_t(count));
    at_ = copy_.data();
    if (reads) copy_memory(copy_.data(), at, copy_.size() * sizeof(T));
  }
  on_host(const on_host&) = delete;
  on_host& operator=(const on_host&) = delete;

  T* data() const { return at_; }
  /// Takes what was written to a copy to device memory.
  void write_back() const {
    if (!copy_.empty()) copy_memory(given_, at_, copy_.size() * sizeof(T));
  }

 private:
  T *given_, *at_;
  std::vector<std::remove_const_t<T>> copy_;
};

}  // namespace tessera::fem::detail
