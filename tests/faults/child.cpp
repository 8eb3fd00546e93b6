// SPDX-License-Identifier: BSD-3-Clause
// Forks, and says how the child ended. The parent must have run nothing parallel: threads are not copied.
#include "child.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace tessera::faults {

namespace {

constexpr unsigned most_seconds = 300;

// Signals end it at once, and what it throws is no test result of the parent's.
[[noreturn]] void be_child(const std::function<void()>& work) {
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM}) std::signal(number, SIG_DFL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(most_seconds);
  try {
    work();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "a child threw: %s\n", e.what());
    _exit(1);
  }
  _exit(0);
}

}  // namespace

std::string run_in_child(const std::function<void()>& work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process could be made");
  if (child == 0) be_child(work);
  int how = 0;
  if (waitpid(child, &how, 0) != child) throw std::runtime_error("the process was lost");
  if (WIFSIGNALED(how)) {
    const int number = WTERMSIG(how);
    return number == SIGALRM ? "took more than " + std::to_string(most_seconds) + " s"
                             : "ended by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  }
  return WEXITSTATUS(how) == 0 ? "" : "ended with status " + std::to_string(WEXITSTATUS(how));
}

void* take_shared(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}
void give_back_shared(void* memory, std::size_t bytes) { munmap(memory, bytes); }

}  // namespace tessera::faults
