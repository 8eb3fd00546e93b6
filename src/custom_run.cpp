// SPDX-License-Identifier: BSD-3-Clause
// Plain loops over the entries of a general contraction: numbers of the sums' type between loads and stores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <tessera/core/address.hpp>

#include "custom_plan.hpp"
#include "plan_state.hpp"

namespace tessera::detail {

namespace {

constexpr index_t numbers_at_once = 256;  // entries of a sum that are read at once

template <class T>
inline constexpr bool is_16_bit_float = same_type<T, half> || same_type<T, bfloat16>;

template <class From, class To>
inline constexpr bool can_convert = is_complex<To> ||
                                    (!is_complex<From> && (!std::is_integral_v<To> || std::is_integral_v<From>));

// Rounded to the nearest; integers keep their last bits.
template <class To, class From>
To converted_number(const From& x) {
  if constexpr (is_complex<To> && is_complex<From>)
    return To(x);
  else if constexpr (is_complex<To>)
    return To(typename To::value_type(x));
  else if constexpr (is_16_bit_float<To>)
    return To(float(x));
  else
    return static_cast<To>(x);
}

// f(T()) for the type of entries.
template <class F>
auto with_entry(scalar_type type, F f) {
  switch (type) {
    case scalar_type::f32: return f(float());  // NOLINT(bugprone-branch-clone): other types
    case scalar_type::f64: return f(double());
    case scalar_type::c32: return f(complex<float>());
    case scalar_type::c64: return f(complex<double>());
    case scalar_type::f16: return f(half());
    case scalar_type::bf16: return f(bfloat16());
    case scalar_type::i16: return f(short());  // NOLINT(bugprone-branch-clone)
    case scalar_type::i32: return f(int());
    case scalar_type::i64: break;
  }
  return f(static_cast<long long>(0));
}

template <class S>
using load_function = void (*)(const void* from, const index_t* at, index_t count, S* to);
template <class S>
using store_function = void (*)(void* to, index_t at, const S& value);

template <class S, class T>
void load_entries(const void* from, const index_t* at, index_t count, S* to) {
  const T* const entries = static_cast<const T*>(from);
  for (index_t i = 0; i < count; ++i) to[i] = converted_number<S>(entries[at[i]]);
}
template <class S, class T>
void store_entry(void* to, index_t at, const S& value) {
  static_cast<T*>(to)[at] = converted_number<T>(value);
}

template <class S>
load_function<S> loader_of(scalar_type type) {
  return with_entry(type, [](auto entry) -> load_function<S> {
    using T = decltype(entry);
    if constexpr (can_convert<T, S>) return &load_entries<S, T>;
    return nullptr;
  });
}
template <class S>
store_function<S> storer_of(scalar_type type) {
  return with_entry(type, [](auto entry) -> store_function<S> {
    using T = decltype(entry);
    if constexpr (can_convert<S, T>) return &store_entry<S, T>;
    return nullptr;
  });
}

// Integers wrap around.
template <class S>
S sum_of(const S& a, const S& b) {
  if constexpr (std::is_integral_v<S>)
    return S(std::make_unsigned_t<S>(a) + std::make_unsigned_t<S>(b));
  else
    return a + b;
}
template <class S>
S product_of(const S& a, const S& b) {
  if constexpr (std::is_integral_v<S>)
    return S(std::make_unsigned_t<S>(a) * std::make_unsigned_t<S>(b));
  else
    return a * b;
}
// The number where the other one is NaN.
template <class S>
S least(S a, S b) {
  if constexpr (std::is_integral_v<S>)
    return std::min(a, b);
  else
    return std::fmin(a, b);
}
template <class S>
S largest(S a, S b) {
  if constexpr (std::is_integral_v<S>)
    return std::max(a, b);
  else
    return std::fmax(a, b);
}

template <class S>
void apply_function(const entry_function& function, S* x, index_t count) {
  using kind = entry_function::kind;
  const auto each = [&](const auto& f) {
    for (index_t i = 0; i < count; ++i) x[i] = f(x[i]);
  };
  if (function.which() == kind::own) return each(std::get<std::function<S(S)>>(function.of_user()->call));
  if constexpr (is_complex<S>) {
    if (function.which() == kind::conjugate) each([](const S& z) { return conj(z); });
  } else {
    if (function.which() == kind::relu) each([](S z) { return z < 0 ? S(0) : z; });
    if constexpr (!std::is_integral_v<S>) {
      const S parameter = S(function.parameter());
      if (function.which() == kind::leaky_relu) each([&](S z) { return z < 0 ? parameter * z : z; });
      if (function.which() == kind::elu) each([&](S z) { return z < 0 ? parameter * std::expm1(z) : z; });
    }
  }
}

// f(neutral, multiply, add) of a pair, for the type of sums.
template <class S, class F>
auto with_pair(const operations& pair, F f) {
  using kind = operations::kind;
  if (const own_binary* own = pair.of_user())
    return f(*std::get<std::optional<S>>(own->neutral), std::get<std::function<S(S, S)>>(own->multiply),
             std::get<std::function<S(S, S)>>(own->add));
  if constexpr (!is_complex<S>) {
    using limits = std::numeric_limits<S>;
    const S most = limits::has_infinity ? limits::infinity() : limits::max(),
            lowest = limits::has_infinity ? -limits::infinity() : limits::lowest();
    switch (pair.which()) {
      case kind::min_plus: return f(most, &sum_of<S>, &least<S>);
      case kind::max_plus: return f(lowest, &sum_of<S>, &largest<S>);
      case kind::max_times: return f(lowest, &product_of<S>, &largest<S>);
      case kind::or_and:
        return f(
            S(0), [](S a, S b) { return S(a != 0 && b != 0); }, [](S a, S b) { return S(a != 0 || b != 0); });
      default: break;
    }
  }
  return f(
      S(0), [](const S& a, const S& b) { return product_of(a, b); },
      [](const S& a, const S& b) { return sum_of(a, b); });
}

template <class S>
class custom_loops {
 public:
  custom_loops(const custom_problem& p, const arguments& operands)
      : p_(p), operands_(operands), outer_size_(p.outer_size()), inner_size_(p.inner_size()) {
    for (const int o : {0, 1}) load_[o] = loader_of<S>(o == 0 ? p.types.left : p.types.right);
    load_[2] = loader_of<S>(p.addend == addend_operand ? *p.types.addend : p.types.out);
    store_ = storer_of<S>(p.types.out);
  }

