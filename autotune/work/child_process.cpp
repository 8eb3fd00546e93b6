// SPDX-License-Identifier: BSD-3-Clause
// posix_spawn with a pipe for the output of each program, and one poll loop for all of them.
#include "work/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <tessera/error.hpp>

#include "interrupt.hpp"
#include "measure/stopwatch.hpp"

extern char** environ;

namespace tessera::tune {

namespace {

// A running program: its process group and the pipe of its output.
struct running {
  std::size_t number;
  pid_t process;
  int pipe;
  double seconds;
  std::size_t most_output;
  bench::stopwatch watch{};

  int milliseconds_left() const { return int(std::clamp((seconds - watch.seconds()) * 1e3, 0.0, 1e6)) + 1; }
};

int spawn(const std::vector<std::string>& words, int output, pid_t& process) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, 1);
  posix_spawn_file_actions_adddup2(&files, output, 2);
  // A group of its own: the limit then ends a compiler driver together with its children.
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int failed = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failed;
}

constexpr int most_patience = 200;  // milliseconds, so that Ctrl-C is noticed

class pool {
 public:
  explicit pool(std::size_t count) : results_(count) {}
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  ~pool() {
    for (const running& one : active_) kill(-one.process, SIGKILL);
    while (!active_.empty()) end(active_.size() - 1);
  }

  std::size_t active() const { return active_.size(); }
  std::vector<finished> take() { return std::move(results_); }

  void start(std::size_t number, const command& what) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw error(std::string("cannot make a pipe: ") + std::strerror(errno), status::internal);
    pid_t process = 0;
    const int failed = spawn(what.words, ends[1], process);
    close(ends[1]);
    if (failed != 0) {
      close(ends[0]);
      results_[number].output = std::strerror(failed);
      return;
    }
    results_[number].started = true;
    active_.push_back({number, process, ends[0], what.seconds, what.most_output});
  }

  // Waits until one of them prints, ends or has used its time.
  void wait() {
    std::vector<pollfd> pipes;
    int patience = most_patience;
    for (const running& one : active_) {
      pipes.push_back({one.pipe, POLLIN, 0});
      patience = std::min(patience, one.milliseconds_left());
    }
    if (poll(pipes.data(), nfds_t(pipes.size()), patience) < 0 && errno != EINTR)
      throw error(std::string("poll: ") + std::strerror(errno), status::internal);
    for (std::size_t i = active_.size(); i-- > 0;) {
      finished& result = results_[active_[i].number];
      if (active_[i].watch.seconds() > active_[i].seconds) {
        result.timed_out = true;
        kill(-active_[i].process, SIGKILL);
        end(i);
      } else if (pipes[i].revents != 0 && !read_some(active_[i], result)) {
        end(i);
      }
    }
  }

 private:
  // False at the end of the output.
  static bool read_some(const running& one, finished& result) {
    char part[4096];
    const ssize_t count = read(one.pipe, part, sizeof part);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    const std::size_t space_left = one.most_output - std::min(one.most_output, result.output.size());
    result.output.append(part, std::min(std::size_t(count), space_left));
    return count > 0;
  }

  void end(std::size_t i) {
    finished& result = results_[active_[i].number];
    int how = 0;
    while (waitpid(active_[i].process, &how, 0) < 0 && errno == EINTR) continue;
    close(active_[i].pipe);
    if (WIFEXITED(how) && !result.timed_out) result.status = WEXITSTATUS(how);
    if (WIFSIGNALED(how) && !result.timed_out)
      result.output += std::string("ended by signal: ") + strsignal(WTERMSIG(how)) + "\n";
    active_.erase(active_.begin() + std::ptrdiff_t(i));
  }

  std::vector<finished> results_;
  std::vector<running> active_;
};

}  // namespace

std::vector<finished> run_all(const std::vector<command>& commands, int jobs) {
  pool programs(commands.size());
  std::size_t next = 0;
  while (next < commands.size() || programs.active() > 0) {
    while (next < commands.size() && programs.active() < std::size_t(std::max(1, jobs))) {
      programs.start(next, commands[next]);
      ++next;
    }
    if (programs.active() > 0) programs.wait();
    if (interrupted) throw interruption();  // the pool ends running programs
  }
  return programs.take();
}

finished run(const command& one) { return std::move(run_all({one}, 1).front()); }

}  // namespace tessera::tune
