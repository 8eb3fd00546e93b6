// SPDX-License-Identifier: BSD-3-Clause
// Kernels of symmetric element matrices by even and odd parts as they are set up and compiled, without a GPU.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/kernel.hpp>
#include <tessera/gpu/element/parity_tables.hpp>

#include <algorithm>
#include <string>

#include "stack_of_code.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

parity_sizes diffusion(int p, int q, bool packed = false) { return {p + 1, q, 3, packed}; }

// f(sizes, tuning) for all that have a row.
template <class F>
void each_row(const F& f) {
  for (int p = 1; p <= 9; ++p)
    for (int q = p; q <= p + 3; ++q)
      for (const bool packed : {false, true})
        if (const auto tuning = parity_tuning_of(diffusion(p, q, packed))) f(diffusion(p, q, packed), *tuning);
}

}  // namespace

TEST_CASE("gpu parity kernel: rows fit, and so do their places", "[element]") {
  int rows = 0;
  each_row([&](const parity_sizes& s, const parity_tuning& t) {
    INFO("p " << s.functions - 1 << " q " << s.points << (s.packed ? ", packed" : ""));
    const parity_room room{s, t};
    CHECK(std::string(why_unfit(room)).empty());
    const device::place_table places = device::places_of_parities(room);
    CHECK(*std::max_element(places.at.begin(), places.at.end()) < room.staged_entries());
    ++rows;
  });
  CHECK(rows == 18);
  // Little shared memory: nothing rather than what does not fit.
  CHECK_FALSE(parity_tuning_of(diffusion(7, 9), gpu_limits_of(75)));
  CHECK_FALSE(parity_tuning_of(diffusion(15, 17)));
  CHECK_FALSE(parity_tuning_of(diffusion(8, 8)));  // points of a line, fewer than functions
}

TEST_CASE("gpu parity kernel: what cannot run is said", "[element]") {
  const auto why = [](const parity_sizes& s, parity_tuning t) { return std::string(why_unfit(parity_room{s, t})); };
  const parity_sizes s = diffusion(5, 7);
  CHECK(why(s, {}).empty());
  CHECK(why(s, {.at_once = 0}) == "a block has nothing to do");
  CHECK(why(s, {.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why(s, {.elements = 40}) == "numbers of a block do not fit shared memory");
  CHECK(why(diffusion(23, 25), {}) == "functions do not fit the launch");
}

TEST_CASE("gpu parity kernel: NVRTC takes it, and leaves little in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const parity_sizes& s, const parity_tuning& t, const char* name) {
    const std::string function = std::string("tessera::pointwise::") + name + "<2>";
    const device::jit_source source = device::source_of(device::parity_kernel{scalar_type::f64, function, {s, t}});
    const jit_code code = device::compile_source(source, {}, 90);
    INFO(source.kernels.front() << "\n" << code.log);
    REQUIRE_FALSE(code.machine_code.empty());
    CHECK(code.log.find("warning") == std::string::npos);
    // Measured: some numbers of a thread there are better than fewer warps.
    CHECK(largest_frame(code.machine_code) <= 64);
  };
  each_row([&](const parity_sizes& s, const parity_tuning& t) { check(s, t, "diffusion"); });
  const parity_sizes helmholtz{7, 8, 4, false};
  check(helmholtz, parity_tuning_of(helmholtz).value(), "helmholtz");
}
