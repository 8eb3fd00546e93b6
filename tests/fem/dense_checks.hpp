// SPDX-License-Identifier: BSD-3-Clause
// Operators of dense tables by their definition, and the checks that they have to pass.
#pragma once

#include "placed.hpp"
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"

#include <tessera/element/operators.hpp>
#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tessera::testing {

/// Functions of an element of random tables; y of other functions where t is not 0.
struct table_sizes {
  int d = 1, q = 1, t = 0;
};

inline fem::dense_element random_tables(int dim, const table_sizes& s, std::uint32_t seed) {
  const auto basis = [&](int functions, std::uint32_t of) {
    return dense_basis{functions, seeded<double>(index_t(s.q) * functions, of),
                       seeded<double>(index_t(s.q) * functions * dim, of + 1)};
  };
  fem::dense_element element{.dim = dim, .points = s.q, .trial = basis(s.d, seed)};
  if (s.t > 0) element.test = basis(s.t, seed + 2);
  return element;
}

/// y = B^T D(B x) of one element in long double.
template <class Function>
class dense_reference {
 public:
  static constexpr int dim = Function::dim, trials = Function::trial.components, tests = Function::test.components;

  explicit dense_reference(const fem::dense_element& e) : q_(e.points), u_(e.trial), v_(e.test ? *e.test : e.trial) {}

  index_t trial_size() const { return u_.functions; }
  index_t test_size() const { return v_.functions; }
  index_t points() const { return q_; }
  /// On the longest way through a kernel, with those of tables that are stored.
  double roundings() const { return double(u_.functions + (dim + 1) * q_ + 8 * dim * dim + 20); }

  std::vector<long double> apply(const double* x, const double* D) const { return sum(x, D, false); }
  /// The same with absolute values all along.
  std::vector<long double> magnitudes(const double* x, const double* D) const { return sum(x, D, true); }

 private:
  std::vector<long double> sum(const double* x, const double* D, bool sizes) const {
    const auto part = [&](double value) -> long double { return sizes ? std::abs(value) : value; };
    const auto value = [&](const dense_basis& b, index_t k, index_t i) { return part(b.values[at(k + q_ * i)]); };
    const auto slope = [&](const dense_basis& b, index_t k, index_t i, int a) {
      return part(b.gradients[at(k + q_ * (i + b.functions * a))]);
    };
    std::vector<long double> y(at(test_size() * tests));
    for (index_t k = 0; k < q_; ++k) {
      at_point<long double, trials, dim> in{};
      at_point<long double, tests, dim> out{};
      for (int c = 0; c < trials; ++c)
        for (index_t i = 0; i < trial_size(); ++i) {
          const long double entry = part(x[i + trial_size() * c]);
          in.value[c] += value(u_, k, i) * entry;
          for (int a = 0; a < dim; ++a) in.gradient[c][a] += slope(u_, k, i, a) * entry;
        }
      long double own[Function::factors];
      for (int f = 0; f < Function::factors; ++f) own[f] = part(D[f + Function::factors * k]);
      Function{}(in, own, out);
      for (int c = 0; c < tests; ++c)
        for (index_t i = 0; i < test_size(); ++i) {
          long double& to = y[at(i + test_size() * c)];
          if (Function::test.value) to += value(v_, k, i) * out.value[c];
          if (Function::test.gradient)
            for (int a = 0; a < dim; ++a) to += slope(v_, k, i, a) * out.gradient[c][a];
        }
    }
    return y;
  }

  index_t q_;
  dense_basis u_, v_;
};

/// The largest error in units of its bound, 2 where there is none.
class worst_error {
 public:
  void count(double got, long double wanted, long double bound) {
    const long double off = std::abs(static_cast<long double>(got) - wanted);
    worst_ = std::max(worst_, off <= bound ? (bound > 0 ? static_cast<double>(off / bound) : 0.0) : 2.0);
  }
  double of_bound() const { return worst_; }

 private:
  double worst_ = 0;
};

template <class T, class Function>
struct dense_case {
  fem::element_operator_options options;
  index_t elements;
  dense_reference<Function> reference;
  std::vector<T> D, x;

  dense_case(const table_sizes& s, fem::element_operator_options o, index_t count)
      : options(o), elements(count), reference(tables_of(s)) {
    options.tables = tables_of(s);
    options.components = std::max(o.components, Function::trial.components);
    D = seeded<T>(entries() * elements, 8);
    x = seeded<T>(reference.trial_size() * options.components * elements, 7);
    if (options.storage == point_storage::in_float)
      for (T& value : D) value = T(static_cast<float>(value));
  }
  static fem::dense_element tables_of(const table_sizes& s) { return random_tables(Function::dim, s, 11); }
  index_t entries() const { return reference.points() * Function::factors; }
};

