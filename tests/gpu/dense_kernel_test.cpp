// SPDX-License-Identifier: BSD-3-Clause
// Kernels of dense tables and of diagonals as they are compiled, without a GPU.
#include <tessera/gpu/detail/element/dense_tuning.hpp>

#include "compiled_kernel.hpp"
#include "element_samples.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu dense kernel: NVRTC takes every operator, dimension and variant, little in local memory",
          "[element][dense][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const sample& s, int functions, int points, const device::element_variant& variant,
                        int architecture) {
    const element_kernel_facts& f = s.facts;
    const dense_sizes sizes{.trial = functions,
                            .points = points,
                            .test = functions,
                            .trials = f.of_trial.components,
                            .tests = f.of_test.components,
                            .trial_slots = slots_of(f.of_trial, f.dim),
                            .test_slots = slots_of(f.of_test, f.dim),
                            .factors = f.factors,
                            .entry_bytes = f.entry_bytes};
    const gpu_limits limits = gpu_limits_of(architecture);
    const device::dense_kernel kernel{.type = f.entry_bytes == 8 ? scalar_type::f64 : scalar_type::f32,
                                      .function = s.function,
                                      .text = "",
                                      .dim = f.dim,
                                      .sizes = sizes,
                                      .tuning = ruled_dense_tuning(sizes, limits),
                                      .variant = variant};
    check_compiles(kernel, architecture, 256);
  };
  for (const int dim : {1, 2, 3})
    for (const sample& s : samples(dim, 2, 4, false, 8)) check(s, 10, 27, {}, 90);
  const auto three = samples(3, 2, 4, false, 8);
  for (const int n : {4, 20, 56}) {
    check(three[0], n, 3 * n, {}, 90);
    check(three[1], n, 3 * n, {}, 90);
  }
  check(three[1], 35, 125, {}, 80);
  check(three[2], 10, 27, {.stored = scalar_type::f32, .several = true, .unit = false}, 90);
  check(samples(2, 2, 4, false, 4)[0], 15, 25, {.stored = scalar_type::f32, .several = true}, 90);
  for (const int n : {4, 20})
    check(three[1], n, 3 * n, device::l_vector_variant(scalar_type::f64, 1, false, false), 90);
}

TEST_CASE("gpu diagonal kernel: NVRTC takes every operator, of products and of dense tables",
          "[element][dense][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const int dim : {1, 2, 3})
    for (const sample& s : samples(dim, 2, 4, false, 8))
      for (const bool dense : {false, true}) {
        device::diagonal_kernel kernel{.function = s.function,
                                       .sizes = {.directions = dense ? 1 : dim, .functions = 3, .points = 4},
                                       .dense = dense};
        if (dim == 2) kernel.stored = scalar_type::f32;
        check_compiles(kernel, 90);
      }
}
