// SPDX-License-Identifier: BSD-3-Clause
// Work of the compiler that a caller waits for, or that threads of the library do while the caller goes on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <tessera/error.hpp>

namespace tessera::detail {

/// Work that is done once, by whoever comes first.
class compile_job {
 public:
  enum class done_by { caller, own_thread };

  explicit compile_job(std::function<void(done_by)> work) : work_(std::move(work)) {}

  /// Does the work, or waits for the thread that does.
  void finish();
  /// Does the work unless it has begun.
  void begin(done_by who);
  /// Ends work that has not begun, as a failure with this text.
  void drop(const std::string& why);

  bool has_ended() const;
  /// Whether it ended within that time.
  bool ends_within(std::chrono::milliseconds most) const;
  /// What it threw: status::ok and no text before the end, and where it succeeded.
  status failure() const;
  std::string failure_text() const;

 private:
  friend class compile_queue;
  enum class state { waiting, running, ended };

  bool take();
  void run(done_by who);
  void end(status code, const std::string& text);

  mutable std::mutex guard_;
  mutable std::condition_variable has_ended_;
  state at_ = state::waiting;
  std::function<void(done_by)> work_;
  status failure_ = status::ok;
  std::string failure_text_;
  std::atomic<bool> is_queued_ = false;
};

/// A few threads that do jobs in their order. Threads start with the jobs, and stay.
class compile_queue {
 public:
  compile_queue(std::size_t threads, std::size_t most_waiting) : most_threads_(threads), most_waiting_(most_waiting) {}
  compile_queue(const compile_queue&) = delete;
  compile_queue& operator=(const compile_queue&) = delete;
  ~compile_queue() { stop(); }

  /// Empty, or why the job will not be done: too many wait, the system starts no thread, or the queue was stopped. A
  /// job that is in a queue already stays there.
  std::string add(std::shared_ptr<compile_job> job);
  /// Drops the jobs that wait and returns when the others have ended.
  void stop();

 private:
  void work();

  const std::size_t most_threads_, most_waiting_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<compile_job>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopped_ = false;
};

/// The same in the queue of the process, which is stopped when the process ends: it then waits for what is being
/// compiled, a second or so.
std::string compile_behind(std::shared_ptr<compile_job> job);

/// What a plan that does not wait gives a job to end: enough where the code is on disk.
inline constexpr std::chrono::milliseconds grace{20};

}  // namespace tessera::detail
