// SPDX-License-Identifier: BSD-3-Clause
// Tests the checks: a right kernel passes, and each way of being wrong is found.
#include "work/kernel_check.hpp"

#include <cmath>
#include <string>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

template <class T>
T sum_at(const problem<T>& p, index_t e, index_t r, index_t c) {
  T sum = 0;
  for (index_t k = 0; k < p.k; ++k) sum += p.left[0].start(e)[r + k * p.m] * p.right[0].start(e)[k + c * p.k];
  return sum;
}

template <class T, class Store>
void each_entry(const problem<T>& p, index_t first, index_t last, Store store) {
  for (index_t e = first; e < last; ++e)
    for (index_t c = 0; c < p.n; ++c)
      for (index_t r = 0; r < p.m; ++r) store(p.out.start(e)[r + c * p.m], p.alpha * sum_at(p, e, r, c));
}

template <class T>
void good(const problem<T>& p, index_t first, index_t last) {
  each_entry(p, first, last, [&](T& out, T value) { out = p.beta == 0 ? value : value + p.beta * out; });
}

tuning_case sized(index_t m, index_t n, index_t k, scalar_type type = scalar_type::f64) {
  return {target::reference, type, memory_regime::cache, m, n, k};
}

void check_fault(kernel<double> f, const std::string& words) {
  const std::string fault = fault_of<double>(f, sized(5, 4, 3));
  INFO("fault: " << fault);
  CHECK(fault.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("a right kernel passes at every size and in both types") {
  for (const index_t n : {1, 2, 3, 8, 13, 32}) {
    CHECK(fault_of<double>(good<double>, sized(n, n, n)).empty());
    CHECK(fault_of<float>(good<float>, sized(n, n, n, scalar_type::f32)).empty());
  }
  CHECK(fault_of<double>(good<double>, sized(6, 0, 5)).empty());
}

TEST_CASE("wrong results are found, however small the error") {
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        each_entry(p, first, last,
                   [&](double& out, double v) { out = (p.beta == 0 ? v : v + p.beta * out) * (1 + 1e-13); });
      },
      "wrong result in row 0");
  check_fault([](const problem<double>& p, index_t first, index_t last) { good(p, first, last - 1); },
              "of matrix 18: ");
  check_fault([](const problem<double>& p, index_t first,
                 index_t last) { each_entry(p, first, last, [&](double& out, double v) { out = v + p.beta * out; }); },
              "nan");
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        each_entry(p, first, last, [&](double& out, double v) { out = v + (p.beta == 0 ? 0 : out); });
      },
      "beta C");
}

TEST_CASE("writing where no result belongs is found") {
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        good(p, first, last);
        p.out.data[p.batch * p.m * p.n] = 1;
      },
      "outside of the operands");
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        good(p, first, last);
        p.out.data[-1] = 0;
      },
      "outside of the operands");
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        good(p, first, last);
        const_cast<double*>(p.right[0].data)[2] += 1;
      },
      "changed an input");
  check_fault([](const problem<double>& p, index_t, index_t) { good(p, 0, p.batch); }, "part of the batch");
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        good(p, first, last);
        if (p.out.batch_stride > p.m * p.n) p.out.data[p.m * p.n] = 5;
      },
      "gaps in C");
}

TEST_CASE("a kernel that overlooks strides, or takes an aligned C for granted, is found") {
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        problem<double> q = p;
        q.left[0].batch_stride = p.m * p.k;
        if (p.left[0].batch_stride == 0) last = first + 1;
        good(q, first, last);
      },
      "one A for the batch");
  check_fault(
      [](const problem<double>& p, index_t first, index_t last) {
        if (reinterpret_cast<std::uintptr_t>(p.out.data) % 16 == 0) good(p, first, last);
      },
      "one entry off alignment");
}
