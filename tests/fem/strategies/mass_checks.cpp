// SPDX-License-Identifier: BSD-3-Clause
// Compares mass operators with their definition.
#include "mass_checks.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"

#include <algorithm>
#include <random>
#include <string>

namespace tessera::testing {

namespace {

const char* name_of(fem::basis_kind kind) {
  return kind == fem::basis_kind::gauss ? "gauss" : kind == fem::basis_kind::bernstein ? "bernstein" : "gauss_lobatto";
}

// Finds its own grid; the strategy does not matter.
reference_mass reference_of(const mass_case& c, const fem::mesh& domain) {
  mass_case on_cpu = c;
  on_cpu.space = space_kind::cpu;
  on_cpu.plans = {};
  const fem::mass_operator<double> like(domain, c.order, on_cpu.options(fem::strategy::matrix_free));
  return reference_mass(domain, c.order, like, c.kind, c.rho);
}

// Cholesky of a (n,n) matrix succeeds.
bool is_positive_definite(std::vector<double> m, index_t n) {
  for (index_t j = 0; j < n; ++j) {
    for (index_t k = 0; k < j; ++k) m[at(j + n * j)] -= m[at(j + n * k)] * m[at(j + n * k)];
    if (!(m[at(j + n * j)] > 0)) return false;
    const double root = std::sqrt(m[at(j + n * j)]);
    m[at(j + n * j)] = root;
    for (index_t i = j + 1; i < n; ++i) {
      for (index_t k = 0; k < j; ++k) m[at(i + n * j)] -= m[at(i + n * k)] * m[at(j + n * k)];
      m[at(i + n * j)] /= root;
    }
  }
  return true;
}

template <class T>
std::vector<T> applied(const mass_case& c, fem::mass_operator<T>& M, const std::vector<T>& x) {
  fem::field<T> in = M.vector(), out = M.vector();
  in.set(x);
  out.set(std::vector<T>(x.size(), std::numeric_limits<T>::quiet_NaN()));  // beta = 0 must not read it
  M.apply(in, out);
  if (c.space == space_kind::gpu) stream_view{}.synchronize();
  return out.host();
}

}  // namespace

template <class T>
std::string words(const mass_case& c) {
  std::string points;
  for (const int q : c.points) points += std::to_string(q) + " ";
  return std::to_string(c.dim()) + "-D, order " + std::to_string(c.order) + ", geometry " + std::to_string(c.geometry) +
         ", points " + (points.empty() ? "p+2" : points) + ", " + name_of(c.kind) + ", " +
         tessera::name_of(scalar_of<T>) + ", " + tessera::name_of(c.space) +
         (c.plans.on ? std::string(" ") + tessera::name_of(*c.plans.on) : "");
}

template <class T>
void check_strategies(const mass_case& c, const std::vector<fem::strategy>& which) {
  INFO(words<T>(c));
  const fem::mesh domain = c.domain();
  const reference_mass reference = reference_of(c, domain);
  const index_t nd = reference.functions(), nq = reference.points();
  const std::vector<T> x = seeded<T>(nd * domain.elements(), 7);
  for (const fem::strategy how : which) {
    INFO(fem::name_of(how));
    fem::mass_operator<T> M(domain, c.order, c.options(how));
    const std::vector<T> y = applied(c, M, x);
    const std::vector<int> q = M.grid().points();
    // D of set-up is rounded in double, D on the fly in T.
    const std::vector<double> magnitudes = determinant_magnitudes(domain, M.grid(), c.rho);
    const double n_D = determinant_roundings(c.dim(), c.geometry + 1);
    const double bound_D = gamma<double>(n_D) + (how == fem::strategy::matrix_free ? gamma<T>(n_D) : 0);
    const double bound = gamma<T>(roundings(how, q, c.order + 1, double(nd), double(nq)));
    double worst = 0;
    bool finite = true;
    for (index_t e = 0; e < domain.elements(); ++e) {
      std::vector<double> xe(x.begin() + e * nd, x.begin() + (e + 1) * nd);
      const double* D = reference.D().data() + e * nq;
      const std::vector<long double> exact = reference.apply(xe.data(), D);
      const std::vector<double> size = reference.magnitudes(xe.data(), D),
                                size_D = reference.magnitudes(xe.data(), magnitudes.data() + e * nq);
      for (index_t i = 0; i < nd; ++i) {
        const double allowed = bound * size[at(i)] + bound_D * size_D[at(i)];
        const double difference = std::abs(double(y[at(i + nd * e)] - exact[at(i)]));
        finite = finite && difference == difference;
        worst = std::max(worst, difference / allowed);
      }
    }
    CHECK(finite);
    CHECK(worst <= 1);
  }
}

template <class T>
void check_volume(const mass_case& c, fem::strategy how) {
  INFO(words<T>(c) << ", " << fem::name_of(how));
  const fem::mesh domain = c.domain();
  fem::mass_operator<T> M(domain, c.order, c.options(how));
  const std::vector<T> ones(at(M.size() * domain.elements()), T(1));
  const std::vector<T> y = applied(c, M, ones);
  double sum = 0, magnitude = 0, magnitude_D = 0;
  for (const T value : y) sum += value;
  // Partition of unity: B 1 = 1, with |B| 1 at most some units a direction; measured with the definition.
  const reference_mass reference = reference_of(c, domain);
  const std::vector<double> x(at(M.size()), 1.0), sizes = determinant_magnitudes(domain, M.grid(), c.rho);
  for (index_t e = 0; e < domain.elements(); ++e) {
    for (const double v : reference.magnitudes(x.data(), reference.D().data() + e * reference.points())) magnitude += v;
    for (const double v : reference.magnitudes(x.data(), sizes.data() + e * reference.points())) magnitude_D += v;
  }
  const std::vector<int> q = M.grid().points();
  const double n = roundings(how, q, c.order + 1, double(M.size()), double(M.grid().size()));
  const double n_D = determinant_roundings(c.dim(), c.geometry + 1);
  const double bound = gamma<T>(n) * magnitude + gamma<double>(double(y.size())) * magnitude +
                       (gamma<double>(n_D) + (how == fem::strategy::matrix_free ? gamma<T>(n_D) : 0)) * magnitude_D;
  CHECK(std::abs(sum - 1) <= bound);
  // Round-off in plain words, too: the bound above may be generous, this is not.
  CHECK(std::abs(sum - 1) <= 64 * std::numeric_limits<T>::epsilon());
}

template <class T>
void check_matrices(const mass_case& c, fem::strategy how) {
  INFO(words<T>(c) << ", " << fem::name_of(how));
  const fem::mesh domain = c.domain();
  fem::mass_operator<T> operation(domain, c.order, c.options(how));
  fem::field<T> all = operation.matrices();
  operation.assemble(all);
  if (c.space == space_kind::gpu) stream_view{}.synchronize();
  const std::vector<T> M = all.host();
  const reference_mass reference = reference_of(c, domain);
  const index_t n = operation.size();
  const std::vector<int> q = operation.grid().points();
  const double n_D = determinant_roundings(c.dim(), c.geometry + 1);
  const double gamma_M =
      gamma<T>(roundings(how == fem::strategy::full_assembly ? how : fem::strategy::near_optimal_assembly, q,
                         c.order + 1, double(n), double(operation.grid().size())));
  const double gamma_D = gamma<double>(n_D) + (how == fem::strategy::matrix_free ? gamma<T>(n_D) : 0);
  const std::vector<double> magnitudes = determinant_magnitudes(domain, operation.grid(), c.rho);
  const index_t nq = reference.points();
  double worst = 0, asymmetry = 0;
  bool positive = true;
  for (index_t e = 0; e < domain.elements(); ++e) {
    const T* Me = M.data() + n * n * e;
    std::vector<double> symmetric(at(n * n));
    for (index_t j = 0; j < n; ++j)
      for (index_t i = 0; i < n; ++i) {
        const double size = reference.entry_magnitude(i, j, reference.D().data() + e * nq);
        const double allowed = gamma_M * size + gamma_D * reference.entry_magnitude(i, j, magnitudes.data() + e * nq);
        worst = std::max(worst, std::abs(double(Me[i + n * j] - reference.entry(i, j, e))) / allowed);
        asymmetry = std::max(asymmetry, std::abs(double(Me[i + n * j]) - double(Me[j + n * i])) / (2 * gamma_M * size));
        symmetric[at(i + n * j)] = (double(Me[i + n * j]) + double(Me[j + n * i])) / 2;
      }
    positive = positive && is_positive_definite(std::move(symmetric), n);
  }
  CHECK(worst <= 1);
  CHECK(asymmetry <= 1);
  CHECK(positive);
}

template std::string words<float>(const mass_case&);
template std::string words<double>(const mass_case&);
template void check_strategies<float>(const mass_case&, const std::vector<fem::strategy>&);
template void check_strategies<double>(const mass_case&, const std::vector<fem::strategy>&);
template void check_volume<float>(const mass_case&, fem::strategy);
template void check_volume<double>(const mass_case&, fem::strategy);
template void check_matrices<float>(const mass_case&, fem::strategy);
template void check_matrices<double>(const mass_case&, fem::strategy);

}  // namespace tessera::testing
