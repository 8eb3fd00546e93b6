// SPDX-License-Identifier: BSD-3-Clause
// Bounds come from columns, too: of absolute values they give what rounding errors grow with.
#include "work/matrix_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>

#include "space/matrix_space.hpp"
#include "work/element_check.hpp"
#include "work/guarded_entries.hpp"
#include "work/kernel_check.hpp"

namespace tessera::tune {

jit_matrix_kernel matrix_kernel_of(const jit_matrix& what, const line_tables& tables, const std::string& cache) {
  const jit_code code = jit_compile({&what, 1}, {.cache_folder = cache, .threads = 1}).front();
  if (code.machine_code.empty()) throw error("the kernel does not compile: " + code.first_error());
  return {what, code, tables};
}

matrix_judge::matrix_judge(const tuning_case& c, const std::string& cache)
    : case_(c), each_(numbers_of(c.element.value())) {
  // Odd: several blocks of any size, the last one ragged.
  elements_ = std::clamp<index_t>(3'000'000 / (each_.of_matrix + each_.of_D), 5, 1031) | 1;
  if (c.type == scalar_type::f32)
    learn<float>(cache);
  else
    learn<double>(cache);
}

template <class T>
std::vector<T> matrix_judge::matrices_by(const jit_matrix_kernel& kernel, bool absolute, std::string& fault) const {
  guarded_entries<T> D(std::size_t(each_.of_D * elements_), 0), M(std::size_t(each_.of_matrix * elements_), 0);
  for (std::size_t i = 0; i < D.size(); ++i) D[i] = T(absolute ? std::abs(value_at(i)) : value_at(i));
  T* const to = M.send();  // NaN stays where nothing is written
  kernel.run(D.send(), to, elements_, {});
  bool intact = false;
  std::vector<T> all = M.fetch(intact);
  fault = !intact ? "wrote outside of the matrices" : !D.unchanged() ? "changed an input" : "";
  return all;
}

template <class T>
void matrix_judge::learn(const std::string& cache) {
  jit_matrix what = jit_matrix_of(case_, {});
  const gpu_limits limits = gpu_limits_of(compute_capability(target::cuda));
  what.tuning = *ruled_matrix_tuning(matrix_way::columns, what.of, limits);
  const line_tables tables = tables_of(*case_.element);
  std::string fault;
  const auto results_of = [&](const line_tables& of, bool absolute) {
    const std::vector<T> M = matrices_by<T>(matrix_kernel_of(what, of, cache), absolute, fault);
    return std::vector<double>(M.begin(), M.end());
  };
  results_ = results_of(tables, false);
  what.of.mirrored = false;  // whole tables: no sum of them has a difference
  allowed_ = results_of(absolute(tables, case_.element->q), true);
  // Roundings of a term: sums of both ways, products of functions, and what they are made of.
  const double n = 8.0 * (what.of.dim + 1) * (what.of.trial + what.of.points + 2) + 16,
               u = std::numeric_limits<T>::epsilon() / 2;
  for (double& size : allowed_) size *= 2 * n * u / (1 - n * u);  // both sides round
}

std::string matrix_judge::fault_of(const jit_matrix_kernel& kernel) const {
  return case_.type == scalar_type::f32 ? fault_in<float>(kernel) : fault_in<double>(kernel);
}

template <class T>
std::string matrix_judge::fault_in(const jit_matrix_kernel& kernel) const {
  std::string fault;
  const std::vector<T> M = matrices_by<T>(kernel, false, fault);
  if (!fault.empty()) return fault;
  for (std::size_t i = 0; i < M.size(); ++i)
    // Not `>`: NaN is wrong.
    if (!(std::abs(double(M[i]) - results_[i]) <= allowed_[i]))
      return "wrong number " + std::to_string(index_t(i) % each_.of_matrix) + " of matrix " +
             std::to_string(index_t(i) / each_.of_matrix) + ": " + std::to_string(M[i]) + ", by columns it is " +
             std::to_string(results_[i]);
  return {};
}

}  // namespace tessera::tune
