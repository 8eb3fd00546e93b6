// SPDX-License-Identifier: BSD-3-Clause
// Forks, and meets in shared memory.
#include "processes.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace tessera::examples {

namespace {
constexpr std::size_t head_bytes = 4096;
}

shared_host::shared_host(int processes, std::size_t bytes)
    : count_(processes),
      bytes_((bytes + 4095) / 4096 * 4096),
      all_bytes_(head_bytes + bytes_ * std::size_t(processes)) {
  void* const all = mmap(nullptr, all_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  state_ = new (all) state{};
}
shared_host::~shared_host() { munmap(state_, all_bytes_); }

void* shared_host::memory_of(int process) const {
  return reinterpret_cast<char*>(state_) + head_bytes + bytes_ * std::size_t(process);
}

void shared_host::meet() {
  const int round = state_->round;
  if (++state_->waiting == count_) {
    state_->waiting = 0;
    ++state_->round;
  }
  while (state_->round == round) {
    if (state_->failed > 0) throw std::runtime_error("another process has failed");
    sched_yield();
  }
}

int shared_host::run(const std::function<int(int process)>& work) {
  int running = 0, worst = 0;
  for (int r = 0; r < count_; ++r) {
    const pid_t one = fork();
    if (one == 0) {
      const int result = work(r);
      if (result != 0) ++state_->failed;
      _exit(result);
    }
    if (one < 0) ++state_->failed, worst = 3;
    if (one > 0) ++running;
  }
  for (; running > 0; --running) {
    int status = 0;
    if (waitpid(-1, &status, 0) < 0) break;
    if (!WIFEXITED(status)) ++state_->failed;  // those that wait for it give up
    worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 3);
  }
  return worst;
}

}  // namespace tessera::examples
