// SPDX-License-Identifier: BSD-3-Clause
// D and the tables of the plain element loop.
#include "plain_operator.hpp"

#include <algorithm>

namespace tessera::demo {

namespace {

std::vector<double> transposed(const std::vector<double>& table, int rows) {
  const std::size_t m = std::size_t(rows), n = table.size() / m;
  std::vector<double> other(table.size());
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) other[j + n * i] = table[i + m * j];
  return other;
}

// Derivatives of the geometry's functions at all points, (points,n,3): directly, not by sum factorisation.
std::vector<double> gradients_of(const fem::basis_tables& t) {
  const int q = t.q, g = t.d, n = g * g * g, points = q * q * q;
  std::vector<double> gradients;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < points; ++k) {
        const int at[] = {k % q + q * (i % g), k / q % q + q * (i / g % g), k / q / q + q * (i / g / g)};
        double product = 1;
        for (int b = 0; b < 3; ++b) product *= (b == a ? t.G : t.B)[std::size_t(at[b])];
        gradients.push_back(product);
      }
  return gradients;
}

// J(c,a) = d X_c / d xi_a at a point.
struct jacobian {
  double at[3][3];

  // Row a of the inverse times the determinant.
  double cofactor(int a, int c) const {
    const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return at[c1][a1] * at[c2][a2] - at[c2][a1] * at[c1][a2];
  }
  double determinant() const {
    return at[0][0] * cofactor(0, 0) + at[1][0] * cofactor(0, 1) + at[2][0] * cofactor(0, 2);
  }
};

}  // namespace

plain_operator::plain_operator(const bent_box& mesh, const element_sizes& s)
    : elements_(mesh.elements()),
      loop_(s.kind == operator_kind::mass ? best_peers().mass(s.p) : best_peers().diffusion(s.p)),
      D_(std::size_t(s.points() * s.factors() * elements_)) {
  const fem::quadrature_rule rule = fem::gauss(int(s.q()));
  B_ = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, s.p), rule).B;
  // Functions of degree q - 1 through the points, hence the kind.
  C_ = fem::tabulate(fem::basis(fem::basis_kind::gauss, int(s.q()) - 1), rule).G;
  Bt_ = transposed(B_, int(s.q()));
  Ct_ = transposed(C_, int(s.q()));
  compute(mesh, s);
}

void plain_operator::compute(const bent_box& mesh, const element_sizes& s) {
  const fem::quadrature_rule rule = fem::gauss(int(s.q()));
  const fem::element_nodes<double> nodes = mesh.nodes();
  const fem::basis_tables geometry = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, nodes.order), rule);
  const std::vector<double> gradients = gradients_of(geometry);
  const index_t q = s.q(), points = s.points(), n = index_t(geometry.d) * geometry.d * geometry.d;
  const auto weight = [&](index_t k) { return rule.weights[std::size_t(k)]; };
#pragma omp parallel
  {
    std::vector<double> J(std::size_t(9 * points));  // (points,3,3)
#pragma omp for schedule(static)
    for (index_t e = 0; e < elements_; ++e) {
      std::fill(J.begin(), J.end(), 0.0);
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
          for (index_t i = 0; i < n; ++i) {
            const double X = nodes.coordinates[i + n * (c + 3 * e)], *const g = gradients.data() + points * (i + n * a);
            double* const to = J.data() + points * (a + 3 * c);
            for (index_t k = 0; k < points; ++k) to[k] += X * g[k];
          }
      for (index_t k = 0; k < points; ++k) {
        jacobian own;
        for (int c = 0; c < 3; ++c)
          for (int a = 0; a < 3; ++a) own.at[c][a] = J[std::size_t(k + points * (a + 3 * c))];
        const double w = weight(k % q) * weight(k / q % q) * weight(k / q / q), det = own.determinant();
        double* const D = D_.data() + k + points * s.factors() * e;
        if (s.kind == operator_kind::mass) {
          *D = w * det;
          continue;
        }
        int f = 0;
        for (int a = 0; a < 3; ++a)
          for (int b = a; b < 3; ++b, ++f) {
            double sum = 0;
            for (int c = 0; c < 3; ++c) sum += own.cofactor(a, c) * own.cofactor(b, c);
            D[points * f] = w * sum / det;
          }
      }
    }
  }
}

}  // namespace tessera::demo
