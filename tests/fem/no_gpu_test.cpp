// SPDX-License-Identifier: BSD-3-Clause
// What element operators for a GPU do on machines without one.
#include "own_functions.hpp"
#include "own_source.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <tessera/detail/jit.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>

#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator;
using fem::element_shape;

}  // namespace

TEST_CASE("element operators for a GPU are refused where there is none", "[fem][element]") {
  if (is_available(target::cuda)) return skip("there is a GPU");
  const std::vector<double> D(27, 1.0);
  check_failure(status::no_device, {"mass 3-D", "there is no GPU"}, [&] {
    element_operator<double>(3, 1, D.data(), {.trial = {.order = 1}, .points = 3, .on = target::cuda});
  });
}

TEST_CASE("a user's function is taken by NVRTC as text", "[fem][element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  device::element_kernel kernel{
      .function = own_source("work").type,
      .text = own_source("work").text,
      .facts =
          {.dim = 3, .trial = 3, .points = 4, .test = 2, .of_trial = work::trial, .of_test = work::test, .factors = 9},
      .own_test = true};
  kernel.tuning = default_element_tuning(kernel.facts);
  const jit_code code = device::compile_source(device::source_of(kernel), {}, 90);
  INFO(code.log);
  CHECK_FALSE(code.machine_code.empty());
  CHECK(code.log.find("warning") == std::string::npos);
}

TEST_CASE("dense tables for a GPU are refused where there is none", "[fem][element]") {
  if (is_available(target::cuda)) return skip("there is a GPU");
  const std::vector<double> D(27, 1.0);
  check_failure(status::no_device, {"mass 3-D of dense tables, d = 4, q = 8", "there is no GPU"}, [&] {
    element_operator<double>(3, 1, D.data(),
                             {.trial = {.order = 1}, .on = target::cuda, .shape = element_shape::simplex});
  });
  check_failure(status::no_device, {"elasticity 2-D", "there is no GPU"}, [&] {
    element_operator<double>(
        2, 1, D.data(),
        {.kind = operator_kind::elasticity, .trial = {.order = 2}, .components = 2, .points = 2, .on = target::cuda});
  });
}
