// SPDX-License-Identifier: BSD-3-Clause
// Kernels that jobs of the compiler make, each once for all who ask for it, and that stay as kept_code says.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <tessera/gpu/detail/kept_code.hpp>

#include "compile_behind.hpp"

namespace tessera::detail {

/// A kernel, or who compiles it, or why there is none.
struct kernel_attempt {
  std::shared_ptr<const void> kernel;
  std::shared_ptr<const compile_job> behind;  // it goes on; who holds this holds the kernel, too, once it is made
  std::string why_not;
};

class kernel_jobs {
 public:
  using maker = std::function<device::kept_code::made(compile_job::done_by)>;

  /// Hands a job to a thread: compile_behind, or another queue's add.
  using hand_over = std::function<std::string(std::shared_ptr<compile_job>)>;

  /// `kept` lives as long as the last job.
  explicit kernel_jobs(device::kept_code& kept, hand_over to_thread = &compile_behind)
      : kept_(kept), to_thread_(std::move(to_thread)) {}
  kernel_jobs(const kernel_jobs&) = delete;
  kernel_jobs& operator=(const kernel_jobs&) = delete;

  /// The kernel of that key, the same one as long as anybody holds it. If there is none, from make(): `wait` returns
  /// when that has ended, else a thread does it, and this returns within `grace`. A failure that another attempt would
  /// repeat is kept as well.
  kernel_attempt get(const std::string& key, const maker& make, bool wait);

  /// Jobs that somebody holds or that have not ended.
  std::size_t jobs() const;

 private:
  struct result;
  struct job;

  static kernel_attempt attempt_of(const std::shared_ptr<const result>& made);
  std::shared_ptr<job> job_of(const std::string& key, const maker& make);

  device::kept_code& kept_;
  hand_over to_thread_;
  mutable std::mutex guard_;
  std::map<std::string, std::weak_ptr<job>> jobs_;
};

/// Those of the process, in device::loaded_kernels().
kernel_jobs& process_kernel_jobs();

}  // namespace tessera::detail
