// SPDX-License-Identifier: BSD-3-Clause
// posix_spawn, so that no shell reads the names of files, and a pipe for what the script says.
#include "picture.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <vector>

namespace tessera::blast {

namespace {

// 0, or why it could not be started.
int start(const std::vector<std::string>& words, int output, pid_t& process) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, 1);
  posix_spawn_file_actions_adddup2(&files, output, 2);
  const int failed = posix_spawnp(&process, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return failed;
}

std::string all_of(int input) {
  std::string text;
  std::array<char, 4096> some;
  for (ssize_t n = 0; (n = read(input, some.data(), some.size())) > 0;) text.append(some.data(), std::size_t(n));
  return text;
}

// Of Python's lines the last one names the error. The script's own has a beginning and a full stop that the caller's
// sentence does without.
std::string reason_in(std::string text) {
  const std::string ends = ".\n", begins = "No picture: ";
  text.erase(text.find_last_not_of(ends) + 1);
  if (const std::size_t line = text.find_last_of('\n'); line != std::string::npos) text.erase(0, line + 1);
  if (text.compare(0, begins.size(), begins) == 0) text.erase(0, begins.size());
  return text;
}

}  // namespace

plot_program default_plot_program() { return {TESSERA_BLAST_PYTHON, TESSERA_BLAST_PLOT}; }

std::string draw_picture(const std::string& json, const std::string& png, const std::string& field,
                         const plot_program& by) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::string("cannot make a pipe: ") + std::strerror(errno);
  pid_t process = 0;
  const int failed = start({by.python, by.script, "--field", field, json, png}, ends[1], process);
  close(ends[1]);
  const std::string said = failed == 0 ? all_of(ends[0]) : "";
  close(ends[0]);
  if (failed != 0) return "cannot start '" + by.python + "': " + std::strerror(failed);
  int status = 0;
  waitpid(process, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  const std::string reason = reason_in(said);
  return reason.empty() ? "'" + by.python + "' failed without a word" : reason;
}

}  // namespace tessera::blast
