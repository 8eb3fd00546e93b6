// SPDX-License-Identifier: BSD-3-Clause
// A product from its space to a record, on a device whose times are made up: its gain is over what runs today.
#include <tessera/detail/choose.hpp>

#include "command/progress.hpp"
#include "command/tune_case.hpp"
#include "space/as_config.hpp"
#include "testing/catch.hpp"
#include "testing/scratch.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

// Candidates by number: one is the fastest, all others take as long as the default.
struct made_up_products {
  int fastest = 0;
  int failing = -1;
};

class times_of_products final : public evaluator {
 public:
  explicit times_of_products(const made_up_products& how) : how_(how) {}
  std::vector<sample> round(const std::vector<int>& candidates) override {
    std::vector<sample> samples;
    for (const int c : candidates)
      samples.push_back(c == how_.failing ? sample{outcome::wrong, 0, "made up"}
                                          : sample{outcome::ok, c == how_.fastest ? 1e-9 : 2e-9, ""});
    return samples;
  }

 private:
  const made_up_products& how_;
};

class device_of_products final : public tuned_device {
 public:
  explicit device_of_products(const made_up_products& how) : how_(how) {
    facts_.device = "made up";
    facts_.target = "avx2";
    limits_.bandwidth_cache = limits_.bandwidth_stream = 1e11;
    limits_.flops_f64 = limits_.flops_f32 = 1e11;
    gemm_ = gemm_family(target::avx2);
  }
  machine_limits next_limits;  // of the measurements that follow
  int measured_again = 0;

  void warm_up(const std::vector<tuning_case>&, const std::vector<std::vector<config>>&) override {}
  std::unique_ptr<evaluator> evaluator_for(const tuning_case&, const std::vector<config>&) override {
    return std::make_unique<times_of_products>(how_);
  }

 private:
  machine_limits measured_limits() override {
    ++measured_again;
    return next_limits;
  }
  const made_up_products& how_;
};

tuning_case product_of(index_t n) { return {target::avx2, scalar_type::f64, memory_regime::cache, n, n, n}; }

// As the program does, with a journal that is left nowhere.
tuned_case tuned(tuned_device& device, const space& s) {
  const tessera::testing::scratch_folder folder;
  journal memory(folder / "journal", {"made up", "", {}});
  return tune_case(device, s, strategy_named("exhaustive"), {}, memory);
}

// A size without a row in this build.
constexpr index_t unknown_size = 23;
static_assert(choose({.where = target::avx2, .m = unknown_size, .n = unknown_size + 1, .k = unknown_size}).record ==
              choice::generic);

}  // namespace

TEST_CASE("what runs today is a candidate of every size that has a row", "[tune]") {
  made_up_products how;
  const device_of_products device(how);
  int others = 0;
  for (index_t n = 1; n <= 16; ++n)
    for (const scalar_type type : {scalar_type::f64, scalar_type::f32})
      for (const memory_regime in : {memory_regime::cache, memory_regime::stream}) {
        tuning_case c = product_of(n);
        c.type = type, c.in = in;
        const space s = searched_space(device, c, 8);
        INFO(key_of(c));
        REQUIRE((s.present >= 0 && s.present < int(s.candidates.size())));
        CHECK(s.candidates.size() == s.predicted.size());
        CHECK(std::ranges::count(s.candidates, s.candidates[std::size_t(s.present)]) == 1);
        CHECK(std::ranges::count(likely_configs(s, {}), s.candidates[std::size_t(s.present)]) == 1);
        others += s.present != s.initial;
      }
  CHECK(others > 0);
}

