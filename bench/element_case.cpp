// SPDX-License-Identifier: BSD-3-Clause
// Counts, fills and checks cases of element operators.
#include "element_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/element/pointwise.hpp>

#include "gpu/device.hpp"

namespace tessera::bench {

namespace {

constexpr int checked_elements = 4;

std::size_t at(index_t i) { return std::size_t(i); }

// In [-1, 1), the same everywhere.
double value_at(index_t i, unsigned seed) {
  unsigned long long z =
      (static_cast<unsigned long long>(i) + 1) * 0x9e3779b97f4a7c15ull + seed * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

template <class T>
void fill(std::span<T> values, unsigned seed) {
#pragma omp parallel for
  for (index_t i = 0; i < index_t(values.size()); ++i) values[at(i)] = T(value_at(i, seed));
}

fem::quadrature_rule rule_of(const element_sizes& s) { return s.nodal ? fem::gauss_lobatto(s.q) : fem::gauss(s.q); }

// Dense sums over one element; with `sizes`, of absolute values, tables with their reverse as even and odd halves see
// them.
template <class Function>
class dense_element {
 public:
  static constexpr int dim = Function::dim, components = Function::trial.components;

  explicit dense_element(const element_sizes& s) : s_(s) {
    const fem::quadrature_rule rule = rule_of(s);
    tables_ = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, s.p), rule);
    sizes_ = tables_;
    const std::vector<double> C = fem::differentiation_matrix(rule.points);
    const index_t q = tables_.q, d = tables_.d;
    for (index_t i = 0; i < d; ++i) {
      for (index_t k = 0; k < q; ++k)
        sizes_.B[at(k + q * i)] = std::abs(tables_.B[at(k + q * i)]) + std::abs(tables_.B[at(k + q * (d - 1 - i))]);
      for (index_t k = 0; k < q; ++k) {
        double sum = 0;
        for (index_t l = 0; l < q; ++l)
          sum += (std::abs(C[at(k + q * l)]) + std::abs(C[at(k + q * (q - 1 - l))])) * sizes_.B[at(l + q * i)];
        sizes_.G[at(k + q * i)] = sum;
      }
    }
  }

  template <class T>
  std::vector<long double> apply(const T* x, const T* D, bool sizes) const {
    const auto sign = [&](T value) -> long double { return sizes ? std::abs((long double)value) : value; };
    const fem::basis_tables& t = sizes ? sizes_ : tables_;
    const index_t n = s_.functions();
    std::vector<long double> y(at(n * components)), factors(at(n * (dim + 1)));
    for (index_t k = 0; k < s_.points(); ++k) {
      at_point<long double, components, dim> u{}, v{};
      for (index_t i = 0; i < n; ++i)
        for (int a = 0; a <= dim; ++a) {
          long double product = 1;
          for (index_t b = 0, kk = k, ii = i; b < dim; ++b, kk /= t.q, ii /= t.d)
            product *= (b + 1 == a ? t.G : t.B)[at(kk % t.q + t.q * (ii % t.d))];
          factors[at(a + (dim + 1) * i)] = product;
        }
      for (int c = 0; c < components; ++c)
        for (index_t i = 0; i < n; ++i) {
          u.value[c] += factors[at((dim + 1) * i)] * sign(x[i + n * c]);
          for (int a = 0; a < dim; ++a) u.gradient[c][a] += factors[at(a + 1 + (dim + 1) * i)] * sign(x[i + n * c]);
        }
      long double own[Function::factors];
      for (int f = 0; f < Function::factors; ++f) own[f] = sign(D[f + Function::factors * k]);
      Function{}(u, own, v);
      for (int c = 0; c < components; ++c)
        for (index_t i = 0; i < n; ++i) {
          if (Function::test.value) y[at(i + n * c)] += factors[at((dim + 1) * i)] * v.value[c];
          if (Function::test.gradient)
            for (int a = 0; a < dim; ++a) y[at(i + n * c)] += factors[at(a + 1 + (dim + 1) * i)] * v.gradient[c][a];
        }
    }
    return y;
  }

 private:
  element_sizes s_;
  fem::basis_tables tables_, sizes_;
};

template <class T, class Function>
verdict checked(const element_case<T>& c) {
  const element_sizes& s = c.sizes;
  const dense_element<Function> dense(s);
  const index_t n = s.functions(), coupled = Function::trial.components, entries = s.points() * Function::factors;
  verdict v;
  // Roundings on the longest way; per unit of the magnitudes, which count every product of the way.
  v.bound = gamma_bound(2 * (s.dim + 1) * (2 * (s.p + 1) + 2 * s.q + 8) + 8 * s.dim * s.dim + 21, scalar_of<T>);
  for (const index_t e : sample_positions(c.elements, checked_elements))
    for (index_t k = 0; k < s.components; k += coupled) {
      const index_t start = n * (k + s.components * e);
      const auto wanted = dense.apply(c.x.data() + start, c.D.data() + entries * e, false);
      const auto sizes = dense.apply(c.x.data() + start, c.D.data() + entries * e, true);
      for (index_t i = 0; i < n * coupled; ++i) {
        const double before = c.add ? T(value_at(start + i, 3)) : 0.0;
        const long double off = std::abs((long double)c.y[at(start + i)] - wanted[at(i)] - before);
        const double error = double(off / (sizes[at(i)] + std::abs(before)));
        v.error = error <= v.error ? v.error : error;  // a NaN stays
        if (std::isnan(error)) v.error = std::numeric_limits<double>::infinity();
      }
    }
  return v;
}

template <class T, int dim>
verdict checked_in(const element_case<T>& c) {
  switch (c.sizes.kind) {
    case operator_kind::mass: return checked<T, pointwise::mass<dim>>(c);
    case operator_kind::diffusion: return checked<T, pointwise::diffusion<dim>>(c);
    case operator_kind::helmholtz: return checked<T, pointwise::helmholtz<dim>>(c);
    case operator_kind::convection: return checked<T, pointwise::convection<dim>>(c);
    case operator_kind::elasticity: return checked<T, pointwise::elasticity<dim>>(c);
  }
  return {};
}

}  // namespace

