// SPDX-License-Identifier: BSD-3-Clause
// Element operators on meshes of curved squares and cubes: patch tests, null spaces, symmetry, orders of convergence.
#include "seeded.hpp"
#include "simplex_mesh.hpp"
#include "testing/catch.hpp"
#include "vectors.hpp"

#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_operator;
using fem::element_operator_options;

using function = std::function<double(const fem::point&)>;

double largest(const std::vector<double>& a) {
  double most = 0;
  for (const double value : a) most = std::max(most, std::abs(value));
  return most;
}

/// Unknowns of order p of a code with cells x cells (x cells) elements that are bent inside: the nodes of a mesh of
/// that order, where isoparametric elements have theirs.
class problem {
 public:
  problem(int dim, int cells, int p, double bend)
      : dim_(dim),
        flat_(std::vector<int>(at(dim), cells), p),
        bent_(std::vector<int>(at(dim), cells), p, bubble(dim, bend)) {
    const std::vector<double> places(flat_.coordinates().begin(), flat_.coordinates().end());
    number_ = numbered(places, dim, flat_.elements(), count_);
    inside_.assign(at(count_), true);
    places_.resize(at(count_));
    for (std::size_t e = 0; e < at(flat_.elements()); ++e)
      for (std::size_t i = 0; i < at(flat_.nodes()); ++i) {
        const std::size_t own = at(number_[i + at(flat_.nodes()) * e]);
        for (std::size_t c = 0; c < at(dim); ++c) {
          const std::size_t entry = i + at(flat_.nodes()) * (c + at(dim) * e);
          places_[own][c] = bent_.coordinates()[entry];
          if (places[entry] < 1e-9 || places[entry] > 1 - 1e-9) inside_[own] = false;
        }
      }
  }

  int dim() const { return dim_; }
  element_operator<double> made(operator_kind kind, const std::vector<double>& coefficients,
                                element_form form = element_form::partial_assembly) const {
    fem::element_nodes<double> nodes = fem::nodes_of(bent_);
    nodes.coefficients = coefficients;
    return {
        nodes,
        {.kind = kind, .trial = {.order = bent_.order()}, .components = coupled_components(kind, dim_), .form = form}};
  }
  /// f at the unknowns, for each of its components behind each other.
  std::vector<double> at_unknowns(const std::vector<function>& f) const {
    std::vector<double> values;
    for (const function& component : f)
      for (const fem::point& place : places_) values.push_back(component(place));
    return values;
  }
  /// y = A x of the mesh; 0 on the boundary where `inside_only`.
  std::vector<double> apply(const element_operator<double>& A, const std::vector<double>& x,
                            bool inside_only = false) const {
    const std::size_t n = at(A.trial_size()), parts = at(A.components()), all = at(count_);
    std::vector<double> own(n * parts * at(A.elements())), y(x.size());
    const auto each = [&](auto work) {
      for (std::size_t e = 0; e < at(A.elements()); ++e)
        for (std::size_t c = 0; c < parts; ++c)
          for (std::size_t i = 0; i < n; ++i) work(own[i + n * (c + parts * e)], at(number_[i + n * e]), c);
    };
    each([&](double& entry, std::size_t number, std::size_t c) { entry = x[number + all * c]; });
    const std::vector<double> given = own;
    A.apply(given.data(), own.data());
    each([&](double& entry, std::size_t number, std::size_t c) {
      if (!inside_only || inside_[number]) y[number + all * c] += entry;
    });
    return y;
  }

 private:
  int dim_, count_ = 0;
  fem::mesh flat_, bent_;
  std::vector<int> number_;
  std::vector<bool> inside_;
  std::vector<fem::point> places_;
};

/// Of the solution u = sin(pi x) sin(pi y) .. of rho u - div kappa grad u = f: the error in the L2 norm.
double error_of(int dim, int cells, int p, operator_kind kind, element_form form) {
  const double pi = std::acos(-1.0), kappa = 0.5, rho = kind == operator_kind::helmholtz ? 3.0 : 0.0;
  const problem on(dim, cells, p, 0.08);
  const auto exact = [&](const fem::point& x) {
    double u = 1;
    for (int c = 0; c < dim; ++c) u *= std::sin(pi * x[at(c)]);
    return u;
  };
  const element_operator<double> A =
      on.made(kind, rho > 0 ? std::vector<double>{rho, kappa} : std::vector<double>{kappa}, form);
  const element_operator<double> M = on.made(operator_kind::mass, {1}, form);
  const std::vector<double> u = on.at_unknowns({exact});
  std::vector<double> f = u;
  for (double& value : f) value *= rho + kappa * dim * pi * pi;
  std::vector<double> off =
      solved([&](const std::vector<double>& x) { return on.apply(A, x, true); }, on.apply(M, f, true));
  for (std::size_t i = 0; i < off.size(); ++i) off[i] -= u[i];
  return std::sqrt(dot(off, on.apply(M, off)));
}

