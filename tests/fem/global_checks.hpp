// SPDX-License-Identifier: BSD-3-Clause
// An operator between L-vectors of random numbers against gather, the same operator on E-vectors, and scatter.
#pragma once

#include "dot_check.hpp"
#include "seeded.hpp"
#include "testing/catch.hpp"

#include <tessera/fem/global_operator.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace tessera::testing {

inline restriction random_restriction(index_t elements, index_t entries, int components, std::uint32_t seed) {
  const index_t nodes = elements * entries / 2 + 1;
  std::vector<std::int32_t> offsets(at(elements * entries));
  std::mt19937 random(seed);
  for (std::int32_t& offset : offsets) offset = std::int32_t(random() % std::uint32_t(nodes));
  return restriction({.elements = elements,
                      .entries = entries,
                      .components = components,
                      .size = nodes * components,
                      .offsets = offsets.data(),
                      .component_stride = nodes});
}

/// `global` has its elements as given.
template <class T>
void check_against_elements(const fem::element_operator<T>& A, const fem::global_operator<T>& global) {
  const restriction &of_x = global.kernel().trial(), &of_y = global.kernel().test();
  const std::vector<T> x = seeded<T>(of_x.size(), 21);
  std::vector<T> ex(at(of_x.elements() * of_x.entries() * of_x.components())),
      ey(at(of_y.elements() * of_y.entries() * of_y.components())), wanted(at(of_y.size())), y(at(of_y.size()));
  of_x.to_elements(x.data(), ex.data());
  A.apply(ex.data(), ey.data());
  of_y.add_from_elements(ey.data(), wanted.data());
  global.apply(x.data(), y.data());
  INFO(global.describe());
  CHECK(y == wanted);
  if (x.size() != y.size()) return;
  double dot = 0;
  global.apply_with_dot(x.data(), y.data(), &dot);
  CHECK(y == wanted);
  CHECK(is_dot(dot, x, y));
}

}  // namespace tessera::testing