double element_sizes::flops() const {
  const double d = p + 1, n = q, points_now = double(points());
  const double interpolate = nodal      ? 0
                             : dim == 3 ? 2 * (n * d * d * d + n * n * d * d + n * n * n * d)
                                        : 2 * (n * d * d + n * n * d);
  const double differentiate = 2 * dim * n * points_now;
  const int symmetric = dim * (2 * dim - 1);  // of a product with a symmetric matrix
  switch (kind) {
    case operator_kind::mass: return components * (2 * interpolate + points_now);
    case operator_kind::diffusion: return components * (2 * interpolate + 2 * differentiate + symmetric * points_now);
    case operator_kind::helmholtz:
      return components * (2 * interpolate + 2 * differentiate + (symmetric + 1) * points_now);
    case operator_kind::convection: return components * (2 * interpolate + differentiate + (2 * dim - 1) * points_now);
    case operator_kind::elasticity: {
      // Twice dim^2 sums of dim products, the divergence, and the stress of each pair.
      const double function = 2.0 * dim * dim * (2 * dim - 1) + dim + 2.0 * dim * dim + dim;
      return components * (2 * interpolate + 2 * differentiate) + function * points_now;
    }
  }
  return 0;
}

double element_sizes::bytes(bool add, std::size_t entry) const {
  const double vectors = double(functions()) * components * (add ? 3 : 2);
  return double(entry) * (vectors + double(points()) * factors_of(kind, dim));
}

std::string label_of(const element_sizes& s, bool add) {
  std::string label = std::string(name_of(s.kind)) + " " + std::to_string(s.dim) + "-D p=" + std::to_string(s.p) +
                      " q=" + std::to_string(s.q) + (s.nodal ? " gll" : "");
  if (s.components > coupled_components(s.kind, s.dim)) label += " x" + std::to_string(s.components);
  return label + (add ? " +=" : "");
}

template <class T>
element_case<T>::element_case(const element_sizes& s, bool adds, index_t count, target on)
    : sizes(s), add(adds), elements(count) {
  const index_t entries = s.functions() * s.components * count;
  const index_t numbers = s.points() * factors_of(s.kind, s.dim) * count;
  const auto make = [&](int which, index_t size) {
    memory_[which] = buffer(space_kind::cpu, at(size) * sizeof(T));
    return std::span<T>(static_cast<T*>(memory_[which].data()), at(size));
  };
  x = make(0, entries);
  y = make(1, entries);
  D = make(2, numbers);
  fill(x, 1);
  fill(D, 2);
  in_ = x.data();
  out_ = y.data();
  buffer own;  // D as users have it, on its way
  const T* given = D.data();
  if (on == target::cuda) {
    const auto place = [](std::span<const T> host, bool sent) {
      buffer there(space_kind::gpu, host.size_bytes());
      if (sent) device::upload(there.data(), host.data(), host.size_bytes());
      return there;
    };
    device_[0] = place(x, true);
    device_[1] = place(y, false);
    own = place(D, true);
    in_ = static_cast<const T*>(device_[0].data());
    out_ = static_cast<T*>(device_[1].data());
    given = static_cast<const T*>(own.data());
  }
  A = std::make_unique<fem::element_operator<T>>(
      s.dim, count, given,
      fem::element_operator_options{.kind = s.kind,
                                    .trial = {.order = s.p},
                                    .components = s.components,
                                    .points = s.q,
                                    .rule = s.nodal ? fem::points_kind::gauss_lobatto : fem::points_kind::gauss,
                                    .on = on});
}

template <class T>
void element_case<T>::fill_y() {
  if (add)
    fill(y, 3);
  else
    std::fill(y.begin(), y.end(), std::numeric_limits<T>::quiet_NaN());
  if (out_ == y.data()) return;
  if (add)
    device::upload(out_, y.data(), y.size_bytes());
  else
    device::fill_with_ones(out_, y.size_bytes());
}

template <class T>
void element_case<T>::fetch_y() {
  if (out_ != y.data()) device::download(y.data(), out_, y.size_bytes());
}

template <class T>
verdict element_case<T>::check() const {
  return sizes.dim == 3 ? checked_in<T, 3>(*this) : checked_in<T, 2>(*this);
}

template struct element_case<float>;
template struct element_case<double>;

}  // namespace tessera::bench