constexpr element_form both_forms[] = {element_form::partial_assembly, element_form::matrix_free};

}  // namespace

TEST_CASE("cubes: solutions converge as their order promises, on curved elements", "[fem][element]") {
  for (const operator_kind kind : {operator_kind::diffusion, operator_kind::helmholtz})
    for (const element_form form : both_forms) {
      for (const int p : {1, 2, 3, 4}) {
        const double rate = std::log2(error_of(2, 4, p, kind, form) / error_of(2, 8, p, kind, form));
        INFO(name_of(kind) << ", squares, order " << p << ": rate " << rate);
        CHECK(rate > p + 0.5);
      }
      for (const int p : {1, 2, 3}) {
        const double rate = std::log2(error_of(3, 5 - p, p, kind, form) / error_of(3, 10 - 2 * p, p, kind, form));
        INFO(name_of(kind) << ", cubes, order " << p << ": rate " << rate);
        CHECK(rate > p + 0.5);
      }
    }
}

TEST_CASE("cubes: patch tests, linear fields are in equilibrium on curved elements", "[fem][element]") {
  for (const int dim : {2, 3})
    for (const int p : {1, 2, 3, 5})
      for (const element_form form : both_forms) {
        const problem on(dim, dim == 2 ? 3 : 2, p, 0.1);
        const auto linear = [](double a, double b, double c) {
          return [=](const fem::point& x) { return 1 + a * x[0] + b * x[1] + c * x[2]; };
        };
        const std::vector<double> K =
            dim == 2 ? std::vector<double>{2, 0.5, 3} : std::vector<double>{2, 0.5, 0.25, 3, -0.5, 4};
        const element_operator<double> diffusion = on.made(operator_kind::diffusion, K, form);
        const std::vector<double> u = on.at_unknowns({linear(1.5, -2, 0.5)});
        INFO(diffusion.describe());
        CHECK(largest(on.apply(diffusion, u)) > 0.01);  // not on the boundary
        CHECK(largest(on.apply(diffusion, u, true)) <= 1e-12);

        const element_operator<double> elasticity = on.made(operator_kind::elasticity, {1.5, 0.75}, form);
        std::vector<function> strain{linear(0.3, -0.2, 0.1), linear(0.7, 0.4, -0.6)},
            rigid{linear(0, -1, 2), linear(1, 0, -3)};
        if (dim == 3) strain.push_back(linear(-0.5, 0.2, 0.9)), rigid.push_back(linear(-2, 3, 0));
        CHECK(largest(on.apply(elasticity, on.at_unknowns(strain))) > 0.01);
        CHECK(largest(on.apply(elasticity, on.at_unknowns(strain), true)) <= 1e-12);
        CHECK(largest(on.apply(elasticity, on.at_unknowns(rigid))) <= 1e-11);
      }
}

TEST_CASE("cubes: constants are all that diffusion does not see, of every order", "[fem][element]") {
  for (const int dim : {2, 3})
    for (int p = 1; p <= (dim == 2 ? 16 : 8); ++p)
      for (const element_form form : both_forms) {
        const problem on(dim, 2, p, 0.1);
        const element_operator<double> diffusion = on.made(operator_kind::diffusion, {0.5}, form);
        const element_operator<double> mass = on.made(operator_kind::mass, {2}, form);
        const element_operator<double> helmholtz = on.made(operator_kind::helmholtz, {2, 0.5}, form);
        const element_operator<double> elasticity = on.made(operator_kind::elasticity, {1.5, 0.75}, form);
        const std::vector<double> one = on.at_unknowns({[](const fem::point&) { return 1.0; }});
        INFO(diffusion.describe());
        CHECK(largest(on.apply(diffusion, one)) <= 1e-11);
        CHECK(std::abs(dot(one, on.apply(mass, one)) - 2) <= 1e-11);
        for (const element_operator<double>* A : {&mass, &diffusion, &helmholtz, &elasticity}) {
          const index_t size = index_t(one.size()) * A->components();
          const std::vector<double> v = seeded<double>(size, 9), w = seeded<double>(size, 10), Aw = on.apply(*A, w);
          CHECK(std::abs(dot(v, Aw) - dot(w, on.apply(*A, v))) <= 1e-12 * dot(w, Aw));
          CHECK(dot(w, Aw) > 0);
        }
      }
}
