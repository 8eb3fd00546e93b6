// SPDX-License-Identifier: BSD-3-Clause
// Contractions of two tensors of any types, with functions of entries and any pair of operations, drawn at random, and
// what plain loops make of them in numbers of at least 64 bits.
#pragma once

#include <tessera/gpu/detail/general/any_work.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace tessera::testing {

using any_value = std::complex<long double>;

/// Entries of a type as memory has them.
inline any_value read_any(device::any_type type, const char* from) {
  const auto as = [&]<class T>(T) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  };
  switch (type) {
    case device::any_type::f16: return float(as(half()));
    case device::any_type::bf16: return float(as(bfloat16()));
    case device::any_type::f32: return as(float());
    case device::any_type::f64: return as(double());
    case device::any_type::c32: return any_value(as(std::complex<float>()));
    case device::any_type::c64: return any_value(as(std::complex<double>()));
    case device::any_type::i16: return as(short());
    case device::any_type::i32: return as(int());
    case device::any_type::i64: break;
  }
  return (long double)(as(index_t()));
}
/// Rounded as types are; integers towards zero, and wrapped around.
inline void write_any(device::any_type type, const any_value& value, char* to) {
  const auto put = [&](const auto& as) { std::memcpy(to, &as, sizeof(as)); };
  const long double x = value.real();
  const auto whole = [&] { return index_t(x); };
  switch (type) {
    case device::any_type::f16: return put(half(float(x)));
    case device::any_type::bf16: return put(bfloat16(float(x)));
    case device::any_type::f32: return put(float(x));
    case device::any_type::f64: return put(double(x));
    case device::any_type::c32: return put(std::complex<float>(value));
    case device::any_type::c64: return put(std::complex<double>(value));
    case device::any_type::i16: return put(static_cast<short>(whole()));
    case device::any_type::i32: return put(static_cast<int>(whole()));
    case device::any_type::i64: return put(whole());
  }
}

/// A tensor's memory; its first entry is `start` entries into it, since strides may be negative.
struct any_memory {
  device::any_type type = device::any_type::f64;
  std::vector<char> bytes;
  index_t start = 0, batch_stride = 0;

  char* at(char* memory, index_t entry) const { return memory + (start + entry) * device::size_of(type); }
  any_value read(index_t entry) const { return read_any(type, bytes.data() + (start + entry) * device::size_of(type)); }
};

struct any_case {
  general_form form;
  device::any_types types;
  device::any_functions functions;
  index_t batch = 1;
  double alpha = 1, alpha_im = 0, beta = 0;
  any_memory left, right, addend, out;

  std::string text() const {
    std::string made = std::string(device::name_of(types.left)) + ", " + device::name_of(types.right) + " -> " +
                       device::name_of(types.out) + " in " + device::name_of(types.sum) + ", pair " +
                       std::to_string(int(functions.pair)) + ", functions";
    for (const device::any_function* f : {&functions.left, &functions.right, &functions.addend, &functions.result})
      made += " " + std::to_string(int(f->kind));
    const general_digits* const lists[] = {&form.rows, &form.cols, &form.inner, &form.batch};
    const char* const names[] = {"; rows", "; columns", "; sum", "; batch"};
    for (int l = 0; l < 4; ++l) {
      made += names[l];
      for (int i = 0; i < lists[l]->count; ++i) {
        const general_digit& d = lists[l]->at[i];
        made += " " + std::to_string(d.extent) + "(" + std::to_string(d.left) + ", " + std::to_string(d.right) + ", " +
                std::to_string(d.out) + ")";
      }
    }
    return made + "; " + std::to_string(batch) + " tensors, alpha " + std::to_string(alpha) + ", beta " +
           std::to_string(beta);
  }

  /// With the tensors' memory in these places; the addend's may be null where it is the output's.
  device::general_arguments arguments(char* left_at, char* right_at, char* addend_at, char* out_at) const {
    return {.left = left.at(left_at, 0),
            .right = right.at(right_at, 0),
            .addend = types.addend ? addend.at(addend_at, 0) : nullptr,
            .out = out.at(out_at, 0),
            .alpha = {alpha, alpha_im},
            .beta = beta,
            .left_stride = left.batch_stride,
            .right_stride = right.batch_stride,
            .addend_stride = addend.batch_stride,
            .out_stride = out.batch_stride};
  }

  bool has_elu() const {
    return std::ranges::any_of(std::initializer_list<device::any_function>{functions.left, functions.right,
                                                                           functions.addend, functions.result},
                               [](const auto& f) { return f.kind == device::any_function_kind::elu; });
  }
  /// How far off the results may be: nothing, if all numbers are small multiples of fractions of two.
  long double tolerance() const {
    if (!has_elu()) return 0;
    const auto epsilon = [](device::any_type type) -> long double {
      switch (type) {
        case device::any_type::f16: return 0x1p-10L;
        case device::any_type::bf16: return 0x1p-7L;
        case device::any_type::f64: return 0x1p-52L;
        default: return 0x1p-23L;
      }
    };
    const long double size = 25.0L * (long double)(form.inner.size() + 4) * (std::fabs(alpha) + std::fabs(beta) + 1);
    return size * (16 * epsilon(types.sum) + epsilon(types.out));
  }

  /// The output's memory afterwards; loops over all indices.
  std::vector<char> after() const;
  /// Entries of `found` that are not as `wanted`, beyond the tolerance; bytes between entries must not change.
  index_t wrong(const std::vector<char>& found, const std::vector<char>& wanted) const {
    const int size = device::size_of(types.out);
    index_t count = 0;
    for (std::size_t at = 0; at < wanted.size(); at += std::size_t(size)) {
      if (std::memcmp(&found[at], &wanted[at], std::size_t(size)) == 0) continue;
      const any_value a = read_any(types.out, &found[at]), b = read_any(types.out, &wanted[at]);
      count += !is_near(a.real(), b.real()) || !is_near(a.imag(), b.imag());
    }
    return count;
  }

