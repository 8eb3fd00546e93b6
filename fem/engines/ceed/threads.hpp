// SPDX-License-Identifier: BSD-3-Clause
// How many threads an application runs on.
#pragma once

namespace tessera::ceed {

/// TESSERA_CEED_THREADS: a number, or "all" for OpenMP's default. 1 where it is not set, as libCEED's CPU backends.
int wanted_threads();

/// OpenMP's number of threads, for the calling thread, while it lives.
class thread_limit {
 public:
  explicit thread_limit(int threads);
  ~thread_limit();
  thread_limit(const thread_limit&) = delete;
  thread_limit& operator=(const thread_limit&) = delete;

 private:
  int before_;
};

}  // namespace tessera::ceed
