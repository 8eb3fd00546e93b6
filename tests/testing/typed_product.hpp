// SPDX-License-Identifier: BSD-3-Clause
// A batch of matrix products in any element types, run by a plan in host or device memory, and checked against long
// double. Gaps, conjugation, groups and shared operands as a case says.
#pragma once

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <tessera/conjugated.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>
#include <tessera/plan.hpp>

namespace tessera::testing {

/// The types of a product, as test cases are instantiated with them.
template <class In, class Out = In, class Sum = In>
struct typed {
  using in = In;
  using out = Out;
  using sum = Sum;
};

using f32 = typed<float>;
using f64 = typed<double>;
using c32 = typed<complex<float>>;
using c64 = typed<complex<double>>;
using f32_in_f64 = typed<float, float, double>;
using f16_to_f32 = typed<half, float, float>;
using f16 = typed<half, half, float>;
using bf16_to_f32 = typed<bfloat16, float, float>;
using bf16 = typed<bfloat16, bfloat16, float>;

using exact = std::complex<long double>;

template <class T>
exact exact_value(const T& value) {
  if constexpr (is_complex<T>)
    return {value.re, value.im};
  else
    return static_cast<long double>(value);
}

/// A value with full mantissas in -1..1 in each part.
template <class T>
T fraction(unsigned& state) {
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return double(state) / 2147483648.0 - 1;
  };
  if constexpr (is_complex<T>) {
    const double re = next();
    return T(complex<double>(re, next()));
  } else if constexpr (sizeof(T) == 2) {
    return T(float(next()));
  } else {
    return T(next());
  }
}

template <class T>
T not_a_number() {
  if constexpr (is_complex<T>)
    return T(std::numeric_limits<typename T::value_type>::quiet_NaN(),
             std::numeric_limits<typename T::value_type>::quiet_NaN());
  else
    return T(std::numeric_limits<float>::quiet_NaN());
}

/// |z|, or more, and at least each part's share in a product: norms of factors multiply.
inline long double size_of_value(const exact& z) { return std::fabs(z.real()) + std::fabs(z.imag()); }

/// Unit round-off of the parts of T.
template <class T>
constexpr long double round_off() {
  switch (scalar_of<T>) {
    case scalar_type::f32:
    case scalar_type::c32: return 0x1p-24L;
    case scalar_type::f64:
    case scalar_type::c64: return 0x1p-53L;
    case scalar_type::f16: return 0x1p-11L;
    case scalar_type::i16:
    case scalar_type::i32:
    case scalar_type::i64: return 0;
    case scalar_type::bf16: break;
  }
  return 0x1p-8L;
}

struct typed_case {
  index_t m = 1, n = 1, k = 1, batch = 1;
  bool trans_a = false, trans_b = false, conj_a = false, conj_b = false;
  char shared = 'n';    // 'a', 'b': that operand is one for all
  index_t gap = 0;      // between columns and between matrices
  index_t start = 0;    // entries in front of the first one
  std::string grouped;  // the operands that are groups: "abc"
  complex<double> alpha = 1, beta = 0;

  std::string text() const {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " by " + std::to_string(batch) +
           (trans_a ? " A^T" : "") + (trans_b ? " B^T" : "") + (conj_a ? " conj A" : "") + (conj_b ? " conj B" : "") +
           " shared " + shared + " gap " + std::to_string(gap) + " start " + std::to_string(start) + " groups " +
           grouped + " alpha " + std::to_string(alpha.re) + "," + std::to_string(alpha.im) + " beta " +
           std::to_string(beta.re) + "," + std::to_string(beta.im);
  }
  contraction what(scalar_type sum) const {
    return contraction(std::string(trans_a ? "ki," : "ik,") + (trans_b ? "jk" : "kj") + "->ij", {alpha, beta}, sum);
  }
};

/// The case transposed and conjugated as the bits of `flags` say, with every alpha and beta of the type's kind.
template <class Types>
std::vector<typed_case> scaled_cases(typed_case c, int flags) {
  std::vector<complex<double>> factors{0, 1, -0.5};
  if (is_complex<typename Types::sum>) factors.back() = {-0.5, 2};
  c.trans_a = (flags & 1) != 0, c.trans_b = (flags & 2) != 0, c.conj_a = (flags & 4) != 0, c.conj_b = (flags & 8) != 0;
  std::vector<typed_case> all;
  for (const complex<double>& beta : factors)
    for (const complex<double>& alpha : factors) {
      c.alpha = alpha, c.beta = beta;
      all.push_back(c);
    }
  return all;
}

/// A batch of matrices in memory of its own.
template <class T>
class matrices {
 public:
  matrices(space_kind space, index_t rows, index_t cols, index_t count, bool is_batch, const typed_case& c,
           bool grouped)
      : rows_(rows), ld_(rows + c.gap), stride_((rows + c.gap) * cols + c.gap), start_(c.start) {
    memory_.resize(std::size_t(start_ + stride_ * count + 1));
    o_.type = scalar_of<T>;
    o_.entry_bytes = sizeof(T);
    o_.space = space;
    o_.batched = is_batch;
    o_.count = is_batch ? count : 1;
    o_.stride = is_batch ? stride_ : 0;
    o_.facts.rank = 2;
    o_.facts.extent[0] = rows;
    o_.facts.extent[1] = cols;
    o_.facts.stride[0] = 1;
    o_.facts.stride[1] = ld_;
    o_.span = rows * cols == 0 ? 0 : (cols - 1) * ld_ + rows;
    if (space == space_kind::gpu) device_ = buffer(space, memory_.size() * sizeof(T));
    o_.data = first();
    if (grouped) make_group();
  }
  matrices(const matrices&) = delete;