 private:
  bool is_near(long double a, long double b) const {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= tolerance();
  }
};

namespace any_loops {

inline bool is_integer(device::any_type sum) { return sum == device::any_type::i32 || sum == device::any_type::i64; }

// Integers of 64 bits in place of a number: wrapped around as the sums' type.
inline any_value wrapped(device::any_type sum, unsigned long long bits) {
  return sum == device::any_type::i32 ? (long double)(int(unsigned(bits))) : (long double)(index_t(bits));
}
inline unsigned long long bits_of(const any_value& x) { return static_cast<unsigned long long>(index_t(x.real())); }
inline any_value times(device::any_type sum, const any_value& a, const any_value& b) {
  if (is_integer(sum)) return wrapped(sum, bits_of(a) * bits_of(b));
  if (sum != device::any_type::c32 && sum != device::any_type::c64) return a.real() * b.real();
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
inline any_value plus(device::any_type sum, const any_value& a, const any_value& b) {
  return is_integer(sum) ? wrapped(sum, bits_of(a) + bits_of(b)) : a + b;
}
inline any_value as_sum(device::any_type sum, const any_value& x) {
  return is_integer(sum) ? wrapped(sum, bits_of(x)) : x;
}

inline any_value call(const device::any_function& f, device::any_type sum, const any_value& x) {
  const long double p = f.parameter, v = x.real();
  switch (f.kind) {
    case device::any_function_kind::identity: return x;
    case device::any_function_kind::conj: return std::conj(x);
    case device::any_function_kind::relu: return v < 0 ? 0 : v;
    case device::any_function_kind::leaky_relu: return as_sum(sum, v < 0 ? p * v : v);
    case device::any_function_kind::elu: break;
  }
  return as_sum(sum, v < 0 ? p * std::expm1(v) : v);
}

// The neutral element of a pair, and a sum with one term more.
inline any_value neutral(device::any_pair pair, device::any_type sum) {
  if (pair == device::any_pair::plus_times || pair == device::any_pair::or_and) return 0;
  const bool is_min = pair == device::any_pair::min_plus;
  if (sum == device::any_type::i32) return is_min ? 2147483647.0L : -2147483648.0L;
  if (sum == device::any_type::i64) return is_min ? 9223372036854775807.0L : -9223372036854775808.0L;
  return is_min ? HUGE_VALL : -HUGE_VALL;
}
inline any_value added_up(device::any_pair pair, const any_value& a, const any_value& b) {
  if (pair == device::any_pair::min_plus) return std::min(a.real(), b.real());
  if (pair == device::any_pair::or_and) return a.real() != 0 || b.real() != 0 ? 1 : 0;
  return std::max(a.real(), b.real());
}
inline any_value with_term(device::any_pair pair, device::any_type type, const any_value& sum, const any_value& a,
                           const any_value& b) {
  switch (pair) {
    case device::any_pair::plus_times: return plus(type, sum, times(type, a, b));
    case device::any_pair::min_plus:
    case device::any_pair::max_plus: return added_up(pair, sum, a + b);
    case device::any_pair::max_times: return added_up(pair, sum, times(type, a, b));
    case device::any_pair::or_and: break;
  }
  return added_up(pair, sum, a.real() != 0 && b.real() != 0 ? 1 : 0);
}

// body(offsets in all tensors) for all values of a list's indices.
template <class Body>
void for_all(const general_digits& digits, const Body& body, general_digit at = {}, int from = 0) {
  if (from == digits.count) return body(at);
  for (index_t x = 0; x < digits.at[from].extent; ++x) {
    for_all(digits, body, at, from + 1);
    at.left += digits.at[from].left;
    at.right += digits.at[from].right;
    at.out += digits.at[from].out;
    at.addend += digits.at[from].addend;
  }
}

}  // namespace any_loops

inline std::vector<char> any_case::after() const {
  using namespace any_loops;
  std::vector<char> made = out.bytes;
  const device::any_type sum = types.sum;
  const bool adds = beta != 0 && (types.addend || types.reads_out);
  const any_memory& added = types.addend ? addend : out;
  for (index_t b = 0; b < batch; ++b)
    for_all(form.batch, [&](const general_digit& z) {
      for_all(form.rows, [&](const general_digit& r) {
        for_all(form.cols, [&](const general_digit& c) {
          any_value all = neutral(functions.pair, sum);
          for_all(form.inner, [&](const general_digit& k) {
            any_value x = as_sum(sum, left.read(b * left.batch_stride + z.left + r.left + k.left)),
                      y = as_sum(sum, right.read(b * right.batch_stride + z.right + c.right + k.right));
            if (types.left_conjugated) x = std::conj(x);
            if (types.right_conjugated) y = std::conj(y);
            all = with_term(functions.pair, sum, all, call(functions.left, sum, x), call(functions.right, sum, y));
          });
          const bool scales = functions.pair == device::any_pair::plus_times;
          if (scales) all = times(sum, any_value(alpha, is_complex_type(sum) ? alpha_im : 0), all);
          const index_t at = z.out + r.out + c.out, at_addend = types.addend ? z.addend + r.addend + c.addend : at;
          if (adds) {
            const any_value d =
                call(functions.addend, sum, as_sum(sum, added.read(b * added.batch_stride + at_addend)));
            all = scales ? plus(sum, all, times(sum, beta, d)) : added_up(functions.pair, all, d);
          }
          write_any(types.out, call(functions.result, sum, all), out.at(made.data(), b * out.batch_stride + at));
        });
      });
    });
  return made;
}

}  // namespace tessera::testing