TEST_CASE("a product's gain is over what runs today, its record's over the default", "[tune]") {
  made_up_products how;
  device_of_products device(how);
  // A size whose row is not the default.
  space s;
  for (index_t n = 3; n <= 16 && s.present <= s.initial; ++n) s = searched_space(device, product_of(n), 8);
  REQUIRE(s.present > s.initial);

  how.fastest = s.present;
  tuned_case t = tuned(device, s);
  REQUIRE(t.has_winner);
  CHECK(t.found.winner == s.candidates[std::size_t(s.present)]);
  CHECK(t.found.initial_seconds / t.found.seconds == Approx(2));
  CHECK(t.timings.present == present_row::runs);
  CHECK(t.timings.present_seconds / t.found.seconds == Approx(1));

  how.fastest = s.present == 1 ? 2 : 1;
  t = tuned(device, s);
  REQUIRE(t.has_winner);
  CHECK(t.found.winner == s.candidates[std::size_t(how.fastest)]);
  CHECK(t.timings.present_seconds / t.found.seconds == Approx(2));

  how.failing = s.present;
  t = tuned(device, s);
  CHECK((t.has_winner && t.timings.present == present_row::fails));
}

TEST_CASE("a size without a row has no gain", "[tune]") {
  made_up_products how{.fastest = 1};
  device_of_products device(how);
  tuning_case c = product_of(unknown_size);
  c.n = unknown_size + 1;
  const space s = searched_space(device, c, 8);
  CHECK(s.present == -1);
  const tuned_case t = tuned(device, s);
  REQUIRE(t.has_winner);
  CHECK(t.found.winner == s.candidates[1]);
  CHECK(t.timings.present == present_row::none);
  CHECK(t.found.initial_seconds / t.found.seconds == Approx(2));
}

TEST_CASE("a fraction that is not believed has the limits measured again; one that stays is suspect", "[tune]") {
  made_up_products how{.fastest = 1};
  device_of_products device(how);
  // 1 ns, where these bandwidths take 18 ns.
  tuning_case c = product_of(8);
  c.in = memory_regime::stream;
  const space s = searched_space(device, c, 8);
  tuned_case t = tuned(device, s);
  REQUIRE(t.has_winner);
  CHECK(t.timings.suspect);
  CHECK(t.found.fraction > 10);
  CHECK(device.measured_again == 2);
  record_file found;
  found.records = {t.found};
  recording timings;
  timings.spaces = {t.timings};
  CHECK(judge(device, found, timings) == 1);

  device.next_limits = {.bandwidth_stream = 2e12, .flops_f64 = 2e12};
  t = tuned(device, s);
  CHECK_FALSE(t.timings.suspect);
  CHECK(device.measured_again == 3);
  CHECK(t.found.fraction < 1.2);
  CHECK(device.limits().bandwidth_cache == 1e11);
  // So is the case before, by what is known now.
  CHECK(judge(device, found, timings) == 0);
  CHECK(found.records[0].fraction == Approx(t.found.fraction));
  CHECK_FALSE(timings.spaces[0].suspect);

  // The best of all measurements stays.
  device.next_limits = {};
  t = tuned(device, s);
  CHECK((!t.timings.suspect && device.measured_again == 3));
}

TEST_CASE("what is believed of a fraction depends on what bounds, as in tessera-bench", "[tune]") {
  made_up_products how;
  device_of_products device(how);
  tuning_case c = product_of(2);
  CHECK(std::string(device.bound(c).by) == "bandwidth");
  CHECK(device.bound(c).most_fraction() == Approx(bench::largest_fraction * bench::honest_in_cache));
  c.in = memory_regime::stream;
  CHECK(device.bound(c).most_fraction() == Approx(bench::largest_fraction));
  // 2 n^3 flops beside at most 4 n^2 doubles.
  c = product_of(32);
  CHECK(std::string(device.bound(c).by) == "flops");
  CHECK(device.bound(c).most_fraction() == Approx(bench::largest_fraction));
  // In double, on tensor cores.
  c.on = target::cuda;
  CHECK(device.bound(c).most_fraction() == Approx(2 * bench::largest_fraction));
  c.type = scalar_type::f32;
  CHECK(device.bound(c).most_fraction() == Approx(bench::largest_fraction));
}
