// SPDX-License-Identifier: BSD-3-Clause
// Tests the GPU's evaluator on a GPU: good candidates get times, and each kind of bad one costs only itself.
#include "work/gpu_evaluator.hpp"

#include <tessera/detail/jit.hpp>
#include <tessera/device_facts.hpp>

#include "arranged_candidates.hpp"
#include "space/as_config.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;

namespace {

bool can_run_gpu() {
  if (is_available(target::cuda) && why_no_jit().empty()) return true;
  tessera::testing::skip("no GPU, or no NVRTC");
  return false;
}

gpu_settings settings_on(const temporary_folder& folder) {
  gpu_settings s;
  s.cache = folder.path().string();
  s.architecture = compute_capability(target::cuda);
  return s;
}

config of(const gpu_gemm_tuning& t) { return as_config(t); }

}  // namespace

TEST_CASE("GPU candidates: good ones are timed, each bad one has its reason and costs only itself", "[tune][gpu]") {
  if (!can_run_gpu()) return;
  const temporary_folder folder;
  gpu_worker worker(default_worker_program());
  const std::vector<config> configs{of({32, 160, 1, 1}), of({.tile_rows = 0}),  // divides by zero while it is compiled
                                    of({8192, 128, 4, 4}),                      // three megabytes of shared memory
                                    of({32, 64, 2, 2}), of({1, 32, 1, 1, 1})};
  const tuning_case fours{target::cuda, scalar_type::f64, memory_regime::cache, 4, 4, 4};
  gpu_evaluator evaluator(fours, configs, worker, settings_on(folder));
  for (int round = 0; round < 2; ++round) {
    const std::vector<sample> samples = evaluator.round({0, 1, 2, 3, 4});
    REQUIRE(samples.size() == 5);
    for (const int good : {0, 3, 4}) {
      INFO(good << ": " << samples[std::size_t(good)].reason);
      CHECK(samples[std::size_t(good)].how == outcome::ok);
      CHECK((samples[std::size_t(good)].seconds > 1e-12 && samples[std::size_t(good)].seconds < 1e-6));
    }
    CHECK(samples[1].how == outcome::not_compiled);
    CHECK_FALSE(samples[1].reason.empty());
    CHECK(samples[2].how == outcome::crashed);
    CHECK_FALSE(samples[2].reason.empty());
  }
  // One that failed is not asked again: no worker more in the second round.
  CHECK(worker.started() == 3);
}

TEST_CASE("a GPU candidate that spills is refused before it is timed", "[tune][gpu]") {
  if (!can_run_gpu()) return;
  const temporary_folder folder;
  gpu_worker worker(default_worker_program());
  // Tiles of 16 x 16 doubles: 512 registers a thread would be needed.
  gpu_evaluator evaluator({target::cuda, scalar_type::f64, memory_regime::cache, 32, 32, 32},
                          {of({1, 32, 4, 4}), of({8, 32, 16, 16})}, worker, settings_on(folder));
  const std::vector<sample> samples = evaluator.round({0, 1});
  CHECK(samples[0].how == outcome::ok);
  INFO(samples[1].reason);
  CHECK(samples[1].how == outcome::spilled);
  CHECK(samples[1].reason.find("local memory") != std::string::npos);
}

TEST_CASE("a GPU candidate that takes too long costs only itself", "[tune][gpu]") {
  if (!can_run_gpu()) return;
  const temporary_folder folder;
  gpu_worker worker(default_worker_program());
  gpu_settings settings = settings_on(folder);
  gpu_evaluator patient({target::cuda, scalar_type::f64, memory_regime::cache, 4, 4, 4}, {of({32, 160, 1, 1})}, worker,
                        settings);
  CHECK(patient.round({0})[0].how == outcome::ok);
  // No sample is that short: the time limit of the whole candidate is the sample's least length here.
  settings.least_sample = 60;
  settings.candidate_seconds = 2;
  gpu_evaluator hurried({target::cuda, scalar_type::f64, memory_regime::cache, 4, 4, 4}, {of({32, 160, 1, 1})}, worker,
                        settings);
  CHECK(hurried.round({0})[0].how == outcome::timed_out);
  gpu_evaluator after({target::cuda, scalar_type::f64, memory_regime::cache, 5, 5, 5}, {of({24, 96, 2, 3})}, worker,
                      settings_on(folder));
  CHECK(after.round({0})[0].how == outcome::ok);
}

TEST_CASE("the GPU's conditions are recorded where they can be read", "[tune][gpu]") {
  if (!can_run_gpu()) return;
  const temporary_folder folder;
  gpu_worker worker(default_worker_program());
  gpu_evaluator evaluator({target::cuda, scalar_type::f32, memory_regime::stream, 8, 8, 8}, {of({32, 256, 1, 2})},
                          worker, settings_on(folder));
  CHECK(evaluator.seen().clock_mhz == 0);
  evaluator.round({0});
  CHECK((evaluator.seen().clock_mhz == 0 || evaluator.seen().clock_mhz > 100));
  CHECK((evaluator.seen().watts == 0 || evaluator.seen().watts > 10));
}
