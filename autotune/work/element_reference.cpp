// SPDX-License-Identifier: BSD-3-Clause
// The same definition as in the checks of tessera-bench.
#include "work/element_reference.hpp"

#include <cmath>
#include <limits>

#include <tessera/element/operators.hpp>

#include "definition/dense_element.hpp"

namespace tessera::tune {

namespace {

template <class Function, class T>
std::string fault_with(const bench::element_sizes& s, const T* x, const std::vector<T>& D, const T* y) {
  const bench::dense_element<Function> dense(s);
  const auto wanted = dense.apply(x, D.data(), false), sizes = dense.apply(x, D.data(), true);
  // Roundings on the longest path.
  const double n = 2 * (s.dim + 1) * (2 * (s.p + 1) + 2 * s.q + 8) + 8 * s.dim * s.dim + 21;
  const double u = std::numeric_limits<T>::epsilon() / 2, gamma = n * u / (1 - n * u);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    // Not `>`: NaN is wrong.
    if (!(std::abs(double(y[i] - wanted[i])) <= gamma * double(sizes[i])))
      return "wrong result in entry " + std::to_string(i) + ": " + std::to_string(y[i]) + ", dense sums give " +
             std::to_string(double(wanted[i]));
  return {};
}

}  // namespace

template <class T>
std::string fault_in_element(const tuning_case& c, const T* x, const std::vector<T>& D, const T* y) {
  const element_case& e = *c.element;
  const bench::element_sizes s{.kind = e.kind,
                               .dim = e.dim,
                               .components = coupled_components(e.kind, e.dim),
                               .p = e.p,
                               .q = e.q,
                               .nodal = e.nodal};
  return with_function(e.kind, e.dim, [&]<class F>(const F&) { return fault_with<F>(s, x, D, y); });
}

template std::string fault_in_element(const tuning_case&, const float*, const std::vector<float>&, const float*);
template std::string fault_in_element(const tuning_case&, const double*, const std::vector<double>&, const double*);

}  // namespace tessera::tune
