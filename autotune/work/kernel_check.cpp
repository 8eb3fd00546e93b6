// SPDX-License-Identifier: BSD-3-Clause
// The tests that a candidate must pass before it is timed.
#include "work/kernel_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "work/guarded_buffer.hpp"

namespace tessera::tune {

namespace {

// C starts as NaN where beta = 0: it must not be read.
struct trial {
  const char* name;
  double alpha, beta;
  index_t batch, first, last;
  index_t shift;  // of every operand, in entries
  index_t gap;    // entries between the matrices of C
  bool shared_left;
};

// The batch is odd and longer than two tasks of any candidate; the range of the fourth starts and ends inside tasks.
constexpr trial trials[] = {
    {"C = A B", 1, 0, 19, 0, 19, 0, 0, false},
    {"C += A B", 1, 1, 19, 0, 19, 0, 0, false},
    {"C = alpha A B + beta C", -0.75, 0.5, 19, 0, 19, 0, 0, false},
    {"C = alpha A B, one entry off alignment, part of the batch", -0.75, 0, 19, 3, 16, 1, 0, false},
    {"C += A B, one entry off alignment", 1, 1, 19, 0, 19, 1, 0, false},
    {"C = A B, one A for the batch", 1, 0, 19, 0, 19, 0, 0, true},
    {"C = A B, gaps in C", 1, 0, 19, 0, 19, 0, 3, false},
    {"C = A B, one product", 1, 0, 1, 0, 1, 1, 0, false},
};

template <class T>
double gamma_of(index_t n) {
  const double u = std::numeric_limits<T>::epsilon() / 2;
  return double(n) * u / (1 - double(n) * u);
}

// Compares bits, so that NaN equals itself.
template <class T>
bool is_untouched(T now, T before) {
  return now == before || (std::isnan(now) && std::isnan(before));
}

template <class T>
class trial_run {
 public:
  trial_run(const product_size& s, const trial& t)
      : s_(s),
        t_(t),
        a_stride_(t.shared_left ? 0 : s.m * s.k),
        c_stride_(s.m * s.n + t.gap),
        a_(std::size_t(s.m * s.k * (t.shared_left ? 1 : t.batch)), std::size_t(t.shift)),
        b_(std::size_t(s.k * s.n * t.batch), std::size_t(t.shift)),
        c_(std::size_t(c_stride_ * t.batch), std::size_t(t.shift)),
        c_before_(c_.size()) {
    for (std::size_t i = 0; i < a_.size(); ++i) a_.data()[i] = a_entry(index_t(i));
    for (std::size_t i = 0; i < b_.size(); ++i) b_.data()[i] = b_entry(index_t(i));
    for (std::size_t i = 0; i < c_.size(); ++i)
      c_.data()[i] = t.beta == 0 ? std::numeric_limits<T>::quiet_NaN() : T(value_at(i + 2'000'003));
    std::copy(c_.begin(), c_.end(), c_before_.begin());
  }

  std::string fault(kernel<T> f) const {
    problem<T> p = packed_problem<T>(s_, t_.batch, a_stride_, c_stride_, T(t_.alpha), T(t_.beta));
    p.left[0].data = a_.data();
    p.right[0].data = b_.data();
    p.out.data = c_.data();
    f(p, t_.first, t_.last);
    if (!a_.is_intact() || !b_.is_intact() || !c_.is_intact()) return "wrote outside of the operands";
    if (!inputs_are_intact()) return "changed an input";
    return fault_in_results();
  }

 private:
  static T a_entry(index_t i) { return T(value_at(std::uint64_t(i))); }
  static T b_entry(index_t i) { return T(value_at(std::uint64_t(i) + 1'000'003)); }

  bool inputs_are_intact() const {
    for (std::size_t i = 0; i < a_.size(); ++i)
      if (!(a_.data()[i] == a_entry(index_t(i)))) return false;
    for (std::size_t i = 0; i < b_.size(); ++i)
      if (!(b_.data()[i] == b_entry(index_t(i)))) return false;
    return true;
  }

  std::string fault_in_results() const {
    for (index_t e = 0; e < t_.batch; ++e)
      for (index_t i = 0; i < c_stride_; ++i) {
        const auto at = std::size_t(e * c_stride_ + i);
        const bool is_result = t_.first <= e && e < t_.last && i < s_.m * s_.n;
        if (!is_result && !is_untouched(c_.data()[at], c_before_.data()[at]))
          return "wrote between or outside of its results, at entry " + std::to_string(i) + " of matrix " +
                 std::to_string(e);
        if (is_result && !is_right(e, i % s_.m, i / s_.m, at))
          return "wrong result in row " + std::to_string(i % s_.m) + ", column " + std::to_string(i / s_.m) +
                 " of matrix " + std::to_string(e) + ": " + std::to_string(c_.data()[at]);
      }
    return {};
  }

  bool is_right(index_t e, index_t row, index_t col, std::size_t at) const {
    const T *a = a_.data() + e * a_stride_ + row, *b = b_.data() + (e * s_.n + col) * s_.k;
    long double sum = 0, size = 0;
    for (index_t k = 0; k < s_.k; ++k) {
      const long double term = static_cast<long double>(a[k * s_.m]) * b[k];
      sum += term;
      size += std::abs(term);
    }
    sum *= t_.alpha;
    size *= std::abs(t_.alpha);
    if (t_.beta != 0) {
      sum += static_cast<long double>(t_.beta) * c_before_.data()[at];
      size += std::abs(static_cast<long double>(t_.beta) * c_before_.data()[at]);
    }
    // Not `>`: NaN is wrong.
    return std::abs(c_.data()[at] - sum) <= gamma_of<T>(s_.k + 2) * size;
  }

  product_size s_;
  trial t_;
  index_t a_stride_, c_stride_;
  guarded_buffer<T> a_, b_, c_, c_before_;
};

}  // namespace

template <class T>
std::string fault_of(kernel<T> f, const tuning_case& c) {
  const product_size size = product_size::of(c, 2 * c.k + 1);
  for (const trial& t : trials)
    if (const std::string fault = trial_run<T>(size, t).fault(f); !fault.empty()) return fault + " (" + t.name + ")";
  return {};
}

template std::string fault_of(kernel<float>, const tuning_case&);
template std::string fault_of(kernel<double>, const tuning_case&);

}  // namespace tessera::tune
