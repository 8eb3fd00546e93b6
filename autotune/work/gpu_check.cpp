// SPDX-License-Identifier: BSD-3-Clause
// Uploads guarded operands, runs the row once, and checks all results.
#include "work/gpu_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "work/guarded_entries.hpp"
#include "work/kernel_check.hpp"

namespace tessera::tune {

namespace {

struct trial {
  const char* name;
  double alpha, beta;
  bool many;      // products: enough for several groups of any size, the last one partial; else a single one
  index_t shift;  // of every operand, in entries
};

constexpr trial trials[] = {
    {"C = A B", 1, 0, true, 0},
    {"C += A B", 1, 1, true, 0},
    {"C = A B + beta C", 1, -1.5, true, 0},
    {"C = alpha A B + beta C", -0.75, 0.5, true, 0},
    {"C = alpha A B + beta C, one entry off alignment", -0.75, 0.5, true, 1},
    {"C = alpha A B, one product, one entry off alignment", -0.75, 0, false, 1},
};

// Odd. Larger products have smaller groups; the reference sums take a second for about 1e8 terms.
index_t batch_of(const product_size& s, const trial& t) {
  return t.many ? std::clamp<index_t>(3'000'000 / (s.m * s.n * s.k), 37, 1031) | 1 : 1;
}

template <class T>
std::size_t position(const factor<T>& f, index_t e, index_t row, index_t col) {
  return std::size_t(e * f.batch_stride + row * f.map.row + col * f.map.col);
}

template <class T>
std::string fault_in(const jit_kernel& kernel, const tuning_case& c, const trial& t) {
  const product_size s{c.m, c.n, c.k};
  const index_t batch = batch_of(s, t);
  const index_t a_count = is_shared(c.layouts.left) ? 1 : batch, b_count = is_shared(c.layouts.right) ? 1 : batch;
  guarded_entries<T> a(std::size_t(s.m * s.k * a_count), t.shift), b(std::size_t(s.k * s.n * b_count), t.shift),
      out(std::size_t(s.m * s.n * batch), t.shift);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(value_at(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(value_at(i + 1'000'003));
  if (t.beta != 0)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = T(value_at(i + 2'000'003));
  problem<T> p = problem_with<T>(s, batch, c.layouts, T(t.alpha), T(t.beta));
  p.left[0].data = a.send();
  p.right[0].data = b.send();
  p.out.data = out.send();
  kernel.run(p, {});
  bool intact = false;
  const std::vector<T> now = out.fetch(intact);
  if (!intact) return "wrote outside of the results";
  if (!a.unchanged() || !b.unchanged()) return "changed an input";
  const double u = std::numeric_limits<T>::epsilon() / 2, gamma = double(s.k + 2) * u / (1 - double(s.k + 2) * u);
  for (index_t e = 0; e < batch; ++e)
    for (index_t col = 0; col < s.n; ++col)
      for (index_t row = 0; row < s.m; ++row) {
        long double sum = 0, size = 0;
        for (index_t k = 0; k < s.k; ++k) {
          const long double term =
              static_cast<long double>(a[position(p.left[0], e, row, k)]) * b[position(p.right[0], e, k, col)];
          sum += term;
          size += std::abs(term);
        }
        const std::size_t at = position(p.out, e, row, col);
        const long double old = t.beta == 0 ? 0 : static_cast<long double>(t.beta) * out[at];
        sum = t.alpha * sum + old;
        size = std::abs(t.alpha) * size + std::abs(old);
        // Not `>`: NaN is wrong.
        if (!(std::abs(now[at] - sum) <= gamma * size))
          return "wrong result in row " + std::to_string(row) + ", column " + std::to_string(col) + " of matrix " +
                 std::to_string(e) + ": " + std::to_string(now[at]);
      }
  return {};
}

}  // namespace

std::string gpu_fault_of(const jit_kernel& kernel, const tuning_case& c) {
  for (const trial& t : trials) {
    const std::string fault =
        c.type == scalar_type::f32 ? fault_in<float>(kernel, c, t) : fault_in<double>(kernel, c, t);
    if (!fault.empty()) return fault + " (" + t.name + ")";
  }
  return {};
}

}  // namespace tessera::tune
