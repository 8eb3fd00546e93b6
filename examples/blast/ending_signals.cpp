// SPDX-License-Identifier: BSD-3-Clause
// The handler only stores the signal's number, and makes way for the system's own.
#include "ending_signals.hpp"

#include <signal.h>

#include <array>

namespace tessera::blast {

namespace {

constexpr std::array<int, 2> ending{SIGINT, SIGTERM};
std::array<struct sigaction, 2> earlier;
volatile sig_atomic_t last_caught = 0;

extern "C" void tessera_blast_end_soon(int which) {
  last_caught = which;
  for (std::size_t i = 0; i < ending.size(); ++i)
    if (earlier[i].sa_handler != SIG_IGN) signal(ending[i], SIG_DFL);
}

}  // namespace

ending_signals::ending_signals() {
  last_caught = 0;
  struct sigaction action = {};
  action.sa_handler = tessera_blast_end_soon;
  action.sa_flags = SA_RESTART;  // files that are being written stay whole
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < ending.size(); ++i) sigaction(ending[i], nullptr, &earlier[i]);
  // A shell lets its background jobs ignore SIGINT.
  for (std::size_t i = 0; i < ending.size(); ++i)
    if (earlier[i].sa_handler != SIG_IGN) sigaction(ending[i], &action, nullptr);
}

ending_signals::~ending_signals() {
  for (std::size_t i = 0; i < ending.size(); ++i) sigaction(ending[i], &earlier[i], nullptr);
}

int ending_signals::caught() const { return last_caught; }

const char* ending_signals::name(int signal) { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

}  // namespace tessera::blast
