// SPDX-License-Identifier: BSD-3-Clause
// An element operator from its space to a record, on a device whose times are made up.
#include "command/progress.hpp"
#include "command/tune_case.hpp"
#include "space/as_config.hpp"
#include "space/element_run_space.hpp"
#include "space/element_space.hpp"
#include "space/matrix_space.hpp"
#include "testing/catch.hpp"
#include "testing/scratch.hpp"

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

// Evaluator: made_up_times or made_up_matrices.
template <class Evaluator>
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
    return std::make_unique<Evaluator>(configs);
  }
};

}  // namespace

TEST_CASE("an element operator is tuned to a record", "[tune][element]") {
  const tessera::testing::scratch_folder folder;
  made_up_device<made_up_times> device;
  journal memory(folder / "journal", {"made up", "", {}});
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

namespace {

// Halves are fast, the fewer threads the better; others take four times as long.
double seconds_of(const matrix_tuning& t) {
  return 1e-6 * (t.way == matrix_way::halves ? 1 : 4) * (1 + 1e-2 * t.threads);
}

class made_up_matrices final : public evaluator {
 public:
  explicit made_up_matrices(std::vector<config> all) : all_(std::move(all)) {}
  std::vector<sample> round(const std::vector<int>& candidates) override {
    std::vector<sample> samples;
    for (const int c : candidates)
      samples.push_back({outcome::ok, seconds_of(as_tuning<matrix_tuning>(all_.at(std::size_t(c)))), ""});
    return samples;
  }

 private:
  std::vector<config> all_;
};

}  // namespace

TEST_CASE("element matrices are tuned to a record, and each way has its time", "[tune][element]") {
  const testing::scratch_folder folder;
  made_up_device<made_up_matrices> device;
  journal memory(folder / "journal", {"made up", "", {}});
  const tuning_case c{
      .on = target::cuda,
      .in = memory_regime::stream,
      .element =
          element_case{.kind = operator_kind::diffusion, .dim = 3, .p = 5, .q = 7, .matrices = matrix_storage::full}};
  const space s = searched_space(device, c, 24);
  CHECK(as_tuning<matrix_tuning>(s.candidates[std::size_t(s.present)]).way == matrix_way::halves);
  const tuned_case t = tune_case(device, s, strategy_named("exhaustive"), {}, memory);
  REQUIRE(t.has_winner);
  const matrix_tuning winner = as_tuning<matrix_tuning>(t.found.winner);
  CHECK((t.found.of == c && winner.way == matrix_way::halves));
  for (const config& one : s.candidates) CHECK(t.found.seconds <= seconds_of(as_tuning<matrix_tuning>(one)) * 1.0001);
  CHECK(t.found.initial_seconds == Approx(seconds_of(as_tuning<matrix_tuning>(s.candidates[0]))));
  CHECK(t.found.fraction == Approx((46656 + 6 * 343) * 8 / 1e12 / t.found.seconds));
  CHECK(file_name_for(device.facts_of("matrix")) == "made_up-cuda-matrix.json");
  CHECK(device.facts_of("matrix").source_hash == matrix_source_hash());
  CHECK(&device.family_of(c) == &matrix_family());
  recording timings;
  timings.spaces.push_back(t.timings);
  const std::string text = ways_text(timings);
  INFO(text);
  CHECK(text.find("distinct") != std::string::npos);
  CHECK(text.find("     1.000 ") != std::string::npos);
}

namespace {

// The rule is candidate 0, and one other is 5 % faster; from its `noisy_from`th sample on it is once faster, once
// slower.
struct made_up_runs {
  long noisy_from;
  long samples_of_best = 0;
};

class times_of_runs final : public evaluator {
 public:
  times_of_runs(std::vector<config> all, made_up_runs& how) : all_(std::move(all)), how_(how) {}
  std::vector<sample> round(const std::vector<int>& candidates) override {
    std::vector<sample> samples;
    for (const int c : candidates) {
      const bool best = as_tuning<element_run>(all_.at(std::size_t(c))) == element_run{16, 1, 1};
      samples.push_back({outcome::ok, best ? 1e-9 : c == 0 ? 1.05e-9 : 2e-9, ""});
      if (best && ++how_.samples_of_best > how_.noisy_from && how_.samples_of_best % 3 == 0)
        samples.back().seconds *= 1.2;
    }
    return samples;
  }

 private:
  std::vector<config> all_;
  made_up_runs& how_;
};

class device_of_runs final : public tuned_device {
 public:
  explicit device_of_runs(made_up_runs& how) : how_(how) {
    facts_.device = "made up";
    facts_.target = "avx2";
    limits_.bandwidth_stream = 1e10;
    limits_.bandwidth_cache = 1e11;
    gemm_ = gemm_family(target::avx2);
  }
  void warm_up(const std::vector<tuning_case>&, const std::vector<std::vector<config>>&) override {}
  std::unique_ptr<evaluator> evaluator_for(const tuning_case&, const std::vector<config>& configs) override {
    return std::make_unique<times_of_runs>(configs, how_);
  }

 private:
  made_up_runs& how_;
};

}  // namespace

TEST_CASE("how a CPU goes over elements is tuned, and the rule stays where nothing is apart from it",
          "[tune][element]") {
  // No shipped record has so many points: the present way is the rule's.
  const tuning_case c{.on = target::avx2,
                      .in = memory_regime::stream,
                      .element = element_case{.kind = operator_kind::mass, .dim = 3, .p = 2, .q = 12}};
  constexpr int rounds_at_the_end = 15;
  made_up_runs how{.noisy_from = 1000};
  for (const bool unsure : {false, true}) {
    // Noisy against the rule alone, in the end.
    if (unsure) how = {.noisy_from = how.samples_of_best - rounds_at_the_end};
    const tessera::testing::scratch_folder folder;
    device_of_runs device(how);
    journal memory(folder / "journal", {"made up", "", {}});
    const space s = searched_space(device, c, 96);
    CHECK(s.candidates.size() == 62);
    const tuned_case t = tune_case(device, s, strategy_named("exhaustive"), {}, memory);
    REQUIRE(t.has_winner);
    const record& r = t.found;
    INFO((unsure ? "unsure" : "sure"));
    CHECK((r.of == c && r.tried == 62));
    CHECK(as_tuning<element_run>(r.winner) ==
          (unsure ? ruled_element_run(run_facts_of(c), c.on, c.in) : element_run{16, 1, 1}));
    CHECK(r.tie == unsure);
    CHECK(r.initial_seconds / r.seconds == Approx(unsure ? 1 : 1.05));
  }
  const device_of_runs device(how);
  const record_file facts = device.facts_of("element");
  CHECK(facts.source_hash != device.facts_of("gemm").source_hash);
  CHECK(facts.flags.find("rows ") != std::string::npos);
  CHECK(file_name_for(facts) == "made_up-avx2-element.json");
  CHECK(&device.family_of(c) == &element_run_family());
}
