// SPDX-License-Identifier: BSD-3-Clause
// Kernels of symmetric element matrices of derivatives, without a GPU: what records choose fits, and so do its places,
// NVRTC takes its sources, and operators without a record have rules.
#include <tessera/element/operators.hpp>
#include <tessera/gpu/detail/element/halved_tables.hpp>
#include <tessera/gpu/detail/element/parity_tables.hpp>
#include <tessera/gpu/detail/element/strip_tables.hpp>

#include <algorithm>

#include "compiled_kernel.hpp"
#include "gpu/element/matrices/matrix_ways.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

matrix_facts facts_of(operator_kind kind, int dim, int d, int q, bool packed = false) {
  return {.kind = kind, .dim = dim, .trial = d, .points = q, .test = d, .packed = packed};
}
matrix_facts diffusion(int dim, int p, int q, bool packed = false) {
  return facts_of(operator_kind::diffusion, dim, p + 1, q, packed);
}

std::optional<matrix_choice> recorded(const matrix_facts& f, const gpu_limits& limits = {},
                                      ways_allowed allowed = nullptr) {
  return recorded_matrix_tuning(f, limits, "NVIDIA H200", 90, allowed);
}

// f(facts, tuning) for all that a record serves.
template <class F>
void each_recorded(const F& f) {
  for (const operator_kind kind : {operator_kind::diffusion, operator_kind::helmholtz})
    for (const int dim : {2, 3})
      for (int d = 2; d <= 10; ++d)
        for (int q = d - 1; q <= d + 2; ++q)
          for (const bool mirrored : {true, false})
            for (const bool packed : {false, true}) {
              matrix_facts one = facts_of(kind, dim, d, q, packed);
              one.mirrored = mirrored;
              if (const auto choice = recorded(one)) f(one, choice->tuning);
            }
}

// Of a thread, in local memory: measured, some numbers there are better than fewer warps.
unsigned most_frame(const matrix_facts& f, const matrix_tuning& t) {
  switch (t.way) {
    case matrix_way::halves: return f.trial > 5 ? 96 : 32;
    case matrix_way::parities: return 64;
    case matrix_way::strips: return 48;
    case matrix_way::held: return f.trial == 4 ? 192 : 48;
    default: return 0;
  }
}

std::string why(const matrix_facts& f, int way, matrix_tuning t) {
  t.way = way;
  return why_unfit(f, t);
}
std::string why_halved(const matrix_facts& f, const matrix_tuning& t) { return why(f, matrix_way::halves, t); }
std::string why_parity(const matrix_facts& f, const matrix_tuning& t) { return why(f, matrix_way::parities, t); }
std::string why_strip(const matrix_facts& f, const matrix_tuning& t) { return why(f, matrix_way::strips, t); }

}  // namespace

TEST_CASE("gpu matrices of derivatives: what records choose fits, and so do its places", "[element]") {
  int of_way[matrix_way::count] = {};
  each_recorded([&](const matrix_facts& f, const matrix_tuning& t) {
    INFO(name_of(f.kind) << " " << f.dim << "-D d " << f.trial << " q " << f.points << (f.packed ? ", packed" : ""));
    CHECK(std::string(why_unfit(f, t)).empty());
    ++of_way[t.way];
    const std::vector<double> values(std::size_t(f.points * f.trial), 0.5), C(std::size_t(f.points * f.points), 0.25);
    const device::direction_tables tables{values, C, values};
    const auto made = tessera::detail::matrix_launch_with<double>({f, "", tables}, t);
    const auto& at = made.places.at;
    if (!at.empty() && t.tiled == 0) CHECK(*std::max_element(at.begin(), at.end()) * 8 < made.bytes);
    if (f.dim == 3 && f.trial == 4 && f.points > 4 && f.points < 6) CHECK((t.way == matrix_way::halves) == f.mirrored);
  });
  for (const int way :
       {matrix_way::halves, matrix_way::strips, matrix_way::parities, matrix_way::threads, matrix_way::held})
    CHECK(of_way[way] > 0);
}

TEST_CASE("gpu matrices of derivatives: NVRTC takes what records choose, and leaves little in local memory",
          "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  std::vector<std::pair<matrix_facts, matrix_tuning>> seen;
  each_recorded([&](const matrix_facts& f, const matrix_tuning& t) {
    // Once each, and the Helmholtz operator at some sizes.
    if (f.points < f.trial || f.points > f.trial + 1 || !f.mirrored) return;
    if (f.kind == operator_kind::helmholtz && (f.packed || f.points != f.trial + 1 || f.trial % 2 == 0)) return;
    check_compiles(
        device::matrix_kernel{scalar_type::f64, scalar_type::f64, pointwise_name(name_of(f.kind), f.dim), f, t}, 90,
        most_frame(f, t));
  });
  const matrix_facts held = facts_of(operator_kind::helmholtz, 3, 3, 4);
  check_compiles(device::matrix_kernel{scalar_type::f64, scalar_type::f64, pointwise_name("helmholtz", 3), held,
                                       recorded(held).value().tuning},
                 80, 48);
}