/// y of every element is the definition's, over random tables, x and D; what stands before and behind is untouched.
template <class T, class Function>
void check_dense(const table_sizes& s, const fem::element_operator_options& o, index_t elements) {
  const dense_case<T, Function> the(s, o, elements);
  const fem::element_operator<T> A(Function::dim, elements, the.D.data(), the.options);
  INFO(A.describe() << ", " << elements << " elements");
  const index_t nx = A.trial_size() * Function::trial.components, ny = A.test_size() * Function::test.components;
  const int repeats = the.options.components / Function::trial.components;
  std::vector<T> y(at(ny * repeats * elements + 2), std::numeric_limits<T>::quiet_NaN());
  const bool there = o.on == target::cuda;
  const placed<T> on_x(the.x, there), on_y(y, there);
  A.apply(on_x.data(), on_y.data() + 1);
  y = on_y.read();

  const std::vector<double> x(the.x.begin(), the.x.end()), D(the.D.begin(), the.D.end());
  worst_error worst;
  for (index_t e = 0; e < elements; ++e)
    for (int r = 0; r < repeats; ++r) {
      const double *const xe = x.data() + nx * (r + repeats * e), *const De = D.data() + the.entries() * e;
      const auto wanted = the.reference.apply(xe, De), sizes = the.reference.magnitudes(xe, De);
      for (index_t i = 0; i < ny; ++i)
        worst.count(double(y[at(1 + i + ny * (r + repeats * e))]), wanted[at(i)],
                    static_cast<long double>(gamma<T>(the.reference.roundings())) * sizes[at(i)]);
    }
  CHECK(worst.of_bound() <= 1);
  CHECK(std::isnan(y.front()));
  CHECK(std::isnan(y.back()));
}

/// Every entry of the matrices of elements first, first + 1, ... is the definition's, and the diagonal is theirs.
template <class T, class Function>
void check_dense_matrices(const table_sizes& s, const fem::element_operator_options& o, index_t elements, index_t first,
                          matrix_storage how) {
  const dense_case<T, Function> the(s, o, elements);
  const fem::element_operator<T> A(Function::dim, elements, the.D.data(), the.options);
  INFO(A.describe() << ", matrices " << A.describe_assembly(how));
  const bool there = o.on == target::cuda;
  CHECK(A.describe_assembly(how).find(there ? "by columns" : "dense tables") != std::string::npos);
  const index_t nx = A.trial_size() * Function::trial.components, ny = A.test_size() * Function::test.components;
  const int repeats = the.options.components / Function::trial.components;
  const index_t rows = ny * repeats, columns = nx * repeats, size = A.matrix_entries(how), count = elements - first;
  std::vector<T> M(at(size * count + 2), std::numeric_limits<T>::quiet_NaN());
  const placed<T> on_M(M, there);
  A.assemble(first, count, on_M.data() + 1, how);
  M = on_M.read();

  const std::vector<double> D(the.D.begin(), the.D.end());
  std::vector<double> unit(at(nx));
  worst_error worst;
  for (index_t e = 0; e < count; ++e)
    for (index_t j = 0; j < columns; ++j) {
      std::fill(unit.begin(), unit.end(), 0.0);
      unit[at(j % nx)] = 1;
      const double* const De = D.data() + the.entries() * (first + e);
      const auto wanted = the.reference.apply(unit.data(), De), sizes = the.reference.magnitudes(unit.data(), De);
      for (index_t i = how == matrix_storage::full ? 0 : j; i < rows; ++i) {
        const bool meet = i / ny == j / nx;
        worst.count(double(M[at(1 + size * e + matrix_place(i, j, rows, how))]), meet ? wanted[at(i % ny)] : 0,
                    meet ? static_cast<long double>(gamma<T>(the.reference.roundings())) * sizes[at(i % ny)] : 0);
      }
    }
  CHECK(worst.of_bound() <= 1);
  CHECK(std::isnan(M.front()));
  CHECK(std::isnan(M.back()));
  if (how != matrix_storage::full || rows != columns) return;

  std::vector<T> diagonal(at(rows * elements + 1), T(-3));
  const placed<T> on_diagonal(diagonal, there);
  A.diagonal(on_diagonal.data());
  diagonal = on_diagonal.read();
  double off = 0, largest = 0;
  for (index_t e = 0; e < count; ++e)
    for (index_t i = 0; i < rows; ++i) {
      const double wanted = double(M[at(1 + size * e + i + rows * i)]);
      off = std::max(off, std::abs(double(diagonal[at(i + rows * (first + e))]) - wanted));
      largest = std::max(largest, std::abs(wanted));
    }
  CHECK(off <= 4 * gamma<T>(the.reference.roundings()) * largest);
  CHECK(largest > 0);
  CHECK(diagonal.back() == T(-3));
}

/// body of each built-in operator's function, with the options that make it.
template <int dim, class Body>
void each_operator(fem::element_operator_options o, Body body) {
  for_each_kind([&]<operator_kind kind>(known_kind<kind>) {
    o.kind = kind;
    body.template operator()<operator_function<kind, dim>>(o);
  });
}
template <class Body>
void each_operator_in_all_dimensions(const fem::element_operator_options& o, Body body) {
  each_operator<1>(o, body);
  each_operator<2>(o, body);
  each_operator<3>(o, body);
}

}  // namespace tessera::testing
