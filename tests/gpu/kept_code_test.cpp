// SPDX-License-Identifier: BSD-3-Clause
// What a process keeps of its kernels: bounded, without taking anything from those who hold it.
#include <tessera/gpu/detail/kept_code.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "testing/catch.hpp"

using tessera::device::kept_code;

namespace {

// Counts those that are alive.
struct kept_value {
  std::atomic<int>& alive;
  explicit kept_value(std::atomic<int>& count) : alive(count) { ++alive; }
  kept_value(const kept_value&) = delete;
  ~kept_value() { --alive; }
};

struct value_maker {
  std::atomic<int> alive{0}, calls{0};
  kept_code::made operator()(std::uint64_t bytes) {
    ++calls;
    return {std::make_shared<const kept_value>(alive), bytes};
  }
};

}  // namespace

TEST_CASE("kernels that nobody holds are dropped, the least recently used first", "[cache]") {
  value_maker make;
  kept_code all(300);
  const auto get = [&](const char* key) { return all.get(key, [&] { return make(100); }); };
  get("a"), get("b"), get("c");
  CHECK(make.alive == 3);
  get("a");
  CHECK(make.calls == 3);
  get("d");  // instead of b
  CHECK(make.alive == 3);
  CHECK(all.bytes() == 300);
  get("a"), get("c"), get("d");
  CHECK(make.calls == 4);
  get("b");
  CHECK(make.calls == 5);
  CHECK(all.count() == 3);
}

TEST_CASE("kernels that a plan holds stay, even if they are more than the bound", "[cache]") {
  value_maker make;
  kept_code all(250);
  std::vector<std::shared_ptr<const void>> held;
  for (const char* key : {"a", "b", "c", "d"}) held.push_back(all.get(key, [&] { return make(100); }));
  CHECK(make.alive == 4);
  CHECK(all.bytes() == 400);
  CHECK(all.get("b", [&] { return make(100); }) == held[1]);
  held.erase(held.begin(), held.begin() + 3);  // only d is held
  all.get("e", [&] { return make(100); });
  CHECK(all.bytes() == 200);
  CHECK(make.alive == 2);
  CHECK(all.get("d", [&] { return make(100); }) == held[0]);
  // One that is larger than the bound is given, and goes with the next.
  all.get("large", [&] { return make(1000); });
  held.clear();
  all.get("f", [&] { return make(100); });
  CHECK(all.bytes() == 100);
  CHECK(make.alive == 1);
}

TEST_CASE("what cannot be made is tried again", "[cache]") {
  value_maker make;
  kept_code all(1000);
  const auto fail = []() -> kept_code::made { throw std::runtime_error("no"); };
  CHECK_THROWS_AS(all.get("a", fail), std::runtime_error);
  CHECK_THROWS_AS(all.get("a", fail), std::runtime_error);
  CHECK(all.get("a", [&] { return make(1); }) != nullptr);
}

TEST_CASE("threads that ask for one kernel get the same, made once", "[cache]") {
  value_maker make;
  kept_code all(500);
  std::atomic<int> wrong{0};
  const auto work = [&](int number) {
    for (int i = 0; i < 2000; ++i) {
      const std::string key = std::to_string((number * 3 + i) % 11);
      const auto one = all.get(key, [&] { return make(100); });
      const auto again = all.get(key, [&] { return make(100); });  // the first is held: it stays
      if (one != again) ++wrong;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(work, t);
  }
  CHECK(wrong == 0);
  all.get("last", [&] { return make(100); });
  CHECK(all.bytes() <= 500);
  CHECK(make.alive == int(all.bytes() / 100));
}
