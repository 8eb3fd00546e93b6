// SPDX-License-Identifier: BSD-3-Clause
// Kernels of symmetric element matrices that have a row for each size, without a GPU: by lines in halves, by even and
// odd parts, by strips. Rows fit, and NVRTC takes their sources.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/halved_tables.hpp>
#include <tessera/gpu/element/parity_tables.hpp>

#include <algorithm>

#include "compiled_kernel.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// What differs: sizes of diffusion, and of Helmholtz where that has a row; how many rows there are; a frame. Measured:
// some numbers of a thread in local memory are better than fewer warps.
struct halved_rows {
  using layout = halved_layout;
  using kernel = device::halved_kernel;
  static constexpr int dim = 3, count = 12;
  static constexpr halved_sizes helmholtz{5, 6, false};
  static halved_sizes diffusion(int p, int q, bool packed = false) { return {p + 1, q, packed}; }
  static auto tuning_of(const halved_sizes& s, const gpu_limits& l) { return halved_tuning_of(s, l); }
  static device::place_table places(const layout& r) { return device::places_of_halves(r); }
  static unsigned most_frame(const halved_sizes& s) { return s.functions > 5 ? 96 : 32; }
};
struct parity_rows {
  using layout = parity_layout;
  using kernel = device::parity_kernel;
  static constexpr int dim = 2, count = 18;
  static constexpr parity_sizes helmholtz{7, 8, 4, false};
  static parity_sizes diffusion(int p, int q, bool packed = false) { return {p + 1, q, 3, packed}; }
  static auto tuning_of(const parity_sizes& s, const gpu_limits& l) { return parity_tuning_of(s, l); }
  static device::place_table places(const layout& r) { return device::places_of_parities(r); }
  static unsigned most_frame(const parity_sizes&) { return 64; }
};
struct strip_rows {
  using layout = strip_layout;
  using kernel = device::strip_kernel;
  static constexpr int dim = 3, count = 6;
  static constexpr halved_sizes helmholtz{7, 8, false};
  static halved_sizes diffusion(int p, int q, bool packed = false) { return {p + 1, q, packed}; }
  static auto tuning_of(const halved_sizes& s, const gpu_limits& l) { return strip_tuning_of(s, l); }
  static unsigned most_frame(const halved_sizes&) { return 48; }
};

template <class Rows>
auto row_of(int p, int q, bool packed = false, const gpu_limits& limits = {}) {
  return Rows::tuning_of(Rows::diffusion(p, q, packed), limits);
}

// f(sizes, tuning) for all that have a row.
template <class Rows, class F>
void each_row(const F& f) {
  for (int p = 1; p <= 9; ++p)
    for (int q = p; q <= p + 3; ++q)
      for (const bool packed : {false, true})
        if (const auto tuning = row_of<Rows>(p, q, packed)) f(Rows::diffusion(p, q, packed), *tuning);
}

template <class Rows, class Sizes, class Tuning>
std::string why(const Sizes& s, const Tuning& t) {
  return why_unfit(typename Rows::layout{s, t});
}
std::string why_halved(const halved_sizes& s, halved_tuning t) { return why<halved_rows>(s, t); }
std::string why_parity(const parity_sizes& s, parity_tuning t) { return why<parity_rows>(s, t); }
std::string why_strip(const halved_sizes& s, strip_tuning t) { return why<strip_rows>(s, t); }

}  // namespace

TEMPLATE_TEST_CASE("gpu symmetric rows: they fit, and so do their places", "[element]", halved_rows, parity_rows,
                   strip_rows) {
  int rows = 0;
  each_row<TestType>([&](const auto& s, const auto& t) {
    INFO("p " << s.functions - 1 << " q " << s.points << (s.packed ? ", packed" : ""));
    const typename TestType::layout layout{s, t};
    CHECK(std::string(why_unfit(layout)).empty());
    if constexpr (requires { TestType::places(layout); }) {
      const device::place_table places = TestType::places(layout);
      CHECK(*std::max_element(places.at.begin(), places.at.end()) < layout.staged_entries());
    }
    ++rows;
  });
  CHECK(rows == TestType::count);
}

TEMPLATE_TEST_CASE("gpu symmetric rows: NVRTC takes them, and leaves little in local memory", "[element][nvrtc]",
                   halved_rows, parity_rows, strip_rows) {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const auto& s, const auto& t, const char* name) {
    const std::string function = pointwise_name(name, TestType::dim);
    check_compiles(typename TestType::kernel{scalar_type::f64, function, {s, t}}, 90, TestType::most_frame(s));
  };
  each_row<TestType>([&](const auto& s, const auto& t) { check(s, t, "diffusion"); });
  check(TestType::helmholtz, TestType::tuning_of(TestType::helmholtz, {}).value(), "helmholtz");
}