TEST_CASE("gpu matrices of derivatives: where there is no record", "[element]") {
  CHECK_FALSE(recorded(diffusion(3, 4, 7)));
  CHECK_FALSE(recorded(diffusion(2, 15, 17)));
  CHECK_FALSE(recorded(facts_of(operator_kind::convection, 3, 3, 4)));
  CHECK(choose_matrix_tuning(diffusion(3, 4, 7)).tuning.way == matrix_way::columns);
  CHECK(choose_matrix_tuning(diffusion(3, 4, 7)).from.text() == "default");
  matrix_facts several = diffusion(3, 2, 4);
  several.components = 2;
  CHECK_FALSE(recorded(several));
  several.components = 1, several.own_test = true;
  CHECK_FALSE(recorded(several));
  several.own_test = false, several.entry_bytes = 4;
  CHECK_FALSE(recorded(several));
  // Points of a line, fewer than functions; and little shared memory: nothing rather than what does not fit.
  const auto of_parities = [](int way) { return way == matrix_way::parities; };
  CHECK_FALSE(recorded(diffusion(2, 8, 8), {}, of_parities));
  CHECK_FALSE(recorded(diffusion(3, 4, 6), gpu_limits_of(75)));
  CHECK_FALSE(recorded(diffusion(2, 7, 9), gpu_limits_of(75), of_parities));
  CHECK_FALSE(recorded(diffusion(3, 6, 8), gpu_limits_of(75)));
}

TEST_CASE("gpu matrices of derivatives: a record serves operators nearby", "[element]") {
  // Of one point more or fewer by some ways, of either storage, of Helmholtz operators.
  CHECK(recorded(diffusion(2, 5, 7))->tuning.way == matrix_way::parities);
  CHECK(recorded(diffusion(2, 5, 6))->tuning == recorded(diffusion(2, 5, 7))->tuning);
  CHECK(recorded(diffusion(2, 5, 8))->tuning.way == matrix_way::threads);
  CHECK(recorded(facts_of(operator_kind::helmholtz, 2, 6, 7))->tuning == recorded(diffusion(2, 5, 7))->tuning);
  CHECK(recorded(diffusion(3, 2, 4))->tuning == recorded(diffusion(3, 2, 4, true))->tuning);
  CHECK_FALSE(recorded(diffusion(3, 5, 7))->tuning == recorded(diffusion(3, 5, 7, true))->tuning);
  CHECK(recorded(diffusion(3, 2, 4))->from.name == "record of this device");
  CHECK(recorded_matrix_tuning(diffusion(3, 2, 4), {}, "another", 80)->from.name ==
        "record of NVIDIA H200, another architecture");
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
  const auto s = diffusion(3, 3, 5);
  CHECK(why_halved(s, {}).empty());
  CHECK(why_halved(s, {.at_once = 0}) == "a thread has nothing to do");
  CHECK(why_halved(s, {.threads = 128, .waves = 1}) == "threads do not hold a wave");
  CHECK(why_halved(s, {.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why_halved(diffusion(3, 5, 7), {.threads = 256}) == "numbers of a block do not fit shared memory");
  const std::string whole = "tiles are of whole matrices of an even number of functions a direction";
  CHECK(why_halved(diffusion(3, 5, 7), {.threads = 256, .tiled = 3, .waves = 1}).empty());
  CHECK(why_halved(diffusion(3, 4, 6), {.threads = 256, .tiled = 1}) == whole);
  CHECK(why_halved(diffusion(3, 5, 7, true), {.threads = 256, .tiled = 3}) == whole);
  CHECK(why_halved(diffusion(3, 5, 7), {.threads = 256, .sliced = true, .tiled = 3}) == whole);
  CHECK(why_halved(diffusion(3, 5, 7), {.threads = 256, .tiled = 2}) == "pairs of functions are not dealt out evenly");
  CHECK(why_halved(diffusion(3, 15, 17), {}) == "products do not fit the launch");
}

TEST_CASE("gpu parity kernel: what cannot run is said", "[element]") {
  const auto s = diffusion(2, 5, 7);
  CHECK(why_parity(s, {}).empty());
  CHECK(why_parity(s, {.at_once = 0}) == "a block has nothing to do");
  CHECK(why_parity(s, {.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why_parity(s, {.elements = 40}) == "numbers of a block do not fit shared memory");
  CHECK(why_parity(diffusion(2, 23, 25), {}) == "functions do not fit the launch");
}

TEST_CASE("gpu strip kernel: what cannot run is said", "[element]") {
  CHECK(why_strip(diffusion(3, 6, 8), {}).empty());
  CHECK(why_strip(diffusion(3, 8, 9), {}) == "functions and points do not fit a product");
  CHECK(why_strip(diffusion(3, 7, 9), {}) == "functions and points do not fit a product");
  CHECK(why_strip(diffusion(3, 6, 8), {.staged = 3}) == "one strip is staged, or two");
  CHECK(why_strip(diffusion(3, 6, 8), {.threads = 100}) == "threads are not whole warps of a block");
}
