// SPDX-License-Identifier: BSD-3-Clause
// Counts, fills and checks cases of element matrices.
#include "matrix_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/operators.hpp>

#include "definition/dense_element.hpp"
#include "measure/gpu/device.hpp"

namespace tessera::bench {

namespace {

constexpr int checked_elements = 4, checked_columns = 64, checked_columns_of_many = 12;

template <class T, class Function>
verdict checked(const matrix_case<T>& c) {
  const element_sizes& s = c.sizes;
  const dense_element<Function> dense(s);
  const index_t coupled = s.functions() * Function::trial.components, rows = s.functions() * s.components;
  const index_t entries = s.points() * Function::factors, size = c.A->matrix_entries(c.how);
  verdict v;
  // Roundings on the longest path, per unit of the magnitudes, which count every product on it.
  v.bound = gamma_bound(2 * (s.dim + 1) * (2 * (s.p + 1) + 2 * s.q + 8) + 8 * s.dim * s.dim + 21, scalar_of<T>);
  std::vector<T> M(place(size)), x(place(coupled));
  for (const index_t e : sample_positions(c.elements, checked_elements)) {
    const T* const of_element = c.M() + size * e;
    if (c.A->kernel().space() == space_kind::gpu)
      device::download(M.data(), of_element, M.size() * sizeof(T));
    else
      std::copy_n(of_element, size, M.data());
    for (const index_t j :
         sample_positions(rows, rows <= checked_columns ? checked_columns : checked_columns_of_many)) {
      std::fill(x.begin(), x.end(), T(0));
      x[place(j % coupled)] = 1;
      const auto wanted = dense.apply(x.data(), c.D.data() + entries * e, false);
      const auto sizes = dense.apply(x.data(), c.D.data() + entries * e, true);
      for (index_t i = c.how == matrix_storage::full ? 0 : j; i < rows; ++i) {
        const T got = M[place(matrix_place(i, j, rows, c.how))];
        const bool meet = i / coupled == j / coupled;
        const long double off = std::abs((long double)got - (meet ? wanted[place(i % coupled)] : 0));
        const long double scale = meet ? sizes[place(i % coupled)] : 0;
        double error = off == 0 ? 0 : double(off / scale);
        if (!(std::abs(error) <= std::numeric_limits<double>::max())) error = std::numeric_limits<double>::infinity();
        v.error = std::max(v.error, error);
      }
    }
  }
  return v;
}

template <class Function>
double flops_of(const element_sizes& s) {
  const double d = s.p + 1, q = s.q;
  double sum = 0, columns = 1, points = double(s.points());
  for (int a = s.dim - 1; a >= 0; --a) {
    // Each pair of classes: one direction's points become rows and columns.
    points /= q;
    columns *= d * d;
    sum += 2 * couplings<Function>::count(a) * q * points * columns;
  }
  return sum * s.components * Function::trial.components;
}

}  // namespace

template <class T>
matrix_case<T>::matrix_case(const element_sizes& s, matrix_storage storage, index_t count, target on)
    : sizes(s), how(storage), elements(count), D(place(s.points() * factors_of(s.kind, s.dim) * count)) {
  fill(std::span<T>(D), 2);
  A = std::make_unique<fem::element_operator<T>>(s.dim, count, D.data(), options_of(s, on));
  memory_ = buffer(A->kernel().space(), place(A->matrix_entries(how) * count) * sizeof(T));
}

template <class T>
double matrix_case<T>::flops() const {
  return double(elements) * with_function(sizes.kind, sizes.dim, [&]<class F>(const F&) { return flops_of<F>(sizes); });
}

template <class T>
void matrix_case<T>::poison() {
  if (memory_.space() == space_kind::gpu)
    device::fill_with_ones(memory_.data(), memory_.bytes());
  else
    std::fill_n(M(), memory_.bytes() / sizeof(T), std::numeric_limits<T>::quiet_NaN());
}

template <class T>
verdict matrix_case<T>::check() const {
  return with_function(sizes.kind, sizes.dim, [&]<class F>(const F&) { return checked<T, F>(*this); });
}

template struct matrix_case<float>;
template struct matrix_case<double>;

}  // namespace tessera::bench
