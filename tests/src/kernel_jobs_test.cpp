// SPDX-License-Identifier: BSD-3-Clause
// Kernels by jobs: compiled once for all who ask, shared while anybody holds them, bounded when nobody does.
#include "general/kernel_jobs.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tessera/error.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using tessera::detail::compile_job;
using tessera::detail::compile_queue;
using tessera::detail::kernel_attempt;
using tessera::detail::kernel_jobs;
using tessera::device::kept_code;

namespace {

struct kernel_counts {
  std::atomic<int> alive = 0, compiled = 0;
};

struct counted_kernel {
  explicit counted_kernel(std::shared_ptr<kernel_counts> in) : counts(std::move(in)) { ++counts->alive; }
  counted_kernel(const counted_kernel&) = delete;
  ~counted_kernel() { --counts->alive; }
  std::shared_ptr<kernel_counts> counts;
};

struct kernel_cache {
  explicit kernel_cache(std::uint64_t most_bytes) : kept(most_bytes) {}

  kernel_attempt get(const std::string& key, bool wait = true) {
    const auto make = [counts = counts](compile_job::done_by) -> kept_code::made {
      ++counts->compiled;
      return {std::make_shared<const counted_kernel>(counts), 100};
    };
    return all.get(key, make, wait);
  }

  std::shared_ptr<kernel_counts> counts = std::make_shared<kernel_counts>();
  kept_code kept;
  compile_queue queue{1, 8};  // the process's own has threads that the child of a fork would lack
  kernel_jobs all{kept, [this](std::shared_ptr<compile_job> job) { return queue.add(std::move(job)); }};
};

bool ends(const compile_job& job) { return job.ends_within(std::chrono::seconds(60)); }

}  // namespace

TEST_CASE("kernel jobs: a kernel without a plan goes when there are too many", "[kernel_jobs]") {
  kernel_cache cache(250);
  for (const char* key : {"a", "b", "a", "c", "a"}) CHECK(cache.get(key).kernel != nullptr);
  CHECK(cache.counts->compiled == 3);  // a was the last one to be used when c came
  CHECK(cache.counts->alive == 2);
  CHECK(cache.kept.bytes() == 200);
  CHECK(cache.all.jobs() == 0);
  CHECK(cache.get("b").kernel != nullptr);
  CHECK(cache.counts->compiled == 4);
  CHECK(cache.kept.bytes() == 200);
}

TEST_CASE("kernel jobs: what a plan holds stays, and is the same for the next plan", "[kernel_jobs]") {
  kernel_cache cache(150);
  const std::shared_ptr<const void> first = cache.get("a").kernel;
  for (const char* key : {"b", "c", "d"}) cache.get(key);
  CHECK(cache.counts->alive == 2);  // a and d
  CHECK(cache.get("a").kernel == first);
  CHECK(cache.get("a", false).kernel == first);
  CHECK(cache.counts->compiled == 4);
}

TEST_CASE("kernel jobs: who does not wait holds the kernel once it is compiled", "[kernel_jobs]") {
  kernel_cache cache(150);
  std::atomic<bool> may_end = false, by_own_thread = false;
  const auto slow = [&, counts = cache.counts](compile_job::done_by who) -> kept_code::made {
    by_own_thread = who == compile_job::done_by::own_thread;
    for (int i = 0; i < 60000 && !may_end; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++counts->compiled;
    return {std::make_shared<const counted_kernel>(counts), 100};
  };
  kernel_attempt early = cache.all.get("a", slow, false);
  REQUIRE(early.behind != nullptr);
  CHECK(early.kernel == nullptr);
  CHECK(cache.all.get("a", slow, false).behind == early.behind);  // one job for both
  CHECK(cache.all.jobs() == 1);
  may_end = true;
  REQUIRE(ends(*early.behind));
  CHECK(by_own_thread);
  cache.get("b"), cache.get("c");
  CHECK(cache.counts->compiled == 3);
  const kernel_attempt later = cache.get("a", false);
  CHECK(later.kernel != nullptr);
  CHECK(later.behind == nullptr);
  CHECK(cache.counts->compiled == 3);
  early.behind.reset();
  // Until the thread has let its job go, too.
  for (int i = 0; i < 6000 && cache.all.jobs() != 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(cache.all.jobs() == 0);

  cache.queue.stop();
  const kernel_attempt none = cache.get("d", false);
  CHECK(none.why_not == "the process is ending");
  CHECK(none.kernel == nullptr);
  CHECK(cache.get("d").kernel != nullptr);  // who waits needs no thread
}

TEST_CASE("kernel jobs: a failure that would be repeated is kept, another one is not", "[kernel_jobs]") {
  kernel_cache cache(1000);
  int calls = 0;
  status code = status::out_of_memory;
  const auto fail = [&](compile_job::done_by) -> kept_code::made {
    ++calls;
    throw error("no kernel today", code);
  };
  for (int i = 1; i <= 2; ++i) {
    const kernel_attempt none = cache.all.get("a", fail, true);
    CHECK(none.kernel == nullptr);
    CHECK(none.why_not == "no kernel today");
    CHECK(calls == i);
  }
  code = status::no_target;
  for (const bool wait : {true, false}) {
    CHECK(cache.all.get("a", fail, wait).why_not == "no kernel today");
    CHECK(calls == 3);
  }
  CHECK(cache.kept.bytes() == std::string("a"
                                          "no kernel today")
                                  .size());
}

TEST_CASE("kernel jobs: texts of failures take room, too", "[kernel_jobs]") {
  kernel_cache cache(100);
  const auto fail = [](compile_job::done_by) -> kept_code::made { throw error("no tile fits", status::no_target); };
  for (int i = 0; i < 50; ++i) CHECK(cache.all.get(std::to_string(i), fail, true).why_not == "no tile fits");
  CHECK(cache.kept.bytes() <= 100);
  CHECK(cache.kept.count() == cache.kept.bytes() / std::string("49"
                                                               "no tile fits")
                                                       .size());
}

TEST_CASE("kernel jobs: threads that ask for one kernel get the same", "[kernel_jobs]") {
  kernel_cache cache(300);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&cache, &wrong, t] {
        for (int i = 0; i < 1000; ++i) {
          const std::string key = std::to_string((3 * t + i) % 7);
          const kernel_attempt one = cache.get(key), again = cache.get(key);
          if (one.kernel == nullptr || one.kernel != again.kernel) ++wrong;
        }
      });
  }
  CHECK(wrong == 0);
  cache.get("last");
  CHECK(cache.kept.bytes() <= 300);
  CHECK(cache.counts->alive == int(cache.kept.bytes() / 100));
  CHECK(cache.all.jobs() == 0);
}
