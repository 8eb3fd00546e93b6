// SPDX-License-Identifier: BSD-3-Clause
// The models beyond Sinkin's tables: known answers, fits that find what made their samples, and refused arguments.
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "models/energy.hpp"
#include "models/known_machines.hpp"
#include "models/product_model.hpp"
#include "models/roofline.hpp"
#include "models/scaling.hpp"
#include "models/throughput.hpp"
#include "models/transfer.hpp"
#include "models/two_site.hpp"
#include "testing/failure.hpp"

namespace models = tessera::bench::models;
using tessera::testing::check_failure;

namespace {

constexpr auto invalid = tessera::status::invalid_argument;
const double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("roofline: the longer of two times, and what to improve") {
  const models::roofline of{10e12, 2e12};  // ridge at 5
  CHECK(models::roofline_seconds(of, 1e12, 1e12) == 0.5);
  CHECK(models::is_by_bandwidth(of, 1e12, 1e12));
  CHECK(models::roofline_seconds(of, 20e12, 1e12) == 2);
  CHECK_FALSE(models::is_by_bandwidth(of, 20e12, 1e12));
  CHECK(models::roofline_efficiency(of, 1e12, 1e12, 1) == 0.5);
  CHECK(models::advice(of, 1e12, 1e12, 1) == models::next_step::memory_access);
  CHECK(models::advice(of, 20e12, 1e12, 4) == models::next_step::instruction_issue);
  CHECK(models::advice(of, 20e12, 1e12, 2.1) == models::next_step::nothing);
  check_failure(invalid, {"roofline", "peak", "0"}, [] { models::ridge_point({0, 1}); });
  check_failure(invalid, {"roofline", "bandwidth", "-1"}, [] { models::ridge_point({1, -1}); });
  check_failure(invalid, {"bytes", "nan"}, [&] { models::roofline_seconds(of, 1, no_number); });
  check_failure(invalid, {"time in seconds", "0"}, [&] { models::roofline_efficiency(of, 1, 1, 0); });
}

TEST_CASE("a kernel that became better in a run that did not: the serial part limits") {
  using models::next_step;
  CHECK(models::advice_after({0.2, 0.6, 10, 9.8}) == next_step::serial_part);
  CHECK(models::advice_after({0.2, 0.6, 10, 11}) == next_step::serial_part);
  CHECK(models::advice_after({0.2, 0.6, 10, 5}) == next_step::nothing);     // the run, too
  CHECK(models::advice_after({0.6, 0.62, 10, 9.8}) == next_step::nothing);  // hardly better
  CHECK(models::advice_after({0.6, 0.2, 10, 30}) == next_step::nothing);
  CHECK(models::advice_after({0.6, 0.62, 10, 9.8}, 0.03) == next_step::serial_part);
  CHECK(models::name_of(next_step::serial_part) == std::string("serial part"));
  // As Amdahl has it: a kernel that is 3 times as fast and 3 % of the run.
  const double speedup = models::amdahl_speedup(0.03, 3);
  CHECK(models::advice_after({0.2, 0.6, 10, 10 / speedup}) == next_step::serial_part);
  CHECK(models::advice_after({0.2, 0.6, 10, 10 / models::amdahl_speedup(0.5, 3)}) == next_step::nothing);
  check_failure(invalid, {"efficiency before", "0"}, [] { models::advice_after({0, 0.6, 10, 9}); });
  check_failure(invalid, {"time after in seconds", "0"}, [] { models::advice_after({0.2, 0.6, 10, 0}); });
}

TEST_CASE("occupancy of a multiprocessor with room for fewer threads") {
  const models::multiprocessor small = models::with_threads(1536);
  CHECK(small.warps == 48);
  CHECK(models::with_threads(2048).warps == models::multiprocessor{}.warps);
  CHECK(models::resident_blocks(40, 256, small) == 6);
  CHECK(models::occupancy(40, 256, small) == 1);
  CHECK(models::occupancy(40, 256) == 0.75);
  check_failure(invalid, {"threads of a multiprocessor", "0"}, [] { models::with_threads(0); });
}

TEST_CASE("sectors that a masked index reaches") {
  CHECK(models::masked_footprint(1024, 1, 4, 32) == 1024);
  CHECK(models::masked_footprint(1024, 8, 4, 32) == 1024);
  CHECK(models::masked_footprint(1024, 32, 4, 32) == 256);
  check_failure(invalid, {"stride", "bytes", "-1"}, [] { models::masked_footprint(-1, 1, 4, 32); });
}

TEST_CASE("largest_square is exact, at squares and beside them") {
  for (const long long k : {1LL, 2LL, 83LL, 40'824LL, 123'456'789LL}) {
    INFO(k);
    CHECK(models::largest_square(3 * k * k * 8, 8) == k);
    CHECK(models::largest_square(3 * k * k * 8 - 1, 8) == k - 1);
  }
  CHECK(models::largest_square(0, 4) == 0);
  CHECK(models::largest_square(std::numeric_limits<long long>::max(), 1) == 1'753'413'056);
  check_failure(invalid, {"capacity", "-5"}, [] { models::largest_square(-5, 8); });
  check_failure(invalid, {"entry", "0"}, [] { models::largest_square(5, 0); });
  check_failure(invalid, {"matrix product", "n is 0"}, [] { models::product_flops({1, 0, 1}); });
  check_failure(invalid, {"tile", "0"}, [] { models::padded({1, 1, 1}, 0); });
}

TEST_CASE("scaling laws at their ends, and refused") {
  CHECK(models::amdahl_speedup(1, 7) == 7);
  CHECK(models::amdahl_speedup(0, 7) == 1);
  CHECK(std::isinf(models::amdahl_limit(1)));
  CHECK(models::gustafson_speedup(0, 7) == 7);
  CHECK(models::gustafson_speedup(1, 7) == 1);
  CHECK(models::parallel_efficiency(3, 4) == 0.75);
  CHECK(models::parallel_fraction_of(0.5, 2) == -2);  // two workers at half the speed of one
  check_failure(invalid, {"parallel fraction", "1.5"}, [] { models::amdahl_speedup(1.5, 2); });
  check_failure(invalid, {"workers", "0"}, [] { models::gustafson_speedup(0.5, 0); });
  check_failure(invalid, {"workers", "more than 1"}, [] { models::parallel_fraction_of(1, 1); });
}

TEST_CASE("Hockney: a fit finds the line that made its samples, also with noise, and never a negative part") {
  const auto line = [](double bytes) { return 3e-6 + bytes / 2e12; };
  std::vector<models::transfer_sample> exact, noisy;
  for (double bytes = 1024; bytes < 4e9; bytes *= 4) {
    exact.push_back({bytes, line(bytes)});
    noisy.push_back({bytes, line(bytes) * (noisy.size() % 2 ? 1.02 : 0.98)});
  }
  for (const auto of : {models::residual::relative, models::residual::absolute}) {
    const models::transfer_line fitted = models::fit_transfers(exact, of);
    CHECK(fitted.latency == Approx(3e-6).epsilon(1e-6));
    CHECK(fitted.bandwidth == Approx(2e12).epsilon(1e-6));
    CHECK(fitted.worst_fit < 1e-6);
  }
  const models::transfer_line fitted = models::fit_transfers(noisy);
  CHECK(fitted.latency == Approx(3e-6).epsilon(0.03));
  CHECK(fitted.bandwidth == Approx(2e12).epsilon(0.03));
  CHECK(fitted.worst_fit < 0.04);
  // In seconds the latency is lost in the noise of the largest ones: that is why relative is the default.
  CHECK(models::fit_transfers(noisy, models::residual::absolute).worst_fit > 0.1);

  CHECK(models::transfer_seconds({1e-6, 1e9}, 10, 1e6) == Approx(1e-5 + 1e-3));
  CHECK(models::half_performance_bytes({1e-6, 1e9}) == Approx(1000));
  const models::transfer_line flat = models::fit_transfers({{1, 2.0}, {10, 1.0}});
  CHECK((std::isinf(flat.bandwidth) && flat.latency > 0));
  const models::transfer_line steep = models::fit_transfers({{1, 1.0}, {2, 4.0}, {3, 9.0}}, models::residual::absolute);
  CHECK((steep.latency == 0 && steep.bandwidth == Approx(14.0 / 36)));

  check_failure(invalid, {"two different numbers of bytes"}, [] { models::fit_transfers({{5, 1}, {5, 2}}); });
  check_failure(invalid, {"two different numbers of bytes"}, [] { models::fit_transfers({}); });
  check_failure(invalid, {"time of a sample", "0"}, [] { models::fit_transfers({{5, 0}, {6, 2}}); });
  check_failure(invalid, {"bandwidth", "0"}, [] { models::transfer_seconds({1, 0}, 1, 1); });
}

TEST_CASE("Hockney: the penalty of paths over further segments, as Sinkin's for one and two of them") {
  const double tau = 0.5e-6, volume = 1e9, count = 100;
  const models::transfer_line local{.latency = 8e-6, .bandwidth = 25e9},
      socket{.latency = local.latency + tau, .bandwidth = 22e9},
      across{.latency = local.latency + 2 * tau, .bandwidth = 18e9};
  CHECK(models::transfer_penalty(local, socket, count, volume) == Approx(count * tau + volume * (1 / 22e9 - 1 / 25e9)));
  CHECK(models::transfer_penalty(local, across, count, volume) ==
        Approx(2 * count * tau + volume * (1 / 18e9 - 1 / 25e9)));
  CHECK(models::transfer_penalty(local, local, count, volume) == 0);
}

TEST_CASE("energy: the trapezoidal rule is exact for power that is linear between samples") {
  CHECK(models::integrated_energy({{0, 100}, {1, 200}, {3, 0}, {3, 50}, {4, 50}}) == 150 + 200 + 0 + 50);
  std::vector<models::power_sample> ramp;
  for (int i = 0; i <= 10; ++i) ramp.push_back({0.25 * i * i, 3 + 2 * 0.25 * i * i});
  CHECK(models::integrated_energy(ramp) == Approx(3 * 25 + 25 * 25));
  check_failure(invalid, {"at least two samples"}, [] { models::integrated_energy({{0, 1}}); });
  check_failure(invalid, {"time between two samples", "-1"}, [] { models::integrated_energy({{1, 1}, {0, 1}}); });
  check_failure(invalid, {"power", "-3"}, [] { models::integrated_energy({{1, 1}, {2, -3}}); });
}

TEST_CASE("energy: figures of a run") {
  const models::energy_figures f = models::figures_of({.seconds = 2, .joules = 500, .flops = 1e13, .bytes = 4e12});
  CHECK(f.watts == 250);
  CHECK(f.flops_per_joule == 2e10);
  CHECK(f.bytes_per_joule == 8e9);
  // Sinkin lists throughput per watt, (1 / T) / (E / T), beside these; it is 1 / E and says nothing about time.
  CHECK(f.runs_per_joule == (1 / 2.0) / f.watts);
  CHECK(f.energy_delay == 1000);
  CHECK(f.energy_delay_2 == 2000);
  check_failure(invalid, {"energy in joules", "0"}, [] { models::figures_of({1, 0, 1, 1}); });
}

TEST_CASE("energy: a fit finds base power and the energy of a flop and of a byte, or says that it cannot") {
  const models::energy_model made{.base_watts = 120, .joules_per_flop = 8e-12, .joules_per_byte = 40e-12};
  std::vector<models::energy_run> runs;
  for (const auto& [t, f, q] : {std::array{1.0, 3e13, 1e11}, {1.0, 1e11, 4e12}, {2.0, 0.0, 0.0}, {0.5, 1e13, 1e12}})
    runs.push_back({t, models::predicted_joules(made, t, f, q), f, q});
  const auto fitted = models::fit_energy(runs);
  REQUIRE(fitted);
  CHECK(fitted->base_watts == Approx(120));
  CHECK(fitted->joules_per_flop == Approx(8e-12));
  CHECK(fitted->joules_per_byte == Approx(40e-12));
  CHECK(fitted->worst_fit < 1e-9);
  // Runs that only differ in length.
  CHECK_FALSE(models::fit_energy({{1, 100, 1e12, 1e12}, {2, 200, 2e12, 2e12}, {3, 300, 3e12, 3e12}}));
  // No bytes at all.
  CHECK_FALSE(models::fit_energy({{1, 100, 1e12, 0}, {2, 250, 3e12, 0}, {3, 300, 3e12, 0}}));
  check_failure(invalid, {"three runs"}, [] { models::fit_energy({{1, 1, 1, 1}}); });
}

TEST_CASE("strides, occupancy and issue") {
  CHECK(models::stride_traffic(1, 4, 32) == 1);
  CHECK(models::stride_traffic(4, 4, 32) == 4);
  CHECK(models::stride_traffic(64, 4, 32) == 8);
  CHECK(models::stride_traffic(64, 8, 32) == 4);
  CHECK(models::stride_traffic(3, 64, 32) == 1);
  CHECK(models::resident_blocks(255, 128) == 2);  // 8160 registers a warp, rounded to 8192: 2 warps a scheduler
  CHECK(models::resident_blocks(16, 32) == 32);   // limited by blocks
  CHECK(models::resident_blocks(40, 1024) == 1);  // one block of 32 warps; 12 warps a scheduler would fit
  CHECK(models::issue_fraction(2, 1, 4) == 0.5);
  CHECK(models::issue_fraction(2, 4, 4) == 1);
  check_failure(invalid, {"stride", "0"}, [] { models::stride_traffic(0, 4, 32); });
  check_failure(invalid, {"registers", "256"}, [] { models::resident_blocks(256, 128); });
  check_failure(invalid, {"threads of a block", "2048"}, [] { models::occupancy(32, 2048); });
  check_failure(invalid, {"latency", "0"}, [] { models::issue_fraction(1, 1, 0); });
  check_failure(invalid, {"--machine", "'v100'", "measured", "a100-40gb, a100-80gb, h100-sxm5, h200"},
                [] { models::machine_called("v100"); });
  CHECK(models::ridge_point({models::machine_called("h200").peak_f64, models::machine_called("h200").bandwidth}) ==
        Approx(33.5 / 4.8));
  check_failure(invalid, {"two-site", "bond", "0"}, [] { models::direct_terms({1, 4, 0}); });
}
