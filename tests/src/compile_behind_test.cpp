// SPDX-License-Identifier: BSD-3-Clause
// Jobs of the compiler: done once, in order, by few threads; errors are kept; the end of a process waits for them.
#include "general/compile_behind.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>

#include "testing/catch.hpp"

using namespace tessera;
using namespace std::string_literals;
using tessera::detail::compile_job;
using tessera::detail::compile_queue;
using done_by = compile_job::done_by;

namespace {

using job_pointer = std::shared_ptr<compile_job>;

job_pointer job_of(std::function<void(done_by)> work) { return std::make_shared<compile_job>(std::move(work)); }

// Holds jobs back until it is opened.
class gate {
 public:
  void open() {
    const std::lock_guard lock(guard_);
    is_open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(guard_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_open_; });
    --waiting_;
  }
  // Returns when so many wait.
  void fill(int count) {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return waiting_ >= count; });
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool is_open_ = false;
  int waiting_ = 0;
};

}  // namespace

TEST_CASE("compile behind: many callers wait for a job that one of them does", "[compile_behind]") {
  std::atomic<int> done = 0, saw_it = 0;
  const job_pointer job = job_of([&](done_by who) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    done += who == done_by::caller;
  });
  CHECK_FALSE(job->has_ended());
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      job->finish();
      saw_it += job->has_ended() && done == 1;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(done == 1);
  CHECK(saw_it == 8);
  CHECK(job->failure() == status::ok);
}

TEST_CASE("compile behind: what a job throws is kept", "[compile_behind]") {
  const auto failed = [](std::function<void()> work) {
    const job_pointer job = job_of([work](done_by) { work(); });
    job->finish();
    CHECK(job->has_ended());
    return std::pair(job->failure(), job->failure_text());
  };
  CHECK(failed([] { throw error("no such GPU", status::no_target); }) == std::pair(status::no_target, "no such GPU"s));
  CHECK(failed([] { throw std::bad_alloc(); }).first == status::out_of_memory);
  CHECK(failed([] { throw std::runtime_error("odd"); }) == std::pair(status::internal, "odd"s));
  CHECK(failed([] { throw 3; }).first == status::internal);
  CHECK(failed([] {}) == std::pair(status::ok, ""s));
}

TEST_CASE("compile behind: a thread takes jobs in their order, and callers go on", "[compile_behind]") {
  compile_queue queue(1, 100);
  gate first;
  std::vector<int> order;
  std::vector<job_pointer> jobs;
  for (int i = 0; i < 20; ++i) {
    jobs.push_back(job_of([&, i](done_by who) {
      if (i == 0) first.pass();
      order.push_back(who == done_by::own_thread ? i : -1);
    }));
    REQUIRE(queue.add(jobs.back()).empty());
  }
  CHECK_FALSE(jobs.back()->has_ended());
  CHECK_FALSE(jobs[0]->ends_within(std::chrono::milliseconds(1)));
  first.open();
  REQUIRE(jobs.back()->ends_within(std::chrono::minutes(1)));  // finish() would do it here
  for (int i = 0; i < 20; ++i) CHECK(order[std::size_t(i)] == i);
  CHECK(jobs[3]->ends_within(std::chrono::milliseconds(0)));
}

TEST_CASE("compile behind: a caller that waits does a job that no thread has begun", "[compile_behind]") {
  compile_queue queue(1, 100);
  gate first;
  const job_pointer blocking = job_of([&](done_by) { first.pass(); });
  int times = 0;
  bool by_caller = false;
  const job_pointer wanted = job_of([&](done_by who) { ++times, by_caller = who == done_by::caller; });
  REQUIRE(queue.add(blocking).empty());
  first.fill(1);
  REQUIRE(queue.add(wanted).empty());
  wanted->finish();
  CHECK(by_caller);
  first.open();
  queue.stop();
  CHECK(times == 1);
}

TEST_CASE("compile behind: as many threads as it was given, and no more", "[compile_behind]") {
  compile_queue queue(3, 100);
  gate all;
  std::atomic<int> at_once = 0, most = 0;
  std::vector<job_pointer> jobs;
  for (int i = 0; i < 9; ++i) {
    jobs.push_back(job_of([&](done_by) {
      const int now = ++at_once;
      for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
      }
      all.pass();
      --at_once;
    }));
    REQUIRE(queue.add(jobs.back()).empty());
  }
  all.fill(3);
  all.open();
  for (const job_pointer& job : jobs) REQUIRE(job->ends_within(std::chrono::minutes(1)));
  CHECK(most == 3);
}

TEST_CASE("compile behind: a queue takes so many jobs, and none once it is stopped", "[compile_behind]") {
  compile_queue queue(1, 2);
  gate first;
  int done = 0;
  const job_pointer running = job_of([&](done_by) { first.pass(), ++done; });
  REQUIRE(queue.add(running).empty());
  first.fill(1);
  const job_pointer waiting[] = {job_of([&](done_by) { ++done; }), job_of([&](done_by) { ++done; })};
  for (const job_pointer& job : waiting) REQUIRE(queue.add(job).empty());
  const job_pointer late = job_of([&](done_by) { ++done; });
  CHECK(queue.add(late) == "2 kernels wait for the compiler");
  CHECK_FALSE(late->has_ended());

  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    first.open();
  });
  queue.stop();  // waits for the one that runs
  CHECK(running->has_ended());
  CHECK(running->failure() == status::ok);
  CHECK(done == 1);
  for (const job_pointer& job : waiting) {
    CHECK(job->has_ended());
    CHECK(job->failure_text() == "the process is ending");
  }
  CHECK(queue.add(late) == "the process is ending");
  opener.join();
}

TEST_CASE("compile behind: a process ends after the job that runs, without those that wait", "[compile_behind]") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(ends[0]);
    const int out = ends[1];
    // More than there are threads: the last ones wait.
    for (int i = 0; i < 40; ++i)
      if (!tessera::detail::compile_behind(job_of([out, i](done_by) {
             std::this_thread::sleep_for(std::chrono::milliseconds(i == 0 ? 200 : 400));
             const char mark = char('a' + i);
             if (write(out, &mark, 1) != 1) std::_Exit(3);
           })).empty())
        std::_Exit(4);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the first one runs
    std::exit(0);
  }
  close(ends[1]);
  std::string marks;
  for (char mark = 0; read(ends[0], &mark, 1) == 1;) marks += mark;
  close(ends[0]);
  int how = 0;
  REQUIRE(waitpid(child, &how, 0) == child);
  INFO(marks);
  CHECK(WIFEXITED(how));
  CHECK(WEXITSTATUS(how) == 0);
  CHECK(marks.find('a') != std::string::npos);
  CHECK(marks.size() <= 8);
}
