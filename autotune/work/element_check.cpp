// SPDX-License-Identifier: BSD-3-Clause
// Bounds also come from the rules' kernel: applied to absolute values, it gives the scale of rounding errors.
#include "work/element_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/quadrature.hpp>

#include "work/guarded_entries.hpp"
#include "work/kernel_check.hpp"

namespace tessera::tune {

namespace {

jit_element by_rule(const tuning_case& c) {
  const element_case& e = *c.element;
  jit_element what{.type = c.type, .kind = e.kind, .dim = e.dim, .d = e.p + 1, .q = e.q, .repeats = e.repeats};
  what.tuning = ruled_element_tuning(what.facts(), gpu_limits_of(compute_capability(target::cuda)));
  return what;
}

// |T(k,i)| + |T(k,n-1-i)|: a bound for the halves of a symmetric table.
std::vector<double> sizes_of(const std::vector<double>& table, int rows) {
  const std::size_t m = std::size_t(rows), n = table.size() / m;
  std::vector<double> sizes(table.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < m; ++k)
      sizes[k + m * i] = std::abs(table[k + m * i]) + std::abs(table[k + m * (n - 1 - i)]);
  return sizes;
}

// The most roundings of a term of y: two sums in each direction, to the points and back, derivatives on both ways, and
// the pointwise function.
double roundings(const jit_element& what) {
  const element_kernel_facts f = what.facts();
  return double(4 * f.dim * (f.side() + 2) + f.factors + 8);
}

template <class T>
struct operands {
  guarded_entries<T> x, y, D;

  operands(index_t x_entries, index_t numbers, bool absolute)
      : x(std::size_t(x_entries), 0), y(std::size_t(x_entries), 0), D(std::size_t(numbers), 0) {
    const auto value = [&](std::size_t i) { return T(absolute ? std::abs(value_at(i)) : value_at(i)); };
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = value(i);
    for (std::size_t i = 0; i < D.size(); ++i) D[i] = value(i + 1'000'003);
  }

  // y stays NaN where nothing is written.
  std::vector<T> apply(const jit_element_kernel& kernel, index_t elements, bool& intact) {
    T* const to = y.send();
    kernel.run(x.send(), to, D.send(), elements, {});
    return y.fetch(intact);
  }
};

}  // namespace

line_tables absolute(const line_tables& tables, int q) {
  return {sizes_of(tables.interpolate, q), sizes_of(tables.differentiate, q)};
}

line_tables tables_of(const element_case& c) {
  const fem::quadrature_rule rule = c.nodal ? fem::gauss_lobatto(c.q) : fem::gauss(c.q);
  const fem::basis_tables tables = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, c.p), rule);
  return {tables.B, fem::differentiation_matrix(rule.points)};
}

evaluation_spec spec_of(const tuning_case& c) {
  const element_case& e = c.element.value();
  line_tables tables = tables_of(e);
  return {.kind = e.kind,
          .dim = e.dim,
          .components = coupled_components(e.kind, e.dim) * e.repeats,
          .trial = e.p + 1,
          .points = e.q,
          .interpolate = std::move(tables.interpolate),
          .differentiate = std::move(tables.differentiate),
          .on = c.on};
}

jit_element_kernel element_kernel_of(const jit_element& what, const line_tables& tables, const std::string& cache) {
  const jit_code code = jit_compile({&what, 1}, {.cache_folder = cache, .threads = 1}).front();
  if (code.machine_code.empty()) throw error("the kernel does not compile: " + code.first_error());
  return {what, code, tables};
}

element_judge::element_judge(const tuning_case& c, const std::string& cache)
    : case_(c), each_(numbers_of(c.element.value())) {
  // Odd: several blocks of any size, the last one partial.
  elements_ = std::clamp<index_t>(3'000'000 / (each_.entries + each_.of_D), 37, 1031) | 1;
  if (c.type == scalar_type::f32)
    learn<float>(cache);
  else
    learn<double>(cache);
}

template <class T>
void element_judge::learn(const std::string& cache) {
  const jit_element what = by_rule(case_);
  jit_element plain = what;  // whole tables, derivatives from values: no sum of it has a difference
  plain.tuning.even_odd = plain.tuning.direct = false;
  const line_tables tables = tables_of(*case_.element);
  const line_tables sizes = absolute(tables, what.q);
  const auto results_of = [&](const jit_element& of, const line_tables& with, bool absolute) {
    operands<T> all(each_.entries * elements_, each_.of_D * elements_, absolute);
    bool intact = false;
    const std::vector<T> y = all.apply(element_kernel_of(of, with, cache), elements_, intact);
    return std::vector<double>(y.begin(), y.end());
  };
  results_ = results_of(what, tables, false);
  allowed_ = results_of(plain, sizes, true);
  const double u = std::numeric_limits<T>::epsilon() / 2, gamma = roundings(what) * u / (1 - roundings(what) * u);
  for (double& size : allowed_) size *= 2 * gamma;  // both sides round
}

std::string element_judge::fault_of(const jit_element_kernel& kernel) const {
  return case_.type == scalar_type::f32 ? fault_in<float>(kernel) : fault_in<double>(kernel);
}

template <class T>
std::string element_judge::fault_in(const jit_element_kernel& kernel) const {
  operands<T> all(each_.entries * elements_, each_.of_D * elements_, false);
  bool intact = false;
  const std::vector<T> y = all.apply(kernel, elements_, intact);
  if (!intact) return "wrote outside of the results";
  if (!all.x.unchanged() || !all.D.unchanged()) return "changed an input";
  for (std::size_t i = 0; i < y.size(); ++i)
    // Not `>`: NaN is wrong.
    if (!(std::abs(double(y[i]) - results_[i]) <= allowed_[i]))
      return "wrong result in entry " + std::to_string(index_t(i) % each_.entries) + " of element " +
             std::to_string(index_t(i) / each_.entries) + ": " + std::to_string(y[i]) + ", the rules' tuning gives " +
             std::to_string(results_[i]);
  return {};
}

}  // namespace tessera::tune
