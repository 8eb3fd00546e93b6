// SPDX-License-Identifier: BSD-3-Clause
// Ways over the elements on a CPU, checked and timed in a worker, in both regimes; wrong results are seen.
#include "work/element_evaluator.hpp"

#include <tessera/fem/element_operator.hpp>

#include <set>
#include <string>

#include "space/as_config.hpp"
#include "space/element_run_space.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/skip.hpp"
#include "work/element_ground.hpp"
#include "work/element_reference.hpp"
#include "work/kernel_check.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

tuning_case case_of(const element_case& e, memory_regime in = memory_regime::cache,
                    scalar_type type = scalar_type::f64) {
  return {.on = default_cpu_target(), .type = type, .in = in, .element = e};
}

bool can_run() {
  if (default_cpu_target() != target::reference) return true;
  tessera::testing::skip("no instruction set with kernels");
  return false;
}

}  // namespace

TEST_CASE("ways over the elements are checked and timed in both regimes", "[tune][element]") {
  if (!can_run()) return;
  for (const memory_regime in : {memory_regime::cache, memory_regime::stream}) {
    const tuning_case c = case_of({operator_kind::mass, 3, 2, 4}, in);
    const space s = element_run_space(c, ruled_element_run(run_facts_of(c), c.on, in), 12);
    element_evaluator e(c, s.candidates);
    std::vector<int> all;
    for (int i = 0; i < int(s.candidates.size()); ++i) all.push_back(i);
    for (const sample& one : e.round(all)) {
      INFO(one.reason);
      CHECK(one.how == outcome::ok);
      CHECK((one.seconds > 1e-10 && one.seconds < 1e-3));
    }
    CHECK(e.workers_started() == 1);
    CHECK(e.seen().clock_mhz > 100);
    e.renew();
    e.renew();
    CHECK(e.round({0}).front().how == outcome::ok);
    CHECK(e.workers_started() == 2);
  }
}

TEST_CASE("every operator's ways over the elements are right", "[tune][element]") {
  if (!can_run()) return;
  for (const scalar_type type : {scalar_type::f64, scalar_type::f32})
    for (const operator_kind kind : all_operator_kinds)
      for (const int dim : {1, 2, 3})
        for (const bool nodal : {false, true}) {
          const tuning_case c = case_of({kind, dim, 2, nodal ? 3 : 4, nodal}, memory_regime::stream, type);
          const auto ground = element_ground_for(c);
          std::set<std::string> made;
          for (const element_run how : {element_run{0, 0}, element_run{8, 1}, element_run{8, 1, 1},
                                        element_run{8, 1, 2}, element_run{8, 1, 2, 3}, element_run{8, 1, 2, 2}}) {
            INFO(key_of(c) << ", " << ground->describe(how));
            CHECK(ground->fault_of(how).empty());
            CHECK(made.insert(ground->describe(how)).second);
          }
        }
}

TEST_CASE("a wrong entry is found and named", "[tune][element]") {
  const tuning_case c = case_of({operator_kind::mass, 2, 1, 2});
  const std::vector<double> x{1, 2, 3, 4}, D{1, 1, 1, 1};
  const fem::element_operator<double> A(2, 1, D.data(), {.trial = {.order = 1}, .points = 2});
  std::vector<double> y(4);
  A.apply(x.data(), y.data());
  CHECK(fault_in_element<double>(c, x.data(), D, y.data()).empty());
  y[2] *= 1 + 1e-12;
  CHECK(fault_in_element<double>(c, x.data(), D, y.data()).find("entry 2") != std::string::npos);
  y[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(fault_in_element<double>(c, x.data(), D, y.data()).empty());
}

TEST_CASE("element operators of a target that this machine lacks are an error", "[tune][element]") {
  if (!can_run()) return;
  tuning_case c = case_of({});
  c.on = default_cpu_target() == target::neon ? target::avx2 : target::neon;
  tessera::testing::check_failure(status::no_target, {name_of(c.on)}, [&] { element_evaluator(c, {}); });
  worker_settings settings;
  settings.program = "/bin/true";
  element_evaluator none(case_of({}), {as_config(element_run{})}, settings);
  tessera::testing::check_failure(status::internal, {"does not serve"}, [&] { none.round({0}); });
}
