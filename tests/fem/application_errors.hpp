// SPDX-License-Identifier: BSD-3-Clause
// What a kernel of the GPU that runs on the host makes of E-vectors, against the definition.
#pragma once

#include "seeded.hpp"

#include <tessera/gpu/detail/element/arguments.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tessera::testing {

/// nx functions of u, ny test functions, and points; an operator is applied to so many sides and groups of components.
struct application_sizes {
  index_t nx, ny, points;
  int repeats = 1, sides = 1;
  bool unit = true;                // entries lie side by side
  index_t shift = 0, y_shift = 0;  // x and D, and y, begin so many entries behind a multiple of 16 bytes
};

/// run(arguments, descending) applies it to elements `which` of `count`, threads in ascending or descending order. The
/// worst entry's error, 1 being what rounding may do. Whatever is written that should not be, or differs when threads
/// run in another order, counts as infinite.
template <class T, class Stored, class Function, class Reference, class Run>
double worst_of_application(const application_sizes& s, const Reference& reference, index_t count,
                            const std::vector<index_t>& which, bool listed, bool add, const Run& run) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr int trials = Function::trial.components, tests = Function::test.components;
  constexpr index_t factors = Function::factors;
  const int repeats = s.repeats;
  const element_layout in = s.unit ? element_layout::conventional(s.nx, trials * repeats)
                                   : element_layout::interleaved(s.nx, trials * repeats, 3);
  const element_layout out =
      s.unit ? element_layout::conventional(s.ny, tests * repeats) : element_layout::by_node(s.ny, tests * repeats);
  const index_t size = (s.nx + s.ny) * (trials + tests) * repeats * (count + 3) + 8;
  const index_t y_entries = size * s.sides + s.y_shift;
  const std::vector<T> x = seeded<T>(size * s.sides + s.shift, 7);
  const std::vector<T> before = add ? seeded<T>(y_entries, 9) : std::vector<T>(at(y_entries), T(-12345));
  const std::vector<Stored> D = seeded<Stored>(s.points * factors * count + s.shift, 8);
  device::element_arguments<T> a{.x = x.data() + s.shift,
                                 .D = D.data() + s.shift,
                                 .x_layout = in,
                                 .y_layout = out,
                                 .list = listed ? which.data() : nullptr,
                                 .first = which.empty() ? 0 : which.front(),
                                 .count = index_t(which.size()),
                                 .x_side = size,
                                 .y_side = size,
                                 .repeats = repeats,
                                 .sides = s.sides,
                                 .add = add};
  std::vector<T> forth = before, back = before, wanted = before;
  a.y = forth.data() + s.y_shift;
  run(a, false);
  a.y = back.data() + s.y_shift;
  run(a, true);
  if (forth != back) return infinity;

  double worst = 0;
  std::vector<double> own(at(s.points * factors)), xe(at(s.nx * trials));
  for (int side = 0; side < s.sides; ++side)
    for (const index_t e : which)
      for (int repeat = 0; repeat < repeats; ++repeat) {
        for (index_t k = 0; k < s.points; ++k)
          for (index_t f = 0; f < factors; ++f)
            own[at(f + factors * k)] = double(D[at(s.shift + k + s.points * (f + factors * e))]);
        for (int c = 0; c < trials; ++c)
          for (index_t i = 0; i < s.nx; ++i)
            xe[at(i + s.nx * c)] = double(x[at(s.shift + size * side + in.offset(i, repeat * trials + c, e))]);
        const auto y = reference.apply(xe.data(), own.data()), sizes = reference.magnitudes(xe.data(), own.data());
        for (int c = 0; c < tests; ++c)
          for (index_t i = 0; i < s.ny; ++i) {
            const std::size_t here = at(s.y_shift + size * side + out.offset(i, repeat * tests + c, e));
            const double old = add ? double(before[here]) : 0;
            const std::size_t place = at(i + s.ny * c);
            const long double off = std::abs(forth[here] - y[place] - old);
            const long double bound = gamma<T>(reference.roundings() + 1) * (sizes[place] + std::abs(old));
            worst = off <= bound ? std::max(worst, double(off / bound)) : infinity;
            if (std::isinf(worst)) return infinity;
            wanted[here] = forth[here];
          }
      }
  return forth == wanted ? worst : infinity;
}

}  // namespace tessera::testing
