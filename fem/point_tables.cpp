// SPDX-License-Identifier: BSD-3-Clause
// Contracts the entries of an element with one table a direction.
#include "point_tables.hpp"

#include <tessera/error.hpp>

#include <algorithm>
#include <string>

namespace tessera::fem::detail {

namespace {

// out(a,k,b) = sum over i of by(k,i) in(a,i,b), `inner` and `outer` being the extents of a and b.
template <class T>
void contract_line(const T* by, index_t rows, index_t columns, index_t inner, index_t outer, const T* in, T* out) {
  std::fill_n(out, inner * rows * outer, T(0));
  for (index_t b = 0; b < outer; ++b, in += inner * columns, out += inner * rows)
    for (index_t i = 0; i < columns; ++i) {
      const T* const column = by + rows * i;
      if (inner == 1) {
        for (index_t k = 0; k < rows; ++k) out[k] += column[k] * in[i];
        continue;
      }
      for (index_t k = 0; k < rows; ++k)
        for (index_t a = 0; a < inner; ++a) out[a + inner * k] += column[k] * in[a + inner * i];
    }
}

}  // namespace

template <class T>
typename point_tables<T>::table point_tables<T>::table::transposed() const {
  table other{columns, rows, std::vector<T>(entries.size())};
  const T* from = entries.data();
  for (index_t j = 0; j < columns; ++j)
    for (index_t i = 0; i < rows; ++i) other.entries.data()[j + columns * i] = *from++;
  return other;
}

template <class T>
typename point_tables<T>::table point_tables<T>::converted(index_t rows, index_t columns, const double* from) {
  table made{rows, columns, {}};
  for (index_t i = 0; i < rows * columns; ++i) made.entries.push_back(T(from[i]));
  return made;
}

template <class T>
point_tables<T>::point_tables(const basis& functions, std::span<const quadrature_rule> axes) {
  product derivatives;
  for (const quadrature_rule& rule : axes) {
    const basis_tables line = tabulate(functions, rule);
    values_.push_back(converted(line.q, line.d, line.B.data()));
    derivatives.push_back(converted(line.q, line.d, line.G.data()));
    functions_ *= line.d;
    points_ *= line.q;
  }
  for (std::size_t a = 0; a < axes.size(); ++a) {
    slopes_.push_back(values_);
    slopes_[a][a] = derivatives[a];
  }
  finish();
}

template <class T>
point_tables<T>::point_tables(const char* what, int dim, index_t points, const dense_basis& functions)
    : functions_(functions.functions), points_(points) {
  const index_t size = points_ * functions_, given = index_t(functions.values.size()),
                derivatives = index_t(functions.gradients.size());
  if (functions_ < 0 || points_ < 0 || (given != 0 && given != size) || (derivatives != 0 && derivatives != size * dim))
    throw error("element_points: tables of " + std::string(what) + ": " + std::to_string(given) + " values and " +
                    std::to_string(derivatives) + " derivatives of " + std::to_string(functions_) + " functions at " +
                    std::to_string(points_) + " points",
                status::shape_mismatch);
  if (given != 0) values_ = {converted(points_, functions_, functions.values.data())};
  for (int a = 0; a < dim && derivatives != 0; ++a)
    slopes_.push_back({converted(points_, functions_, functions.gradients.data() + size * a)});
  finish();
}

template <class T>
void point_tables<T>::finish() {
  const auto back = [&](const product& by) {
    product other;
    index_t size = 1;
    for (const table& one : by) {
      other.push_back(one.transposed());
      size *= std::max(one.rows, one.columns);
    }
    largest_ = std::max(largest_, size);
    return other;
  };
  values_back_ = back(values_);
  for (const product& by : slopes_) slopes_back_.push_back(back(by));
}

template <class T>
void point_tables<T>::multiply(const product& by, const T* in, index_t components, T* out, T* work) const {
  const T* from = in;
  index_t inner = 1, outer = components;
  for (const table& one : by) outer *= one.columns;
  for (std::size_t l = 0; l < by.size(); ++l) {
    outer /= by[l].columns;
    T* const to = l + 1 == by.size() ? out : work + (l % 2 == 0 ? 0 : largest_ * components);
    contract_line(by[l].entries.data(), by[l].rows, by[l].columns, inner, outer, from, to);
    inner *= by[l].rows;
    from = to;
  }
}

template <class T>
void point_tables<T>::values(const T* u, index_t components, T* out, T* work) const {
  multiply(values_, u, components, out, work);
}
template <class T>
void point_tables<T>::slopes(int a, const T* u, index_t components, T* out, T* work) const {
  multiply(slopes_[std::size_t(a)], u, components, out, work);
}
template <class T>
void point_tables<T>::transposed_values(const T* v, index_t components, T* out, T* work) const {
  multiply(values_back_, v, components, out, work);
}
template <class T>
void point_tables<T>::transposed_slopes(int a, const T* v, index_t components, T* out, T* work) const {
  multiply(slopes_back_[std::size_t(a)], v, components, out, work);
}

template class point_tables<float>;
template class point_tables<double>;

}  // namespace tessera::fem::detail
