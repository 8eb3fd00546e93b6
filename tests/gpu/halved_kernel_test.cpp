// SPDX-License-Identifier: BSD-3-Clause
// Kernels of symmetric element matrices by lines in halves as they are set up and compiled, without a GPU.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/halved_tables.hpp>
#include <tessera/gpu/element/kernel.hpp>

#include <algorithm>
#include <string>

#include "stack_of_code.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

halved_sizes diffusion(int p, int q, bool packed = false) { return {p + 1, q, packed}; }

// f(sizes, tuning) for all that have a row.
template <class F>
void each_row(const F& f) {
  for (int p = 1; p <= 8; ++p)
    for (int q = p; q <= p + 3; ++q)
      for (const bool packed : {false, true})
        if (const auto tuning = halved_tuning_of(diffusion(p, q, packed))) f(diffusion(p, q, packed), *tuning);
}

}  // namespace

TEST_CASE("gpu halved kernel: units with their mirror images are the pairs", "[element]") {
  for (int d = 1; d <= 9; ++d) {
    const halved_units units{d, d + 1};
    std::vector<int> found(std::size_t(d * d));
    for (int u = 0; u < units.count(); ++u) {
      const int i = units.row_of(u), j = units.column_of(u), r = d - 1 - i, s = d - 1 - j;
      REQUIRE((i >= j && i + j < d));
      std::vector<int> own{i + d * j, j + d * i, r + d * s, s + d * r};
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      for (const int n : own) ++found.at(std::size_t(n));
    }
    CHECK(std::count(found.begin(), found.end(), 1) == d * d);
  }
}

TEST_CASE("gpu halved kernel: halves follow each other among the constants", "[element]") {
  for (int d = 1; d <= 9; ++d)
    for (const int q : {d, d + 1}) {
      const halved_units units{d, q};
      int next = 0;
      for (int u = 0; u < units.count(); ++u)
        for (int kind = 0; kind < halved_units::kinds; ++kind)
          for (const bool odd : {false, true})
            if (units.has(kind, odd, u)) {
              CHECK(units.place(kind, odd, u) == next);
              next += units.points_of(odd);
            }
      CHECK(units.entries() == next);
    }
}

TEST_CASE("gpu halved kernel: rows fit, and so do their places", "[element]") {
  int rows = 0;
  each_row([&](const halved_sizes& s, const halved_tuning& t) {
    INFO("p " << s.functions - 1 << " q " << s.points << (s.packed ? ", packed" : ""));
    const halved_room room{s, t};
    CHECK(std::string(why_unfit(room)).empty());
    const device::place_table places = device::places_of_halves(room);
    CHECK(*std::max_element(places.at.begin(), places.at.end()) < room.staged_entries());
    ++rows;
  });
  CHECK(rows == 12);
  CHECK_FALSE(halved_tuning_of(diffusion(4, 7)));
  // Little shared memory: nothing rather than what does not fit.
  CHECK_FALSE(halved_tuning_of(diffusion(4, 6), gpu_limits_of(75)));
}

TEST_CASE("gpu halved kernel: each pair of functions is in one part's tiles", "[element]") {
  for (const auto& [d, parts] : {std::pair{2, 1}, {4, 1}, {4, 2}, {6, 3}, {8, 2}, {8, 4}}) {
    const halved_room room{{d, d + 1}, {.tiled = parts}};
    REQUIRE(room.deals_out_evenly());
    std::vector<int> found(std::size_t(d * d));
    for (int part = 0; part < parts; ++part)
      for (int n = 0; n < room.pairs(); ++n) {
        const auto [unit, image] = room.pair_of(part, n);
        const int i = room.units().row_of(unit), j = room.units().column_of(unit);
        if (image) CHECK(room.pair_of(part, n - 1).unit == unit);
        ++found.at(std::size_t(image ? d - 1 - j + d * (d - 1 - i) : i + d * j));
      }
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) CHECK(found[std::size_t(i + d * j)] == (i >= j ? 1 : 0));
  }
}

TEST_CASE("gpu halved kernel: what cannot run is said", "[element]") {
  const auto why = [](const halved_sizes& s, halved_tuning t) { return std::string(why_unfit(halved_room{s, t})); };
  const halved_sizes s = diffusion(3, 5);
  CHECK(why(s, {}).empty());
  CHECK(why(s, {.at_once = 0}) == "a thread has nothing to do");
  CHECK(why(s, {.waves = 1, .threads = 128}) == "threads do not hold a wave");
  CHECK(why(s, {.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why(diffusion(5, 7), {.threads = 256}) == "numbers of a block do not fit shared memory");
  const std::string whole = "tiles are of whole matrices of an even number of functions a direction";
  CHECK(why(diffusion(5, 7), {.tiled = 3, .waves = 1, .threads = 256}).empty());
  CHECK(why(diffusion(4, 6), {.tiled = 1, .threads = 256}) == whole);
  CHECK(why(diffusion(5, 7, true), {.tiled = 3, .threads = 256}) == whole);
  CHECK(why(diffusion(5, 7), {.sliced = true, .tiled = 3, .threads = 256}) == whole);
  CHECK(why(diffusion(5, 7), {.tiled = 2, .threads = 256}) == "pairs of functions are not dealt out evenly");
  CHECK(why(diffusion(15, 17), {}) == "products do not fit the launch");
}

TEST_CASE("gpu halved kernel: NVRTC takes it, and leaves little in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const halved_sizes& s, const halved_tuning& t, const char* name) {
    const std::string function = std::string("tessera::pointwise::") + name + "<3>";
    const device::jit_source source = device::source_of(device::halved_kernel{scalar_type::f64, function, {s, t}});
    const jit_code code = device::compile_source(source, {}, 90);
    INFO(source.kernels.front() << "\n" << code.log);
    REQUIRE_FALSE(code.machine_code.empty());
    CHECK(code.log.find("warning") == std::string::npos);
    // Measured: some numbers of a thread there are better than fewer warps.
    CHECK(largest_frame(code.machine_code) <= (s.functions > 5 ? 96 : 32));
  };
  each_row([&](const halved_sizes& s, const halved_tuning& t) { check(s, t, "diffusion"); });
  const halved_sizes helmholtz{5, 6, false};
  check(helmholtz, halved_tuning_of(helmholtz).value(), "helmholtz");
}