  const operand& get() const { return o_; }
  std::vector<T>& memory() { return memory_; }
  T& at(index_t r, index_t c, index_t b) {
    return memory_[std::size_t(start_ + (o_.batched ? b * stride_ : 0) + r + c * ld_)];
  }
  void fill(unsigned seed) {
    for (T& entry : memory_) entry = fraction<T>(seed);
  }
  void upload() {
    if (o_.space == space_kind::gpu)
      device::copy(device_.data(), memory_.data(), device_.bytes(), device::direction::host_to_device);
  }
  void download() {
    if (o_.space == space_kind::gpu)
      device::copy(memory_.data(), device_.data(), device_.bytes(), device::direction::device_to_host);
  }

 private:
  T* first() { return (o_.space == space_kind::gpu ? static_cast<T*>(device_.data()) : memory_.data()) + start_; }
  void make_group() {
    // In an order that is no stride.
    for (index_t b = 0; b < o_.count; ++b) members_.push_back(first() + b * stride_);
    o_.list = std::make_shared<member_list>("test", o_, std::vector<const void*>(members_.begin(), members_.end()));
    o_.grouped = true;
    o_.members = o_.space == space_kind::gpu ? o_.list->in_device_memory() : static_cast<const void*>(members_.data());
    o_.data = nullptr;
    o_.stride = 0;
  }

  index_t rows_, ld_, stride_, start_;
  std::vector<T> memory_;
  std::vector<void*> members_;
  buffer device_;
  operand o_;
};

/// How many entries are wrong: outside their bound, or changed in a gap. `row`, where given, receives what ran.
template <class Types>
index_t count_wrong(const typed_case& c, space_kind space, const plan_options& options, std::string* row = nullptr) {
  using In = typename Types::in;
  using Out = typename Types::out;
  using Sum = typename Types::sum;
  const auto has = [&](char which) { return c.grouped.find(which) != std::string::npos; };
  matrices<In> a(space, c.trans_a ? c.k : c.m, c.trans_a ? c.m : c.k, c.shared == 'a' ? 1 : c.batch, c.shared != 'a', c,
                 has('a')),
      b(space, c.trans_b ? c.n : c.k, c.trans_b ? c.k : c.n, c.shared == 'b' ? 1 : c.batch, c.shared != 'b', c,
        has('b'));
  matrices<Out> out(space, c.m, c.n, c.batch, true, c, has('c'));
  a.fill(1);
  b.fill(2);
  out.fill(3);
  if (c.beta == 0)
    for (Out& entry : out.memory()) entry = not_a_number<Out>();
  const std::vector<Out> before = out.memory();
  a.upload();
  b.upload();
  out.upload();

  const operand all[] = {c.conj_a ? conj(a.get()) : a.get(), c.conj_b ? conj(b.get()) : b.get(), out.get()};
  const plan made = make_plan_of(c.what(scalar_of<Sum>), all, 3, options);
  made.run_operands(all, 3, {});
  if (row != nullptr) *row = made.describe();
  out.download();

  // Each term of a complex sum is two products; alpha and beta are products of complex numbers too.
  const long double roundings = is_complex<Sum> ? 2 * c.k + 6 : c.k + 2, nu = roundings * round_off<Sum>(),
                    gamma = nu / (1 - nu), least = sizeof(Out) == 2 ? 0x1p-25L : 0x1p-150L;
  const exact alpha = exact_value(c.alpha), beta = exact_value(c.beta);
  index_t wrong = 0;
  std::vector<bool> is_entry(before.size(), false);
  for (index_t e = 0; e < c.batch; ++e)
    for (index_t j = 0; j < c.n; ++j)
      for (index_t i = 0; i < c.m; ++i) {
        exact sum = 0;
        long double size = 0;
        for (index_t l = 0; l < c.k; ++l) {
          exact x = exact_value(c.trans_a ? a.at(l, i, e) : a.at(i, l, e)),
                y = exact_value(c.trans_b ? b.at(j, l, e) : b.at(l, j, e));
          if (c.conj_a) x = std::conj(x);
          if (c.conj_b) y = std::conj(y);
          sum += x * y;
          size += size_of_value(x) * size_of_value(y);
        }
        const std::size_t at = std::size_t(&out.at(i, j, e) - out.memory().data());
        is_entry[at] = true;
        const exact old = c.beta == 0 ? exact(0) : beta * exact_value(before[at]);
        const exact wanted = alpha * sum + old;
        size = size_of_value(alpha) * size +
               (c.beta == 0 ? 0 : size_of_value(beta) * size_of_value(exact_value(before[at])));
        const long double in_sum = gamma * size;
        const long double in_out =
            std::is_same_v<Out, Sum> ? 0 : round_off<Out>() * (size_of_value(wanted) + in_sum) + least;
        if (!(size_of_value(exact_value(out.at(i, j, e)) - wanted) <= 2 * in_sum + in_out)) ++wrong;
      }
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!is_entry[i] && std::memcmp(&before[i], &out.memory()[i], sizeof(Out)) != 0) ++wrong;
  return wrong;
}

}  // namespace tessera::testing
