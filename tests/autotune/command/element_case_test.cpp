// SPDX-License-Identifier: BSD-3-Clause
// An element operator from its space to a record, on a device whose times are made up.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "command/tune_case.hpp"
#include "space/element_space.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

// Seconds of an element: D through shared memory is good, so are many elements; along z is bad; one way is wrong.
double seconds_of(const element_tuning& t) {
  return 1e-9 * (1 + (t.staged ? 0 : 0.5) + 1.0 / t.elements + (t.last == 2 ? 0.3 : 0) + 1e-4 * t.pitch_element);
}
bool is_wrong(const element_tuning& t) { return t.direct && !t.staged; }

class made_up_times final : public evaluator {
 public:
  explicit made_up_times(std::vector<config> all) : all_(std::move(all)) {}
  std::vector<sample> round(const std::vector<int>& candidates) override {
    std::vector<sample> samples;
    for (const int c : candidates) {
      const element_tuning t = as_element_tuning(all_.at(std::size_t(c)));
      samples.push_back(is_wrong(t) ? sample{outcome::wrong, 0, "made up"} : sample{outcome::ok, seconds_of(t), ""});
    }
    return samples;
  }

 private:
  std::vector<config> all_;
};

class made_up_device final : public tuned_device {
 public:
  made_up_device() {
    facts_.device = "made up";
    facts_.target = "cuda";
    limits_.bandwidth_stream = 1e12;
    gemm_ = gemm_family(target::cuda);
  }
  void warm_up(const std::vector<tuning_case>&, const std::vector<std::vector<config>>&) override {}
  std::unique_ptr<evaluator> evaluator_for(const tuning_case&, const std::vector<config>& configs) override {
    return std::make_unique<made_up_times>(configs);
  }
};

struct journal_file {
  std::string path =
      (std::filesystem::temp_directory_path() / ("tessera_element_" + std::to_string(getpid()) + ".journal")).string();
  ~journal_file() { std::remove(path.c_str()); }
};

}  // namespace

TEST_CASE("an element operator is tuned to a record", "[tune][element]") {
  const journal_file file;
  made_up_device device;
  journal memory(file.path, {"made up", "", {}});
  const tuning_case c{.on = target::cuda,
                      .in = memory_regime::stream,
                      .element = element_case{.kind = operator_kind::diffusion, .dim = 3, .p = 2, .q = 4}};
  const space s = searched_space(device, c, 64);
  CHECK(s.candidates.size() == 64);
  for (const char* how : {"elimination", "random", "exhaustive"}) {
    search_options search;
    search.share = 0.5;
    const tuned_case t = tune_case(device, s, strategy_named(how), search, memory);
    INFO(how);
    REQUIRE(t.has_winner);
    const record& r = t.found;
    CHECK(r.of == c);
    CHECK(r.strategy == how);
    CHECK((t.failed > 0 && t.failure.find("made up") != std::string::npos));
    const element_tuning winner = as_element_tuning(r.winner), by_rule = as_element_tuning(s.candidates[0]);
    CHECK_FALSE(is_wrong(winner));
    CHECK(r.seconds == Approx(seconds_of(winner)));
    CHECK(r.initial_seconds == Approx(seconds_of(by_rule)));
    CHECK(r.seconds <= r.initial_seconds);
    // Two times 27 numbers of x and y, six times 64 of D.
    CHECK(r.fraction == Approx((2 * 27 + 6 * 64) * 8 / 1e12 / r.seconds));
  }
  CHECK(device.facts_of("element").source_hash != device.facts_of("gemm").source_hash);
  CHECK(file_name_for(device.facts_of("element")) == "made_up-cuda-element.json");
}