  template <class Neutral, class Multiply, class Add>
  void run(index_t first, index_t last, const Neutral& neutral, const Multiply& multiply, const Add& add) {
    const bool is_plus_times = p_.pair == plus_times;
    const S alpha = factor_in<S>(p_.scale.alpha), beta = factor_in<S>(p_.scale.beta);
    for (index_t n = first; n < last; ++n) {
      go_to(n);
      S sum = neutral;
      for (index_t k = 0; k < inner_size_; k += numbers_at_once) {
        const index_t count = std::min(numbers_at_once, inner_size_ - k);
        if (k != listed_from_) list(k, count);
        read(0, count, p_.functions.a);
        read(1, count, p_.functions.b);
        for (index_t i = 0; i < count; ++i) sum = add(sum, multiply(numbers_[0][i], numbers_[1][i]));
      }
      S value = is_plus_times ? product_of(alpha, sum) : sum;
      if (p_.addend >= 0) {
        const S old = addend();
        value = is_plus_times ? sum_of(value, product_of(beta, old)) : add(value, old);
      }
      apply_function(p_.functions.result, &value, 1);
      store_(const_cast<void*>(data_[output]), place(output, start_[output]), value);
    }
  }

 private:
  // The addresses of output entry n, and where its sum begins.
  void go_to(index_t n) {
    const index_t b = n / outer_size_;
    if (b != batch_entry_) {
      batch_entry_ = b;
      for (const int o : {0, 1, p_.addend == addend_operand ? addend_operand : output, output})
        data_[o] = data_of(o, b);
    }
    index_t rest = n % outer_size_;
    for (index_t& start : start_) start = 0;
    for (const custom_digit& d : p_.outer) {
      const index_t at = rest % d.extent;
      rest /= d.extent;
      for (int o = 0; o <= max_inputs; ++o) start_[o] += at * d.stride[o];
    }
  }
  const void* data_of(int o, index_t b) const {
    const operand& of = operands_[o];
    if (of.grouped) return of.member(b);
    const index_t start = of.batched ? batch_start(b, of.stride, of.lanes) : 0;
    return static_cast<const char*>(of.data) + start * index_t(of.entry_bytes);
  }
  index_t place(int o, index_t at) const {
    const operand& of = operands_[o];
    return of.offsets ? (*of.offsets)[std::size_t(at)] : at;
  }

