// SPDX-License-Identifier: BSD-3-Clause
// Kernels of symmetric element matrices by strips as they are set up and compiled, without a GPU.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/kernel.hpp>

#include <string>

#include "stack_of_code.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// f(sizes, tuning) for all that have a row.
template <class F>
void each_row(const F& f) {
  for (int d = 2; d <= 9; ++d)
    for (int q = d; q <= d + 2; ++q)
      for (const bool packed : {false, true})
        if (const auto tuning = strip_tuning_of({d, q, packed})) f(halved_sizes{d, q, packed}, *tuning);
}

}  // namespace

TEST_CASE("gpu strip kernel: rows fit", "[element]") {
  int rows = 0;
  each_row([&](const halved_sizes& s, const strip_tuning& t) {
    CHECK(std::string(why_unfit(strip_room{s, t})).empty());
    ++rows;
  });
  CHECK(rows == 6);
  CHECK_FALSE(strip_tuning_of({7, 8, false}, gpu_limits_of(75)));
}

TEST_CASE("gpu strip kernel: points of a class have places of their own", "[element]") {
  bool taken[strip_room::class_pitch] = {};
  for (int first = 0; first < strip_room::square; ++first)
    for (int second = 0; second < strip_room::square; ++second) {
      const int place = strip_room::place_of_point(first, second);
      REQUIRE((place >= 0 && place < strip_room::class_pitch));
      CHECK_FALSE(taken[place]);
      taken[place] = true;
      // Two points are read at once.
      if (second % 2 == 1) CHECK(place == strip_room::place_of_point(first, second - 1) + 1);
    }
}

TEST_CASE("gpu strip kernel: what cannot run is said", "[element]") {
  const auto why = [](const halved_sizes& s, strip_tuning t) { return std::string(why_unfit(strip_room{s, t})); };
  CHECK(why({7, 8, false}, {}).empty());
  CHECK(why({9, 9, false}, {}) == "functions and points do not fit a product");
  CHECK(why({8, 9, false}, {}) == "functions and points do not fit a product");
  CHECK(why({7, 8, false}, {.staged = 3}) == "one strip is staged, or two");
  CHECK(why({7, 8, false}, {.threads = 100}) == "threads are not whole warps of a block");
}

TEST_CASE("gpu strip kernel: NVRTC takes it, and leaves little in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const halved_sizes& s, const strip_tuning& t, const char* name) {
    const std::string function = std::string("tessera::pointwise::") + name + "<3>";
    const device::jit_source source = device::source_of(device::strip_kernel{scalar_type::f64, function, {s, t}});
    const jit_code code = device::compile_source(source, {}, 90);
    INFO(source.kernels.front() << "\n" << code.log);
    REQUIRE_FALSE(code.machine_code.empty());
    CHECK(code.log.find("warning") == std::string::npos);
    CHECK(largest_frame(code.machine_code) <= 48);
  };
  each_row([&](const halved_sizes& s, const strip_tuning& t) { check(s, t, "diffusion"); });
  const halved_sizes helmholtz{7, 8, false};
  check(helmholtz, strip_tuning_of(helmholtz).value(), "helmholtz");
}
