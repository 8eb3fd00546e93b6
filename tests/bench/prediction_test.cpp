// SPDX-License-Identifier: BSD-3-Clause
// Predictions by levels of memory: which level, which bound, and what the file has of them.
#include "prediction.hpp"

#include <cmath>
#include <limits>

#include "measure/machine.hpp"
#include "testing/failure.hpp"

namespace bench = tessera::bench;
using bench::memory_level;
using bench::memory_model;
using bench::prediction;

namespace {

memory_model two_levels() {
  return memory_model({{"cache", 1000, {}, {.latency = 1, .bandwidth = 100}},
                       {.name = "memory", .line = {.latency = 2, .bandwidth = 10}}});
}

}  // namespace

TEST_CASE("prediction: data is in the smallest level that holds it") {
  memory_model model = two_levels();
  CHECK(model.level_for(1000).name == "cache");
  CHECK(model.level_for(1001).name == "memory");
  const nlohmann::json levels = model.to_json();
  REQUIRE(levels.size() == 2);
  CHECK(levels[0]["capacity"] == 1000);
  CHECK(levels[1]["capacity"].is_null());
  CHECK(levels[1]["bandwidth"] == 10);
  memory_model small({{"cache", 1000, {}, {.latency = 1, .bandwidth = 100}}});
  tessera::testing::check_failure(tessera::status::invalid_argument, {"memory model", "1001 bytes"},
                                  [&] { small.level_for(1001); });
}

TEST_CASE("prediction: latency and the longer of two times") {
  memory_model model = two_levels();
  const memory_level& cache = model.level_for(500);
  const prediction moved = bench::predict(cache, 50, 100, 500);
  CHECK(moved.seconds == 1 + 5);
  CHECK(std::string(moved.by) == "bandwidth");
  CHECK(moved.level == "cache");
  const prediction computed = bench::predict(cache, 50, 1000, 500);
  CHECK(computed.seconds == 1 + 20);
  CHECK(std::string(computed.by) == "flops");
  // Without a peak flops are no bound; a thousand launches bring their own latency.
  CHECK(bench::predict(cache, std::numeric_limits<double>::quiet_NaN(), 1000, 500).seconds == 6);
  CHECK(bench::predict(cache, 0, 1000, 500).seconds == 6);
  CHECK(bench::predict(cache, 50, 1000, 500, 300).seconds == 320);
}

TEST_CASE("prediction: the file has how it compares, and what to improve") {
  memory_model model = two_levels();
  const prediction p = bench::predict(model.level_for(500), 50, 100, 500);
  const nlohmann::json slow = to_json(p, 100, 500, 12);
  CHECK(slow["over_measured"] == 0.5);
  CHECK(slow["intensity"] == 0.2);
  CHECK(slow["ridge"] == 0.5);
  CHECK(slow["improve"] == "memory access");
  CHECK(to_json(p, 100, 500, 6)["improve"] == "nothing");
  CHECK(to_json(bench::predict(model.level_for(500), 50, 1000, 500), 1000, 500, 60)["improve"] == "instruction issue");
  CHECK(to_json(bench::predict(model.level_for(500), 50, 100, 500, 6), 100, 500, 20)["improve"] == "launches");
  const nlohmann::json unbound = to_json(bench::predict(model.level_for(500), 0, 100, 500), 100, 500, 6);
  CHECK(unbound["peak"].is_null());
  CHECK(unbound["ridge"].is_null());
  CHECK(unbound["improve"].is_null());
}

TEST_CASE("prediction: the line of a level has a finite bandwidth, also where larger copies took less time") {
  const auto fitted = bench::line_through({{100, 2}, {300, 4}});
  CHECK(fitted.latency == Approx(1));
  CHECK(fitted.bandwidth == Approx(100));
  const auto disturbed = bench::line_through({{100, 9}, {400, 8}, {200, 9}});
  CHECK(disturbed.latency == 0);
  CHECK(disturbed.bandwidth == 50);
  CHECK(disturbed.worst_fit == Approx(1 - 2.0 / 9));
}

TEST_CASE("prediction: times that leave no latency are taken again, and none that is left is said") {
  const std::vector<double> sizes{100, 200, 400};
  int calls = 0;
  const auto busy_at_first = [&](double bytes) { return ++calls <= 3 ? bytes / 50 * bytes : 1 + bytes / 100; };
  const auto line = bench::line_of_copies(sizes, busy_at_first);
  CHECK(calls == 6);
  CHECK(line.latency == Approx(1));
  CHECK(line.bandwidth == Approx(100));
  calls = 0;
  const auto quiet = [&](double bytes) { return ++calls, 2 + bytes / 10; };
  CHECK(bench::line_of_copies(sizes, quiet).latency == Approx(2));
  CHECK(calls == 3);
  calls = 0;
  const auto always_busy = [&](double bytes) { return ++calls, bytes * bytes; };
  CHECK(bench::line_of_copies(sizes, always_busy).latency == 0);
  CHECK(calls == 9);
  CHECK(bench::latency_text(0) == "not seen");
  CHECK(bench::latency_text(1.5e-6) == "1.50 us");
  const memory_model unseen({{"cache", 1000, {}, {.latency = 0, .bandwidth = 100}}});
  CHECK(unseen.to_json()[0]["latency"].is_null());
}

TEST_CASE("prediction: levels of this machine are measured when they are needed") {
  memory_model model(tessera::space_kind::cpu, 1);
  CHECK(model.to_json().empty());
  const memory_level& first = model.level_for(8);
  CHECK(first.name == "L1");
  CHECK(first.capacity == double(bench::this_machine().l1_bytes));
  CHECK(first.line.bandwidth > 1e8);
  CHECK(first.line.latency < 1e-3);
  CHECK(model.to_json().size() == 1);
}