  // Offsets of the inputs' entries k to k + count of a sum, counted from where it begins.
  void list(index_t k, index_t count) {
    listed_from_ = k;
    index_t at[max_rank]{}, left = 0, right = 0, rest = k;
    for (std::size_t d = 0; d < p_.inner.size(); ++d) {
      at[d] = rest % p_.inner[d].extent;
      rest /= p_.inner[d].extent;
      left += at[d] * p_.inner[d].stride[0];
      right += at[d] * p_.inner[d].stride[1];
    }
    for (index_t i = 0; i < count; ++i) {
      listed_[0][i] = left;
      listed_[1][i] = right;
      for (std::size_t d = 0; d < p_.inner.size(); ++d) {
        const custom_digit& digit = p_.inner[d];
        left += digit.stride[0];
        right += digit.stride[1];
        if (++at[d] < digit.extent) break;
        left -= digit.extent * digit.stride[0];
        right -= digit.extent * digit.stride[1];
        at[d] = 0;
      }
    }
  }
  void read(int o, index_t count, const entry_function& function) {
    for (index_t i = 0; i < count; ++i) places_[i] = place(o, start_[o] + listed_[o][i]);
    load_[o](data_[o], places_, count, numbers_[o]);
    finish(o, numbers_[o], count, function);
  }
  S addend() {
    const index_t at = place(p_.addend, start_[p_.addend]);
    S old;
    load_[2](data_[p_.addend], &at, 1, &old);
    finish(p_.addend, &old, 1, p_.functions.addend);
    return old;
  }
  void finish(int o, S* numbers, index_t count, const entry_function& function) const {
    if (operands_[o].conjugated) apply_function(conjugate, numbers, count);
    if (function.which() != entry_function::kind::identity) apply_function(function, numbers, count);
  }

  const custom_problem& p_;
  const arguments& operands_;
  index_t outer_size_, inner_size_;
  load_function<S> load_[3];  // of the inputs and of the addend
  store_function<S> store_;
  index_t batch_entry_ = -1, listed_from_ = -1;
  const void* data_[max_inputs + 1]{};
  index_t start_[max_inputs + 1]{};
  index_t listed_[2][numbers_at_once], places_[numbers_at_once];
  S numbers_[2][numbers_at_once];
};

template <class S>
void run_in(const custom_problem& p, const arguments& operands, index_t first, index_t last) {
  custom_loops<S> loops(p, operands);
  with_pair<S>(p.pair, [&](const S& neutral, const auto& multiply, const auto& add) {
    loops.run(first, last, neutral, multiply, add);
  });
}

}  // namespace

void run_custom(const custom_problem& p, const arguments& operands, index_t first, index_t last) {
  switch (p.types.sum) {
    case scalar_type::f32: return run_in<float>(p, operands, first, last);
    case scalar_type::c32: return run_in<complex<float>>(p, operands, first, last);
    case scalar_type::c64: return run_in<complex<double>>(p, operands, first, last);
    case scalar_type::i32: return run_in<int>(p, operands, first, last);
    case scalar_type::i64: return run_in<long long>(p, operands, first, last);
    default: return run_in<double>(p, operands, first, last);
  }
}

}  // namespace tessera::detail
