// SPDX-License-Identifier: BSD-3-Clause
// Values of E-vectors at Gauss points, and integrals of them.
#pragma once

#include <tessera/fem/element_operator.hpp>

#include <vector>

namespace tessera::examples {

/// q Gauss points a direction of elements whose functions are Lagrange polynomials at the Gauss-Lobatto points.
/// How: Lagrange polynomials at the points are 1 at one of them and 0 at the others. Tested with them, a mass operator
/// gives D times the value at each point.
class at_points {
 public:
  at_points(const fem::element_nodes<double>& nodes, int order, int q)
      : values_(nodes.dim, nodes.elements, std::vector<double>(count(nodes, q), 1).data(), options(order, q)),
        weighted_(nodes, options(order, q)) {}

  /// Of one component: point k of element e at k + q^dim e.
  std::vector<double> values(const std::vector<double>& E) const { return applied(values_, E); }
  /// The weights of the points, with the Jacobian's determinant.
  std::vector<double> weights() const {
    const std::size_t entries = std::size_t(values_.trial_size() * values_.elements());
    return applied(weighted_, std::vector<double>(entries, 1));
  }

 private:
  static std::size_t count(const fem::element_nodes<double>& nodes, int q) {
    index_t points = nodes.elements;
    for (int a = 0; a < nodes.dim; ++a) points *= q;
    return std::size_t(points);
  }
  static fem::element_operator_options options(int order, int q) {
    return {.trial = {.order = order}, .test = fem::function_space{fem::basis_kind::gauss, q - 1}, .points = q};
  }
  static std::vector<double> applied(const fem::element_operator<double>& A, const std::vector<double>& E) {
    std::vector<double> result(std::size_t(A.test_size() * A.elements()));
    A.apply(E.data(), result.data());
    return result;
  }

  fem::element_operator<double> values_, weighted_;
};

}  // namespace tessera::examples
