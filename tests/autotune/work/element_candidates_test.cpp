// SPDX-License-Identifier: BSD-3-Clause
// Candidates of element kernels: NVRTC takes them without a GPU; on one they are checked and timed, and a bad one costs
// only itself.
#include <tessera/detail/element/jit_element.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/device_facts.hpp>

#include "arranged_candidates.hpp"
#include "space/element_space.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/skip.hpp"
#include "work/element_check.hpp"
#include "work/gpu_evaluator.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;

namespace {

tuning_case case_of(operator_kind kind, int p, int q, scalar_type type = scalar_type::f64) {
  return {.on = target::cuda, .type = type, .in = memory_regime::stream, .element = element_case{kind, 3, p, q}};
}

}  // namespace

TEST_CASE("element candidates: NVRTC takes what is drawn", "[tune][element][nvrtc]") {
  if (!why_no_jit().empty()) return tessera::testing::skip("no NVRTC");
  for (const tuning_case& c :
       {case_of(operator_kind::mass, 1, 3), case_of(operator_kind::diffusion, 2, 4, scalar_type::f32)}) {
    const space s = element_space(c, ruled_element_tuning(jit_element_of(c, {}).facts()), {}, 5);
    std::vector<jit_element> kernels;
    for (const config& one : s.candidates) kernels.push_back(jit_element_of(c, one));
    const std::vector<jit_code> codes = jit_compile(kernels, {}, 90);
    REQUIRE(codes.size() == kernels.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      INFO(key_of(c) << ": " << text_of(element_family(), s.candidates[i]) << "\n" << codes[i].log);
      CHECK_FALSE(codes[i].machine_code.empty());
      CHECK(codes[i].entries.size() == 1);
    }
  }
}

TEST_CASE("element candidates: tables have the sizes of the case", "[tune][element]") {
  const line_tables t = tables_of({operator_kind::diffusion, 3, 2, 4});
  CHECK(t.interpolate.size() == 12);
  CHECK(t.differentiate.size() == 16);
  for (int k = 0; k < 4; ++k) {  // functions add up to 1, and the derivative of 1 is 0
    double sum = 0, slope = 0;
    for (int i = 0; i < 3; ++i) sum += t.interpolate[std::size_t(k) + 4 * std::size_t(i)];
    for (int l = 0; l < 4; ++l) slope += t.differentiate[std::size_t(k) + 4 * std::size_t(l)];
    CHECK(sum == Approx(1));
    CHECK(slope == Approx(0).margin(1e-13));
  }
  CHECK(numbers_of({operator_kind::elasticity, 3, 2, 4}).entries == 81);
  CHECK(numbers_of({operator_kind::diffusion, 3, 2, 4}).of_D == 384);
}

TEST_CASE("element candidates on a GPU: good ones are timed, each bad one costs only itself", "[tune][gpu][element]") {
  if (!is_available(target::cuda) || !why_no_jit().empty()) return tessera::testing::skip("no GPU, or no NVRTC");
  const temporary_folder folder;
  gpu_worker worker(default_worker_program());
  gpu_settings settings;
  settings.cache = folder.path().string();
  settings.architecture = compute_capability(target::cuda);
  for (const scalar_type type : {scalar_type::f64, scalar_type::f32})
    for (const operator_kind kind : all_operator_kinds) {
      const tuning_case c = case_of(kind, 2, 4, type);
      const gpu_limits limits = gpu_limits_of(settings.architecture);
      const element_tuning by_rule = ruled_element_tuning(jit_element_of(c, {}).facts(), limits);
      element_tuning overlapping = by_rule;  // lines share entries: a wrong result
      overlapping.pitch[1] = overlapping.pitch[0];
      std::vector<config> configs = element_space(c, by_rule, limits, 6).candidates;
      const int good = int(configs.size());
      configs.push_back(as_config(overlapping));
      gpu_evaluator e(c, configs, worker, settings);
      std::vector<int> all(configs.size());
      for (int i = 0; i <= good; ++i) all[std::size_t(i)] = i;
      const std::vector<sample> samples = e.round(all);
      for (int i = 0; i < good; ++i) {
        const sample& s = samples[std::size_t(i)];
        INFO(key_of(c) << ": " << text_of(element_family(), configs[std::size_t(i)]) << ": " << s.reason);
        // Candidates may spill; none may be wrong.
        CHECK((s.how == outcome::ok || (i > 0 && s.how == outcome::spilled)));
        if (s.how == outcome::ok) CHECK((s.seconds > 1e-12 && s.seconds < 1e-6));
      }
      INFO(key_of(c) << ": " << samples.back().reason);
      CHECK(samples.back().how == outcome::wrong);
    }
}
