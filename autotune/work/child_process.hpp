// SPDX-License-Identifier: BSD-3-Clause
// Runs other programs, several at once, each with a time limit, and keeps their output.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::tune {

struct command {
  std::vector<std::string> words;  // the program, looked up in PATH where it has no slash, and its arguments
  double seconds = 60;             // then it is killed, with its children
  std::size_t most_output = std::size_t{1} << 20;  // bytes that are kept
};

struct finished {
  int status = -1;  // of exit; -1: it did not start, or ended by a signal or the time limit
  bool started = false, timed_out = false;
  std::string output;  // standard output and error; or why it did not start

  bool ok() const { return status == 0; }
};

/// In the order of the commands; `jobs` run at the same time.
std::vector<finished> run_all(const std::vector<command>& commands, int jobs);
finished run(const command& one);

}  // namespace tessera::tune
