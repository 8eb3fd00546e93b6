// SPDX-License-Identifier: BSD-3-Clause
// A loop over elements with contractions of fixed sizes in it, inline: no plan, no allocation: element_loop [CELLS].
#include <tessera/cpu/contract.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/tessera.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using tessera::index_t;
constexpr int order = 2, d = order + 1, q = 4;  // nodes and points per direction

// snippet element
// r = (phi_i, u^3) on one element, from the values u at its nodes: to the points, u^3 there, and back.
void reaction(const double* table, const double* weights, const double* u_nodes, double* r_nodes) {
  using namespace tessera;
  double one[q * d * d], two[q * q * d], values[q * q * q];  // this function's own, on the stack
  const auto B = view(table, of_size<q, d>());
  const auto u = view(u_nodes, of_size<d, d, d>());
  const auto u1 = view(one, of_size<q, d, d>());
  const auto u2 = view(two, of_size<q, q, d>());
  const auto v = view(values, of_size<q, q, q>());

  contract<"kj,jbc->kbc">(B, u, u1);
  contract<"kj,ajc->akc">(B, u1, u2);
  contract<"kj,abj->abk">(B, u2, v);
  for (int k = 0; k < q * q * q; ++k) values[k] *= weights[k] * values[k] * values[k];
  contract<"kj,abk->abj">(B, v, u2);
  contract<"kj,akc->ajc">(B, u2, u1);
  contract<"kj,kbc->jbc">(B, u1, view(r_nodes, of_size<d, d, d>()));
}
// end snippet

// The unknowns of a cube of cells, direction by direction.
class cube {
 public:
  explicit cube(int cells) : cells_(cells), side_(order * index_t(cells) + 1) {}

  index_t elements() const { return cells_ * cells_ * cells_; }
  index_t unknowns() const { return side_ * side_ * side_; }
  index_t side() const { return side_; }
  /// The unknown at node (0, 0, 0) of an element; the others follow with steps 1, side and side squared.
  index_t first_of(index_t e) const {
    return order * (e % cells_ + side_ * (e / cells_ % cells_ + side_ * (e / cells_ / cells_)));
  }

 private:
  index_t cells_, side_;
};

template <class Visit>
void for_nodes(const cube& mesh, index_t e, const Visit& visit) {
  const index_t first = mesh.first_of(e), side = mesh.side();
  int node = 0;
  for (int k = 0; k < d; ++k)
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) visit(node++, std::size_t(first + i + side * (j + side * k)));
}

// w det J at the points of a cell of side h.
std::vector<double> weights_of(const tessera::fem::quadrature_rule& rule, double h) {
  std::vector<double> all;
  for (const double c : rule.weights)
    for (const double b : rule.weights)
      for (const double a : rule.weights) all.push_back(a * b * c * h * h * h);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fem = tessera::fem;
  const int cells = argc > 1 ? std::atoi(argv[1]) : 10;
  if (cells < 1 || cells > 200) {
    std::fprintf(stderr, "element_loop [CELLS]: 1 to 200 cells a direction\n");
    return 2;
  }
  const cube mesh(cells);
  const fem::quadrature_rule rule = fem::gauss(q);
  const std::vector<double> B = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, order), rule).B;
  const std::vector<double> weights = weights_of(rule, 1.0 / cells);
  // u = x on the unit cube: the nodes of order 2 are equidistant.
  std::vector<double> u(std::size_t(mesh.unknowns())), r(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = double(index_t(i) % mesh.side()) / double(mesh.side() - 1);

  const auto start = std::chrono::steady_clock::now();
  // snippet loop
  for (index_t e = 0; e < mesh.elements(); ++e) {
    double u_nodes[d * d * d], r_nodes[d * d * d];
    for_nodes(mesh, e, [&](int node, std::size_t unknown) { u_nodes[node] = u[unknown]; });
    reaction(B.data(), weights.data(), u_nodes, r_nodes);
    for_nodes(mesh, e, [&](int node, std::size_t unknown) { r[unknown] += r_nodes[node]; });
  }
  // end snippet
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  // Basis functions sum up to 1, so the entries of r to the integral of u^3.
  double sum = 0;
  for (const double entry : r) sum += entry;
  std::printf("%lld elements, %.0f ns each; the integral of x^3 is %.15f\n", static_cast<long long>(mesh.elements()),
              1e9 * seconds / double(mesh.elements()), sum);
  return std::abs(sum - 0.25) < 1e-12 ? 0 : 1;
}
