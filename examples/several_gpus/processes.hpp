// SPDX-License-Identifier: BSD-3-Clause
// Processes of one machine, a GPU each, which are forked and share some memory of the host.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace tessera::examples {

class shared_host {
 public:
  /// `bytes` of memory for every process.
  shared_host(int processes, std::size_t bytes);
  ~shared_host();
  shared_host(const shared_host&) = delete;

  int count() const { return count_; }
  void* memory_of(int process) const;
  std::size_t bytes() const { return bytes_; }
  /// Waits for all.
  void meet();

  /// work(process) in a process each; the highest of their results. This one must not have used CUDA.
  int run(const std::function<int(int process)>& work);

 private:
  struct state {
    std::atomic<int> waiting, round, failed;
  };
  int count_;
  std::size_t bytes_, all_bytes_;
  state* state_;
};

}  // namespace tessera::examples
