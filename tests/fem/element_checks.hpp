// SPDX-License-Identifier: BSD-3-Clause
// The checks that element operators have to pass on any target.
#pragma once

#include "placed.hpp"
#include "reference_element.hpp"
#include "seeded.hpp"
#include "testing/catch.hpp"

#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tessera::testing {

inline std::size_t entry(index_t i) { return static_cast<std::size_t>(i); }

inline fem::quadrature_rule rule_of(const fem::element_operator_options& o) {
  return o.rule == fem::points_kind::gauss ? fem::gauss(o.points) : fem::gauss_lobatto(o.points);
}

inline std::string words(const fem::element_operator_options& o, int dim, const std::string& kernel) {
  return std::to_string(dim) + "-D order " + std::to_string(o.trial.order) + ", " + std::to_string(o.points) +
         (o.rule == fem::points_kind::gauss ? " gauss" : " gauss_lobatto") + " points: " + kernel;
}

// y of every element is the definition's, over random x and D; the rest of y, before and behind, is untouched.
template <class T, class Function>
void check_definition(fem::element_operator_options o, index_t elements) {
  constexpr int dim = Function::dim;
  o.components = std::max(o.components, Function::trial.components);
  const fem::basis trial(o.trial.kind, o.trial.order),
      test(o.test ? o.test->kind : o.trial.kind, o.test ? o.test->order : o.trial.order);
  const reference_element<Function> reference(trial, test, rule_of(o));
  const index_t coupled = Function::trial.components, nx = reference.trial_size(), ny = reference.test_size();
  const index_t entries = reference.points() * Function::factors;
  const std::vector<T> x = seeded<T>(nx * o.components * elements, 7), D = seeded<T>(entries * elements, 8);
  std::vector<T> y(entry(ny * o.components * elements + 2), std::numeric_limits<T>::quiet_NaN());
  const fem::element_operator<T> A(dim, elements, D.data(), o);
  INFO(words(o, dim, A.describe()) << ", " << elements << " elements");
  {
    const placed<T> on_x(x, o.on == target::cuda);
    placed<T> on_y(y, o.on == target::cuda);
    A.apply(on_x.data(), on_y.data() + 1);
    y = on_y.read();
  }

  const std::vector<double> xd(x.begin(), x.end()), Dd(D.begin(), D.end());
  double worst = 0;
  for (index_t e = 0; e < elements; ++e)
    for (index_t c = 0; c < o.components; c += coupled) {
      const double* const xe = xd.data() + nx * (c + o.components * e);
      const auto wanted = reference.apply(xe, Dd.data() + entries * e);
      const auto sizes = reference.magnitudes(xe, Dd.data() + entries * e);
      for (index_t i = 0; i < ny * coupled; ++i) {
        const T got = y[entry(1 + i + ny * (c + o.components * e))];
        const auto bound = static_cast<long double>(gamma<T>(reference.roundings())) * sizes[entry(i)];
        const auto off = std::abs(static_cast<long double>(got) - wanted[entry(i)]);
        worst = std::max(worst, off <= bound ? static_cast<double>(off / bound) : 2.0);
      }
    }
  CHECK(worst <= 1);
  CHECK(std::isnan(y.front()));
  CHECK(std::isnan(y.back()));
}

template <class T, int dim>
void check_all_operators(fem::element_operator_options o, index_t elements) {
  for_each_kind([&]<operator_kind kind>(known_kind<kind>) {
    o.kind = kind;
    check_definition<T, operator_function<kind, dim>>(o, elements);
  });
}

template <class T>
void check_all_dimensions(const fem::element_operator_options& o, index_t elements) {
  check_all_operators<T, 1>(o, elements);
  check_all_operators<T, 2>(o, elements);
  check_all_operators<T, 3>(o, elements);
}

}  // namespace tessera::testing