TEST_CASE("gpu symmetric rows: where there is none", "[element]") {
  CHECK_FALSE(row_of<halved_rows>(4, 7));
  CHECK_FALSE(row_of<parity_rows>(15, 17));
  CHECK_FALSE(row_of<parity_rows>(8, 8));  // points of a line, fewer than functions
  // Little shared memory: nothing rather than what does not fit.
  CHECK_FALSE(row_of<halved_rows>(4, 6, false, gpu_limits_of(75)));
  CHECK_FALSE(row_of<parity_rows>(7, 9, false, gpu_limits_of(75)));
  CHECK_FALSE(row_of<strip_rows>(6, 8, false, gpu_limits_of(75)));
}

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

TEST_CASE("gpu halved kernel: each pair of functions is in one part's tiles", "[element]") {
  for (const auto& [d, parts] : {std::pair{2, 1}, {4, 1}, {4, 2}, {6, 3}, {8, 2}, {8, 4}}) {
    const halved_layout layout{{d, d + 1}, {.tiled = parts}};
    REQUIRE(layout.deals_out_evenly());
    std::vector<int> found(std::size_t(d * d));
    for (int part = 0; part < parts; ++part)
      for (int n = 0; n < layout.pairs(); ++n) {
        const auto [unit, image] = layout.pair_of(part, n);
        const int i = layout.units().row_of(unit), j = layout.units().column_of(unit);
        if (image) CHECK(layout.pair_of(part, n - 1).unit == unit);
        ++found.at(std::size_t(image ? d - 1 - j + d * (d - 1 - i) : i + d * j));
      }
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) CHECK(found[std::size_t(i + d * j)] == (i >= j ? 1 : 0));
  }
}

TEST_CASE("gpu strip kernel: points of a class have places of their own", "[element]") {
  bool taken[strip_layout::class_pitch] = {};
  for (int first = 0; first < strip_layout::square; ++first)
    for (int second = 0; second < strip_layout::square; ++second) {
      const int place = strip_layout::place_of_point(first, second);
      REQUIRE((place >= 0 && place < strip_layout::class_pitch));
      CHECK_FALSE(taken[place]);
      taken[place] = true;
      // Two points are read at once.
      if (second % 2 == 1) CHECK(place == strip_layout::place_of_point(first, second - 1) + 1);
    }
}

TEST_CASE("gpu halved kernel: what cannot run is said", "[element]") {
  const auto s = halved_rows::diffusion(3, 5);
  CHECK(why_halved(s, {}).empty());
  CHECK(why_halved(s, {.at_once = 0}) == "a thread has nothing to do");
  CHECK(why_halved(s, {.waves = 1, .threads = 128}) == "threads do not hold a wave");
  CHECK(why_halved(s, {.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why_halved(halved_rows::diffusion(5, 7), {.threads = 256}) == "numbers of a block do not fit shared memory");
  const std::string whole = "tiles are of whole matrices of an even number of functions a direction";
  CHECK(why_halved(halved_rows::diffusion(5, 7), {.tiled = 3, .waves = 1, .threads = 256}).empty());
  CHECK(why_halved(halved_rows::diffusion(4, 6), {.tiled = 1, .threads = 256}) == whole);
  CHECK(why_halved(halved_rows::diffusion(5, 7, true), {.tiled = 3, .threads = 256}) == whole);
  CHECK(why_halved(halved_rows::diffusion(5, 7), {.sliced = true, .tiled = 3, .threads = 256}) == whole);
  CHECK(why_halved(halved_rows::diffusion(5, 7), {.tiled = 2, .threads = 256}) ==
        "pairs of functions are not dealt out evenly");
  CHECK(why_halved(halved_rows::diffusion(15, 17), {}) == "products do not fit the launch");
}

TEST_CASE("gpu parity kernel: what cannot run is said", "[element]") {
  const auto s = parity_rows::diffusion(5, 7);
  CHECK(why_parity(s, {}).empty());
  CHECK(why_parity(s, {.at_once = 0}) == "a block has nothing to do");
  CHECK(why_parity(s, {.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why_parity(s, {.elements = 40}) == "numbers of a block do not fit shared memory");
  CHECK(why_parity(parity_rows::diffusion(23, 25), {}) == "functions do not fit the launch");
}

TEST_CASE("gpu strip kernel: what cannot run is said", "[element]") {
  CHECK(why_strip({7, 8, false}, {}).empty());
  CHECK(why_strip({9, 9, false}, {}) == "functions and points do not fit a product");
  CHECK(why_strip({8, 9, false}, {}) == "functions and points do not fit a product");
  CHECK(why_strip({7, 8, false}, {.staged = 3}) == "one strip is staged, or two");
  CHECK(why_strip({7, 8, false}, {.threads = 100}) == "threads are not whole warps of a block");
}
