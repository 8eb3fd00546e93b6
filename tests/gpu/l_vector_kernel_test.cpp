// SPDX-License-Identifier: BSD-3-Clause
// Kernels from and to L-vectors, without a GPU: NVRTC takes them, and they need little local memory.
#include <tessera/element/operators.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "compiled_kernel.hpp"
#include "element_samples.hpp"
#include "gpu/element/device_evaluation.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

device::element_kernel kernel_of(const sample& s, const device::element_variant& variant) {
  element_kernel_facts facts = s.facts;
  facts.several = variant.several;
  facts.repeats = variant.repeats;
  facts.unit = facts.adjacent = false;
  facts.l_vectors = true;
  facts.stored_bytes = int(size_of(variant.stored));
  return {.type = s.facts.entry_bytes == 8 ? scalar_type::f64 : scalar_type::f32,
          .function = s.function,
          .text = "",
          .facts = facts,
          .tuning = default_element_tuning(facts),
          .variant = variant};
}

}  // namespace

TEST_CASE("gpu kernels of L-vectors: NVRTC takes every operator, in every way", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const int dim : {1, 2, 3})
    for (const sample& s : samples(dim, 2, 4, false, 8))
      check_compiles(kernel_of(s, device::l_vector_variant(scalar_type::f64, 1, false, false)), 90);
  const sample diffusion = samples(3, 3, 5, false, 8)[1];
  for (const bool wide : {false, true})
    for (const bool atomic : {false, true})
      check_compiles(kernel_of(diffusion, device::l_vector_variant(scalar_type::f32, 1, wide, atomic)), 80);
  const sample mass = samples(3, 3, 5, false, 4)[0];
  check_compiles(kernel_of(mass, device::l_vector_variant(scalar_type::f32, 3, false, false)), 90);
  device::element_kernel by_warp = kernel_of(diffusion, device::l_vector_variant(scalar_type::f64, 1, false, false));
  by_warp.tuning = {.elements = elements_of_warp(by_warp.facts), .threads = 32, .direct = true, .by_warp = true};
  check_compiles(by_warp, 90);
}

TEST_CASE("gpu kernels of L-vectors: NVRTC takes those that sum x.y, of functions whose u and v are alike",
          "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto variant = [](int repeats) {
    return device::l_vector_variant(scalar_type::f64, repeats, false, false, true);
  };
  int taken = 0;
  for (const int dim : {1, 2, 3})
    for (const sample& s : samples(dim, 2, 4, false, 8)) {
      const point_shape &u = s.facts.of_trial, &v = s.facts.of_test;
      if (u.value != v.value || u.gradient != v.gradient) continue;
      check_compiles(kernel_of(s, variant(1)), 90, 48);
      ++taken;
    }
  CHECK(taken >= 9);
  const sample mass = samples(3, 3, 5, false, 8)[0];
  check_compiles(kernel_of(mass, variant(3)), 80);
  device::element_kernel planes = kernel_of(samples(3, 2, 4, false, 8)[0], variant(1));
  planes.tuning.by_plane = true;
  planes.tuning.prefetch = 0;
  REQUIRE(std::string(why_unfit(planes.facts, planes.tuning, gpu_limits_of(90))) == "");
  check_compiles(planes, 90);
}

TEST_CASE("gpu kernels of L-vectors: which of them sum x.y", "[element]") {
  if (!device::available() || !why_no_jit().empty()) return skip("no GPU, or no NVRTC");
  if (device::info().major != 9) return skip("sizes of shared memory are those of sm_90");
  const auto gives = [](int p, std::size_t kind, int repeats) {
    const sample s = samples(3, p, p + 2, false, 8)[kind];
    const std::vector<double> B(std::size_t((p + 1) * (p + 2)), 1), C(std::size_t((p + 2) * (p + 2)), 1);
    const tessera::detail::device_evaluation<double> by("a test", s.facts, {s.function, ""}, nullptr, {B, C, B});
    double dot = 0;
    return by.gives_dots({.repeats = repeats, .dots = &dot}, scalar_type::f64);
  };
  constexpr std::size_t mass = 0, diffusion = 1;
  // Which of the larger ones depends on the registers that the compiler takes.
  const auto number = [&](std::size_t kind, int repeats) {
    int n = 0;
    for (int p = 3; p <= 8; ++p) n += gives(p, kind, repeats);
    return n;
  };
  for (const std::size_t kind : {mass, diffusion})
    for (const int repeats : {1, 3}) CHECK(number(kind, repeats) >= 3);
  for (const int p : {1, 2})
    for (const std::size_t kind : {mass, diffusion}) CHECK(!gives(p, kind, 1));
}

TEST_CASE("gpu kernels of L-vectors: mass and diffusion need little local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (int p = 1; p <= 8; ++p)
    for (const std::size_t kind : {0, 1}) {
      INFO("p " << p);
      check_compiles(
          kernel_of(samples(3, p, p + 2, false, 8)[kind], device::l_vector_variant(scalar_type::f64, 1, false, false)),
          90, 48);
    }
}
