// SPDX-License-Identifier: BSD-3-Clause
// Jobs end once, whatever they throw; threads of a queue take them in their order.
#include "compile_behind.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace tessera::detail {

namespace {

constexpr std::size_t most_compilers = 4, most_waiting_kernels = 256;

// A compiler takes a core of its own; half of them are left to the program.
std::size_t compilers() { return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, most_compilers); }

// Never destroyed: it is stopped before the compiler's own statics are destroyed.
compile_queue& process_queue() {
  static auto& only = *new compile_queue(compilers(), most_waiting_kernels);
  return only;
}

// A process that was forked has none of the threads, and nothing to wait for.
const pid_t& first_process() {
  static const pid_t id = ::getpid();
  return id;
}

void stop_process_queue() {
  if (::getpid() == first_process()) process_queue().stop();
}

}  // namespace

bool compile_job::take() {
  const std::lock_guard lock(guard_);
  if (at_ != state::waiting) return false;
  at_ = state::running;
  return true;
}

void compile_job::end(status code, const std::string& text) {
  {
    const std::lock_guard lock(guard_);
    at_ = state::ended;
    failure_ = code;
    failure_text_ = text;
  }
  has_ended_.notify_all();
}

void compile_job::run(done_by who) {
  try {
    work_(who);
    end(status::ok, "");
  } catch (const error& e) {
    end(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    end(status::out_of_memory, "no host memory left");
  } catch (const std::exception& e) {
    end(status::internal, e.what());
  } catch (...) {
    end(status::internal, "an unknown exception");
  }
}

void compile_job::begin(done_by who) {
  if (take()) run(who);
}

void compile_job::finish() {
  if (take()) return run(done_by::caller);
  std::unique_lock lock(guard_);
  has_ended_.wait(lock, [&] { return at_ == state::ended; });
}

void compile_job::drop(const std::string& why) {
  if (take()) end(status::internal, why);
}

bool compile_job::has_ended() const {
  const std::lock_guard lock(guard_);
  return at_ == state::ended;
}

bool compile_job::ends_within(std::chrono::milliseconds most) const {
  std::unique_lock lock(guard_);
  return has_ended_.wait_for(lock, most, [&] { return at_ == state::ended; });
}

status compile_job::failure() const {
  const std::lock_guard lock(guard_);
  return failure_;
}

std::string compile_job::failure_text() const {
  const std::lock_guard lock(guard_);
  return failure_text_;
}

std::string compile_queue::add(std::shared_ptr<compile_job> job) {
  const std::lock_guard lock(guard_);
  if (stopped_) return "the process is ending";
  if (job->is_queued_) return "";
  if (waiting_.size() >= most_waiting_) return std::to_string(waiting_.size()) + " kernels wait for the compiler";
  job->is_queued_ = true;
  waiting_.push_back(std::move(job));
  if (idle_ < waiting_.size() && threads_.size() < most_threads_) try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& e) {
      if (threads_.empty()) {
        waiting_.back()->is_queued_ = false;
        waiting_.pop_back();
        return std::string("no thread for the compiler: ") + e.what();
      }
    }
  changed_.notify_one();
  return "";
}

void compile_queue::work() {
  std::unique_lock lock(guard_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
    --idle_;
    if (stopped_) return;
    const std::shared_ptr<compile_job> next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    next->begin(compile_job::done_by::own_thread);
    lock.lock();
  }
}

void compile_queue::stop() {
  std::deque<std::shared_ptr<compile_job>> dropped;
  std::vector<std::thread> ending;
  {
    const std::lock_guard lock(guard_);
    stopped_ = true;
    dropped.swap(waiting_);
    ending.swap(threads_);
  }
  changed_.notify_all();
  for (const std::shared_ptr<compile_job>& job : dropped) job->drop("the process is ending");
  for (std::thread& thread : ending) thread.join();
}

std::string compile_behind(std::shared_ptr<compile_job> job) {
  first_process();
  // For each job: what earlier ones made static is then destroyed after the threads have ended.
  std::atexit(&stop_process_queue);
  return process_queue().add(std::move(job));
}

}  // namespace tessera::detail
