// SPDX-License-Identifier: BSD-3-Clause
// An element operator on a CPU and on the GPU, and whether both do the same.
#pragma once

#include "element_checks.hpp"
#include "testing/jit.hpp"
#include "testing/take_worst.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::testing {

// An operator on both sides: a vector mass in the plane, unless another one is named.
struct both_sides {
  static constexpr index_t elements = 11;
  fem::element_operator_options given;
  int dim;

  both_sides() : both_sides({.trial = {.order = 2}, .components = 2, .points = 4}, 2) {}
  both_sides(const fem::element_operator_options& o, int in_dim) : given(o), dim(in_dim) {}

  index_t points = given.tables ? given.tables->points : power(given.points, dim);
  std::vector<double> D = seeded<double>(elements * factors_of(given.kind, dim) * points, 1);
  fem::element_operator_options options(bool on_gpu) const {
    fem::element_operator_options o = given;
    if (on_gpu) o.on = target::cuda;
    return o;
  }
  fem::element_operator<double> cpu{dim, elements, D.data(), options(false)};
  fem::element_operator<double> gpu{dim, elements, D.data(), options(true)};
  index_t n = cpu.trial_size(), entries = n * given.components * elements;
  std::vector<double> x = seeded<double>(entries, 2);
};

// Entries of b are at least of that size, or rounding is counted from it.
inline bool near(const std::vector<double>& a, const std::vector<double>& b, double least = 1) {
  double worst = 0, largest = least;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    take_worst(worst, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return a.size() == b.size() && largest > 0 && worst <= 2e-13 * largest;
}

// Of the same application on both sides, the layouts' vectors starting with zeros; lists are copied to the device. x
// and y start so many entries behind where memory does.
inline bool agree(const both_sides& s, const element_set& which, application<double> a, index_t room,
                  index_t behind = 0) {
  std::vector<double> x = seeded<double>(room * a.sides + behind, 3), y = seeded<double>(room * a.sides + behind, 4);
  const placed<double> gx(x, true), gy(y, true);
  const std::vector<index_t> list(which.list.begin(), which.list.end());
  a.x_side = a.y_side = room;
  a.x = x.data() + behind, a.y = y.data() + behind;
  s.cpu.apply(which, a);
  a.x = gx.data() + behind, a.y = gy.data() + behind;
  if (which.listed) {
    const placed<index_t> there(list, true);
    s.gpu.apply(element_set::of({there.data(), list.size()}), a);
    return near(gy.read(), y);
  }
  s.gpu.apply(which, a);
  return near(gy.read(), y);
}

// Layouts, ranges, lists, right hand sides, +=.
inline void check_layouts(const both_sides& s) {
  const auto layouts = [&](index_t n) {
    const int c = s.given.components;
    return std::vector<element_layout>{element_layout::conventional(n, c), element_layout::by_component(n, s.elements),
                                       element_layout::by_node(n, c), element_layout::interleaved(n, c, 4)};
  };
  const index_t room = s.n * 2 * 32 + 64;
  const std::vector<index_t> some{10, 3, 4, 0, 9};
  for (const element_layout& in : layouts(s.cpu.trial_size()))
    for (const element_layout& out : layouts(s.cpu.test_size())) {
      const application<double> a{.x_layout = in, .y_layout = out};
      application<double> more = a;
      more.add = true;
      more.sides = 3;
      CHECK(agree(s, element_set::range(0, s.elements), a, room));
      CHECK(agree(s, element_set::range(2, 7), more, room));
      CHECK(agree(s, element_set::of(some), more, room));
    }
  const application<double> plain{.x_layout = s.gpu.x_layout(), .y_layout = s.gpu.y_layout()};
  CHECK(agree(s, element_set::of(some), plain, room));
  CHECK(agree(s, element_set::range(3, 3), plain, room));
}

}  // namespace tessera::testing
