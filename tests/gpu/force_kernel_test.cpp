// SPDX-License-Identifier: BSD-3-Clause
// Kernels of corner forces, without a GPU: NVRTC takes them, blocks fit shared memory, and few registers are spilled.
#include <tessera/detail/fits.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/gpu/detail/hydro/force_source.hpp>

#include "stack_of_code.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr int h200_shared = int(gpu_limits_of(90).shared_bytes);

device::force_kernel kernel_of(int dim, int order, const tessera::detail::force_task& task, bool wide = false) {
  return {.dim = dim, .nodes = order + 1, .energies = order, .points = 2 * order, .task = task, .wide = wide};
}

void check_compiles(const device::force_kernel& what, int architecture, unsigned most_frame) {
  const device::force_shape shape = device::ruled_force_shape(what, int(gpu_limits_of(architecture).shared_bytes));
  const device::jit_source source = device::source_of(what, shape);
  const jit_code code = device::compile_source(source, {}, architecture);
  INFO(source.kernels.front() << ", sm_" << architecture << "\n" << code.log);
  REQUIRE_FALSE(code.machine_code.empty());
  CHECK(code.log.find("warning") == std::string::npos);
  const std::optional<unsigned> frame = largest_frame(code.machine_code);
  REQUIRE(frame.has_value());
  CHECK(*frame <= most_frame);
}

}  // namespace

TEST_CASE("gpu kernels of corner forces: NVRTC takes every task in every dimension", "[hydro][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const int dim : {1, 2, 3})
    for (const int order : {1, 2}) {
      check_compiles(kernel_of(dim, order, {}), 90, 160);
      check_compiles(kernel_of(dim, order, {.forces = false, .velocities = 2}), 90, 160);
    }
  check_compiles(kernel_of(2, 3, {.power = false}, true), 80, 160);
  check_compiles(kernel_of(2, 3, {.source = true}), 90, 160);
  check_compiles(kernel_of(3, 2, {.velocities = 2}, true), 80, 400);
  check_compiles(kernel_of(3, 4, {}), 90, 400);
  check_compiles(kernel_of(3, 5, {}), 90, 160);
  const jit_code highest = device::compile_source(device::source_of_highest_rate(), {}, 90);
  CHECK_FALSE(highest.machine_code.empty());
}

TEST_CASE("gpu kernels of corner forces: blocks fit shared memory, where a zone does", "[hydro]") {
  for (const int capability : {80, 86, 90})
    for (const int dim : {1, 2, 3})
      for (int order = 1; order <= 8; ++order)
        for (const int velocities : {1, 2}) {
          const int limit = int(gpu_limits_of(capability).shared_bytes);
          const device::force_kernel what = kernel_of(dim, order, {.velocities = velocities});
          const device::force_shape shape = device::ruled_force_shape(what, limit);
          INFO(dim << "-D, order " << order << ", sm_" << capability << ": " << shape.zones << " zones");
          CHECK(shape.zones >= 1);
          CHECK(shape.threads % 32 == 0);
          if (shape.zones > 1 || capability == 90) CHECK(device::bytes_of(what, shape) <= limit);
        }
  // Fewer zones where another velocity takes more memory.
  const device::force_kernel large{
      .dim = 3, .nodes = 8, .energies = 7, .points = 8, .task = {.velocities = 2}, .wide = false};
  const device::force_shape shape = device::ruled_force_shape(large, h200_shared);
  CHECK(shape.by_planes);
  CHECK(shape.zones < device::ruled_force_shape(kernel_of(3, 4, {}), h200_shared).zones);
  CHECK(device::bytes_of(large, shape) <= h200_shared);
}
