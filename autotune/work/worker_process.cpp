// SPDX-License-Identifier: BSD-3-Clause
// A socket pair to a child process; its end is a result, too.
#include "work/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <tessera/error.hpp>

#include "measure/stopwatch.hpp"

extern char** environ;

namespace tessera::tune {

namespace {

constexpr std::size_t longest_answer = std::size_t(64) << 20;

}  // namespace

sample sample_in(const nlohmann::json& reply) {
  const auto seconds = reply.find("seconds");
  // JSON has no NaN: it arrives as null.
  if (seconds == reply.end() || !seconds->is_number()) return {outcome::wrong, 0, "the worker gave no time"};
  return {outcome::ok, seconds->get<double>(), ""};
}

worker_process::worker_process(const std::string& program) {
  int ends[2];
  // A socket and not a pipe: writing to a dead child is then an error, not a signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw error(std::string("cannot make a socket for the worker: ") + std::strerror(errno), status::internal);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  // A group of its own: Ctrl-C at the terminal reaches only the tuner, which then ends the worker itself.
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  char* arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  const int failed = posix_spawn(&process_, program.c_str(), &files, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  socket_ = ends[0];
  if (failed == 0) return;
  close(socket_);
  throw error("cannot start the worker '" + program + "': " + std::strerror(failed) +
              "; put tessera-tune-worker beside this program or name it in TESSERA_TUNE_WORKER");
}

worker_process::~worker_process() { end(); }

bool worker_process::send(const std::string& line) const {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = ::send(socket_, line.data() + done, line.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += std::size_t(count);
  }
  return true;
}

// Ends the process; returns how it ended.
std::string worker_process::end() {
  if (process_ <= 0) return {};
  kill(process_, SIGKILL);
  int how = 0;
  while (waitpid(process_, &how, 0) < 0 && errno == EINTR) continue;
  close(socket_);
  process_ = -1;
  if (WIFSIGNALED(how)) return "SIG" + std::string(sigabbrev_np(WTERMSIG(how))) + " (" + strsignal(WTERMSIG(how)) + ")";
  return "exit with status " + std::to_string(WEXITSTATUS(how));
}

// Kills it, too: a candidate may have closed the socket and still run. An earlier cause of death is kept.
worker_process::answer worker_process::died() { return {outcome::crashed, end(), {}}; }

worker_process::answer worker_process::ask(const nlohmann::json& request, double seconds) {
  if (!is_alive()) return {outcome::crashed, "the worker is not running", {}};
  const bench::stopwatch watch;
  received_.clear();
  if (!send(request.dump() + "\n")) return died();
  for (;;) {
    if (const std::size_t line = received_.find('\n'); line != std::string::npos) {
      nlohmann::json reply = nlohmann::json::parse(received_.substr(0, line), nullptr, false);
      if (reply.is_object() && reply.contains("how")) return {outcome::ok, "", std::move(reply)};
      end();
      return {outcome::crashed, "the worker's answer is not valid", {}};
    }
    const double left = seconds - watch.seconds();
    pollfd waiting{socket_, POLLIN, 0};
    const int ready = left > 0 ? poll(&waiting, 1, int(std::min(left * 1e3, 1e6)) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 && seconds - watch.seconds() <= 0) {
      end();
      return {outcome::timed_out, "took more than " + std::to_string(int(seconds)) + " s", {}};
    }
    if (ready <= 0) continue;
    char part[4096];
    const ssize_t count = read(socket_, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return died();
    received_.append(part, std::size_t(count));
    if (received_.size() > longest_answer) {
      end();
      return {outcome::crashed, "the worker's answer has no end", {}};
    }
  }
}

}  // namespace tessera::tune
