// SPDX-License-Identifier: BSD-3-Clause
// What holds for the E-vectors of every operator on a CPU: any layout, any elements, y += A x, several right hand
// sides.
#pragma once

#include "placed.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"

#include <tessera/fem/element_operator.hpp>

#include <cmath>
#include <numeric>
#include <vector>

namespace tessera::testing {

/// x and y = A x, both in the conventional layout, of 11 elements: no multiple of any number of lanes.
struct e_vectors {
  const fem::element_operator<double>& A;
  const std::vector<double>&x, &y;

  index_t elements() const { return A.elements(); }
  index_t components() const { return A.components(); }
  /// Of an element.
  index_t nx() const { return A.trial_size() * components(); }
  index_t ny() const { return A.test_size() * components(); }
};

inline std::vector<element_layout> layouts_of(const e_vectors& v, index_t n) {
  const int c = int(v.components());
  return {element_layout::conventional(n, c),   element_layout::by_component(n, v.elements()),
          element_layout::by_node(n, c),        element_layout::interleaved(n, c, v.A.kernel().lanes()),
          element_layout::interleaved(n, c, 3), element_layout{.entry = c, .component = 1, .block = c * n + 3}};
}

/// To the last bit, and nothing else is written.
inline void check_layouts(const e_vectors& v) {
  const index_t nx = v.A.trial_size(), ny = v.A.test_size(), C = v.components();
  for (const element_layout& in : layouts_of(v, nx))
    for (const element_layout& out : layouts_of(v, ny)) {
      std::vector<double> x(at(32 * C * nx + 64)), y(at(32 * C * ny + 64), 5.0), wanted = y;
      for (index_t e = 0; e < v.elements(); ++e)
        for (index_t c = 0; c < C; ++c) {
          for (index_t i = 0; i < nx; ++i) x[at(in.offset(i, c, e))] = v.x[at(i + nx * (c + C * e))];
          for (index_t i = 0; i < ny; ++i) wanted[at(out.offset(i, c, e))] = v.y[at(i + ny * (c + C * e))];
        }
      v.A.apply(element_set::range(0, v.elements()), {.x = x.data(), .x_layout = in, .y = y.data(), .y_layout = out});
      CHECK(y == wanted);
    }
}

/// Every range, lists, and none.
inline void check_subsets(const e_vectors& v) {
  const auto check = [&](const element_set& which, const std::vector<index_t>& members, bool adding) {
    std::vector<double> y(v.y.size(), 0.25), wanted(y);
    for (const index_t e : members)
      for (index_t i = 0; i < v.ny(); ++i) wanted[at(i + v.ny() * e)] = v.y[at(i + v.ny() * e)] + (adding ? 0.25 : 0.0);
    v.A.apply(which,
              {.x = v.x.data(), .x_layout = v.A.x_layout(), .y = y.data(), .y_layout = v.A.y_layout(), .add = adding});
    CHECK(y == wanted);
  };
  const std::vector<index_t> some{10, 3, 4, 5, 6, 7, 0, 9}, none;
  for (const bool adding : {false, true}) {
    check(element_set::of(some), some, adding);
    check(element_set::of(none), none, adding);
    for (index_t first = 0; first <= v.elements(); ++first)
      for (index_t last = first; last <= v.elements(); ++last) {
        std::vector<index_t> members(at(last - first));
        std::iota(members.begin(), members.end(), first);
        check(element_set::range(first, last), members, adding);
      }
  }
}

/// Three of them, with gaps between.
inline void check_sides(const e_vectors& v) {
  const int sides = 3;
  const index_t nx = v.nx() * v.elements(), ny = v.ny() * v.elements(), x_side = nx + 5, y_side = ny + 9;
  std::vector<double> x(at(x_side * sides)), y(at(y_side * sides), 1.5);
  for (int r = 0; r < sides; ++r)
    for (index_t i = 0; i < nx; ++i) x[at(i + r * x_side)] = (r + 1) * v.x[at(i)];
  v.A.apply(element_set::range(0, v.elements()), {.x = x.data(),
                                                  .x_layout = v.A.x_layout(),
                                                  .y = y.data(),
                                                  .y_layout = v.A.y_layout(),
                                                  .sides = sides,
                                                  .x_side = x_side,
                                                  .y_side = y_side});
  for (int r = 0; r < sides; ++r)
    for (index_t i = 0; i < ny; ++i) CHECK(std::abs(y[at(i + r * y_side)] - (r + 1) * v.y[at(i)]) <= 1e-13 * (r + 1));
  CHECK(y[at(ny)] == 1.5);
}

/// All elements together and each by itself, on a CPU or the GPU: the same bits.
inline void check_one_by_one(const fem::element_operator<double>& A, const std::vector<double>& x,
                             bool on_gpu = false) {
  const std::vector<double> nothing(at(A.test_size() * A.test_components() * A.elements()));
  const placed<double> given(x, on_gpu), one(nothing, on_gpu), each(nothing, on_gpu);
  A.apply(given.data(), one.data());
  for (index_t e = 0; e < A.elements(); ++e)
    A.apply(element_set::range(e, e + 1),
            {.x = given.data(), .x_layout = A.x_layout(), .y = each.data(), .y_layout = A.y_layout()});
  CHECK(one.read() == each.read());
  CHECK(one.read() != nothing);
}

}  // namespace tessera::testing
