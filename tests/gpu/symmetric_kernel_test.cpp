// SPDX-License-Identifier: BSD-3-Clause
// Kernels of symmetric element matrices as they are set up and compiled, without a GPU: rules fit, NVRTC takes sources.
#include <tessera/element/pointwise.hpp>
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/pair_tables.hpp>
#include <tessera/gpu/element/product_tables.hpp>

#include <algorithm>
#include <string>

#include "compiled_kernel.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu pair kernel: units are the pairs, once each", "[element]") {
  for (int d = 1; d <= 9; ++d)
    for (const bool mirrored : {false, true}) {
      const pair_units units{d, 3, mirrored};
      std::vector<int> found(std::size_t(units.count()));
      int pairs = 0;
      for (int j = 0; j < d; ++j)
        for (int i = j; i < d; ++i) {
          CHECK(pair_of(i, j, d) == pairs++);
          if (!mirrored || i + j < d) ++found.at(std::size_t(units.of(i, j)));
        }
      CHECK(pairs == pairs_of(d));
      CHECK(std::count(found.begin(), found.end(), 1) == units.count());
    }
}

TEST_CASE("gpu pair kernel: the rules' blocks fit, and so do their places", "[element]") {
  for (const int architecture : {75, 80, 86, 90})
    for (const int dim : {1, 2, 3})
      for (int p = 1; p <= 16; ++p)
        for (const int more : {1, 2})
          for (const int bytes : {4, 8})
            for (const bool lower : {false, true}) {
              const gpu_limits limits = gpu_limits_of(architecture);
              const pair_sizes s{dim, p + 1, p + 1 + more, bytes, lower};
              const auto tuning = pair_tuning_of(s, limits);
              INFO(dim << "-D p " << p << ", " << bytes << " bytes, sm_" << architecture);
              if (p <= 4) CHECK(tuning);
              if (architecture == 90 && p <= (dim == 3 ? 6 : 8)) CHECK(tuning);
              if (!tuning) continue;
              const pair_layout layout{s, *tuning};
              CHECK(std::string(why_unfit(layout, limits)).empty());
              if (dim == 3 && p > 6) continue;
              const device::place_table places = device::places_of_pairs(layout);
              CHECK(*std::max_element(places.at.begin(), places.at.end()) < layout.staged_entries());
            }
}

TEST_CASE("gpu pair kernel: what cannot run is said", "[element]") {
  const pair_sizes s{3, 3, 5};
  const auto why = [&](pair_tuning t) { return std::string(why_unfit(pair_layout{s, t})); };
  CHECK(why({}).empty());
  CHECK(why({.elements = 2, .sliced = true}) == "slices are not of one matrix");
  CHECK(why({.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why({.blocks = 33}) == "too many blocks are asked for");
  CHECK(why({.elements = 200}) == "numbers of a block do not fit shared memory");
  CHECK_FALSE(pair_tuning_of({3, 20, 21}));
}

TEST_CASE("gpu pair kernel: NVRTC takes it, and leaves nothing in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const pair_sizes& s, scalar_type type, int architecture) {
    check_compiles(device::pair_kernel{type, type, {s, *pair_tuning_of(s)}}, architecture, 0);
  };
  for (const bool lower : {false, true}) {
    for (int p = 1; p <= 6; ++p)
      for (const int more : {1, 2}) check({3, p + 1, p + more, 8, lower}, scalar_type::f64, 90);
    for (int p = 1; p <= 8; ++p) check({2, p + 1, p + 2, 8, lower}, scalar_type::f64, 90);
    check({1, 5, 6, 8, lower}, scalar_type::f64, 80);
    check({3, 4, 5, 4, lower}, scalar_type::f32, 80);
    check({3, 4, 5, 8, lower, false}, scalar_type::f64, 90);
  }
}

TEST_CASE("gpu product kernel: blocks fit where there are any, and so do their places", "[element]") {
  const auto check = []<class F>(const F&, int p, int q, bool must) {
    for (const bool lower : {false, true}) {
      const product_sizes s = device::product_sizes_of<F>(p + 1, q, lower);
      const auto tuning = product_tuning_of(s);
      INFO(F::dim << "-D p " << p << " q " << q << (lower ? ", packed" : ""));
      if (must) CHECK(tuning);
      if (!tuning) continue;
      const product_layout layout{s, *tuning};
      CHECK(std::string(why_unfit(layout)).empty());
      const device::place_table places = device::places_of_products(layout);
      CHECK(*std::max_element(places.at.begin(), places.at.end()) < layout.staged_entries());
    }
  };
  for (int p = 1; p <= 8; ++p)
    for (const int more : {0, 1, 2, 3}) {
      check(pointwise::diffusion<2>{}, p, p + more, more == 2);
      check(pointwise::helmholtz<2>{}, p, p + more, more == 2);
      if (p <= 6) check(pointwise::diffusion<3>{}, p, p + more, p <= 2 ? more == 1 || more == 2 : p == 3 && more == 1);
    }
  const auto why = [](int points, product_tuning t) {
    const product_sizes s = device::product_sizes_of<pointwise::diffusion<3>>(4, points, false);
    return std::string(why_unfit(product_layout{s, t}));
  };
  CHECK(why(4, {}).empty());
  CHECK(why(4, {.way = product_way::alone}) == "numbers of a pair do not fit registers");
  CHECK(why(5, {.way = product_way::held}) == "numbers of a pair do not fit registers");
  CHECK(why(4, {.elements = 0}) == "a block has nothing to do");
  CHECK(why(4, {.elements = 16}) == "numbers of a block do not fit shared memory");
}

TEST_CASE("gpu product kernel: NVRTC takes it, and leaves little in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = []<class F>(const F&, const char* name, int p, int q, bool lower, int architecture) {
    const product_sizes s = device::product_sizes_of<F>(p + 1, q, lower);
    const auto tuning = product_tuning_of(s);
    REQUIRE(tuning.has_value());
    const std::string function = pointwise_name(name, F::dim);
    // Measured: some numbers of a thread there are better than fewer warps.
    const unsigned frame = F::dim == 2 || p == 1 ? 0 : p == 3 && q == 4 ? 192 : 48;
    check_compiles(device::product_kernel{scalar_type::f64, function, {s, *tuning}}, architecture, frame);
  };
  for (const bool lower : {false, true}) {
    for (int p = 1; p <= 3; ++p)
      for (const int more : {1, 2})
        if (p + more <= 4) check(pointwise::diffusion<3>{}, "diffusion", p, p + more, lower, 90);
    for (int p = 1; p <= 8; ++p) check(pointwise::diffusion<2>{}, "diffusion", p, p + 2, lower, 90);
    check(pointwise::helmholtz<3>{}, "helmholtz", 2, 4, lower, 80);
    check(pointwise::helmholtz<2>{}, "helmholtz", 4, 6, lower, 90);
  }
}
