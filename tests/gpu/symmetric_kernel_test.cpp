// SPDX-License-Identifier: BSD-3-Clause
// Kernels of symmetric element matrices as they are set up and compiled, without a GPU: rules fit, NVRTC takes sources.
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/pair_tables.hpp>

#include <algorithm>
#include <string>

#include "compiled_kernel.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

matrix_facts of_kind(operator_kind kind, int dim, int p, int q, bool packed) {
  return {.kind = kind, .dim = dim, .trial = p + 1, .points = q, .test = p + 1, .packed = packed};
}
matrix_facts mass_of(int dim, int p, int q, bool packed = false) {
  return of_kind(operator_kind::mass, dim, p, q, packed);
}
matrix_facts diffusion_of(int dim, int p, int q) { return of_kind(operator_kind::diffusion, dim, p, q, false); }

}  // namespace

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
              matrix_facts f = mass_of(dim, p, p + 1 + more, lower);
              f.entry_bytes = bytes;
              const auto tuning = ruled_matrix_tuning(matrix_way::distinct, f, limits);
              INFO(dim << "-D p " << p << ", " << bytes << " bytes, sm_" << architecture);
              if (p <= 4) CHECK(tuning);
              if (architecture == 90 && p <= (dim == 3 ? 6 : 8)) CHECK(tuning);
              if (!tuning) continue;
              CHECK(*tuning == ruled_matrix_tuning(f, limits));
              CHECK(std::string(why_unfit(f, *tuning, limits)).empty());
              if (dim == 3 && p > 6) continue;
              const pair_layout layout{{dim, p + 1, p + 1 + more, bytes, lower}, *tuning};
              const device::place_table places = device::places_of_pairs(layout);
              CHECK(*std::max_element(places.at.begin(), places.at.end()) < layout.staged_entries());
            }
}

TEST_CASE("gpu pair kernel: what cannot run is said", "[element]") {
  const auto why = [&](matrix_tuning t) {
    t.way = matrix_way::distinct;
    return std::string(why_unfit(mass_of(3, 2, 5), t));
  };
  CHECK(why({}).empty());
  CHECK(why({.elements = 2, .sliced = true}) == "slices are not of one matrix");
  CHECK(why({.threads = 100}) == "threads are not whole warps of a block");
  CHECK(why({.blocks = 33}) == "too many blocks are asked for");
  CHECK(why({.elements = 200}) == "numbers of a block do not fit shared memory");
  CHECK(std::string(why_unfit(mass_of(3, 2, 5), {.way = matrix_way::count})) == "there is no such way");
  CHECK_FALSE(ruled_matrix_tuning(matrix_way::distinct, mass_of(3, 19, 21)));
  CHECK_FALSE(ruled_matrix_tuning(matrix_way::distinct, diffusion_of(3, 2, 4)));
}

TEST_CASE("gpu pair kernel: NVRTC takes it, and leaves nothing in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](const matrix_facts& f, scalar_type type, int architecture) {
    check_compiles(device::matrix_kernel{type, type, pointwise_name("mass", f.dim), f, ruled_matrix_tuning(f)},
                   architecture, 0);
  };
  for (const bool lower : {false, true}) {
    for (int p = 1; p <= 6; ++p)
      for (const int more : {1, 2}) check(mass_of(3, p, p + more, lower), scalar_type::f64, 90);
    for (int p = 1; p <= 8; ++p) check(mass_of(2, p, p + 2, lower), scalar_type::f64, 90);
    check(mass_of(1, 4, 6, lower), scalar_type::f64, 80);
    matrix_facts f = mass_of(3, 3, 5, lower);
    f.mirrored = false;
    check(f, scalar_type::f64, 90);
    f.mirrored = true;
    f.entry_bytes = 4;
    check(f, scalar_type::f32, 80);
  }
}

TEST_CASE("gpu product kernel: what cannot run is said", "[element]") {
  const auto why = [](int points, matrix_tuning t) { return std::string(why_unfit(diffusion_of(3, 3, points), t)); };
  CHECK(why(4, {.way = matrix_way::held}).empty());
  CHECK(why(4, {.way = matrix_way::threads}) == "numbers of a pair do not fit registers");
  CHECK(why(5, {.way = matrix_way::held}) == "numbers of a pair do not fit registers");
  CHECK(why(4, {.way = matrix_way::held, .elements = 0}) == "a block has nothing to do");
  CHECK(why(4, {.way = matrix_way::held, .elements = 16}) == "numbers of a block do not fit shared memory");
  CHECK(std::string(why_unfit(diffusion_of(2, 3, 4), {.way = matrix_way::held})) == "products of warps are for 3-D");
  CHECK(std::string(why_unfit(diffusion_of(3, 3, 4), {.way = matrix_way::held}, gpu_limits_of(75))) ==
        "no tensor cores for double");
}
