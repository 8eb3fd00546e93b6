// SPDX-License-Identifier: BSD-3-Clause
// Contractions of two tensors and an addend with functions and pairs of operations, by plain loops in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <tessera/plan.hpp>

namespace tessera::testing {

using fused_number = std::complex<long double>;

/// The number at an address of an entry, as it is.
inline fused_number number_at(scalar_type type, const void* at) {
  const auto read = [&](auto made) {
    std::memcpy(&made, at, sizeof made);
    return made;
  };
  switch (type) {
    case scalar_type::f32: return read(float());
    case scalar_type::f64: return read(double());
    case scalar_type::c32: return fused_number(read(std::complex<float>()));
    case scalar_type::c64: return fused_number(read(std::complex<double>()));
    case scalar_type::f16: return float(half::of_bits(read(static_cast<unsigned short>(0))));
    case scalar_type::bf16: return float(bfloat16::of_bits(read(static_cast<unsigned short>(0))));
    case scalar_type::i16: return read(static_cast<short>(0));
    case scalar_type::i32: return static_cast<long double>(read(0));
    case scalar_type::i64: break;
  }
  return static_cast<long double>(read(0ll));
}

/// Rounded once; of integers the last bits.
inline void put_number(scalar_type type, void* at, const fused_number& z) {
  const auto write = [&](auto value) { std::memcpy(at, &value, sizeof value); };
  switch (type) {
    case scalar_type::f32: return write(float(z.real()));
    case scalar_type::f64: return write(double(z.real()));
    case scalar_type::c32: return write(std::complex<float>(z));
    case scalar_type::c64: return write(std::complex<double>(z));
    case scalar_type::f16: return write(half(float(z.real())).bits);
    case scalar_type::bf16: return write(bfloat16(float(z.real())).bits);
    case scalar_type::i16: return write(static_cast<short>(static_cast<long long>(z.real())));
    case scalar_type::i32: return write(static_cast<int>(static_cast<long long>(z.real())));
    case scalar_type::i64: break;
  }
  write(static_cast<long long>(z.real()));
}

/// Unit round-off of the parts; 0 of integers.
inline long double fused_round_off(scalar_type type) {
  switch (type) {
    case scalar_type::f32:
    case scalar_type::c32: return 0x1p-24L;
    case scalar_type::f64:
    case scalar_type::c64: return 0x1p-53L;
    case scalar_type::f16: return 0x1p-11L;
    case scalar_type::bf16: return 0x1p-8L;
    default: return 0;
  }
}

/// A tensor or a batch of them in memory of its own.
struct drawn_tensor {
  std::string letters;
  scalar_type type = scalar_type::f64;
  operand o;
  std::vector<unsigned char> memory;

  unsigned char* at(index_t linear, index_t b) { return memory.data() + o.offset(linear, b) * index_t(o.entry_bytes); }
  fused_number value(index_t linear, index_t b) {
    const fused_number z = number_at(type, at(linear, b));
    return o.conjugated ? std::conj(z) : z;
  }
};

struct drawn_fused {
  contraction what{"i,i->"};
  std::map<char, index_t> extent;
  drawn_tensor a, b, d, out;  // d: an addend of its own, if the text has one
  bool in_place = false;      // d is the output
  scalar_type sum = scalar_type::f64;
  index_t batch = 1;
  std::string text;  // for messages

  std::vector<operand> operands() {
    std::vector<operand> all{a.o, b.o};
    all[0].data = a.memory.data();
    all[1].data = b.memory.data();
    if (what.addend()) {
      all.push_back(d.o);
      all.back().data = in_place ? out.memory.data() : d.memory.data();
    }
    all.push_back(out.o);
    all.back().data = out.memory.data();
    return all;
  }
};

namespace drawing {

inline fused_number function_of(const entry_function& f, const fused_number& z) {
  using kind = entry_function::kind;
  const long double x = z.real(), parameter = f.parameter();
  switch (f.which()) {
    case kind::identity: return z;
    case kind::relu: return x > 0 ? x : 0;
    case kind::leaky_relu: return x > 0 ? x : parameter * x;
    case kind::elu: return x > 0 ? x : parameter * std::expm1(x);
    case kind::conjugate: return std::conj(z);
    case kind::own: break;
  }
  return x / (1 + std::fabs(x));  // softsign, the only one of the kind that is drawn
}

inline entry_function softsign() {
  return entry_function::own("softsign", "x / (1 + fabs(x))", [](auto x) { return x / (1 + std::fabs(x)); });
}

/// Least a - 2 b: a pair in which the order of the factors matters.
inline operations least_difference() {
  return operations::own<float, double, int, long long>(
      {.name = "least_difference", .multiply = "a - 2 * b", .add = "x < c ? x : c"},
      [](auto a, auto b) { return a - 2 * b; }, [](auto c, auto x) { return x < c ? x : c; },
      [](auto zero) { return zero + std::numeric_limits<decltype(zero)>::max(); });
}

struct pair_value {
  fused_number value;
  long double magnitude = 0;  // rounding errors are this times a few units
};

/// Sums begin with nothing at all here, not with a neutral element.
class plain_sum {
 public:
  explicit plain_sum(const operations& pair) : pair_(pair) {}

  void add_product(const fused_number& a, const fused_number& b) {
    using kind = operations::kind;
    fused_number product;
    switch (pair_.which()) {
      case kind::plus_times:
      case kind::max_times: product = a * b; break;
      case kind::min_plus:
      case kind::max_plus: product = a + b; break;
      case kind::or_and: product = a != fused_number(0) && b != fused_number(0) ? 1 : 0; break;
      case kind::own: product = a - 2.0L * b; break;
    }
    add(product, (std::abs(a.real()) + std::abs(a.imag())) * (std::abs(b.real()) + std::abs(b.imag())) +
                     (pair_ == plus_times ? 0 : std::abs(a) + 2 * std::abs(b)));
  }
  void add(const fused_number& product, long double magnitude) {
    using kind = operations::kind;
    made_.magnitude = pair_ == plus_times ? made_.magnitude + magnitude : std::max(made_.magnitude, magnitude);
    switch (pair_.which()) {
      case kind::plus_times: made_.value += product; break;
      case kind::min_plus:
      case kind::own:
        if (is_empty_ || product.real() < made_.value.real()) made_.value = product;
        break;
      case kind::max_plus:
      case kind::max_times:
        if (is_empty_ || product.real() > made_.value.real()) made_.value = product;
        break;
      case kind::or_and: made_.value = made_.value != fused_number(0) || product != fused_number(0) ? 1 : 0; break;
    }
    is_empty_ = false;
  }
  const pair_value& made() const { return made_; }

 private:
  operations pair_;
  pair_value made_{};
  bool is_empty_ = true;
};

}  // namespace drawing

/// What an output entry shall be, and how far from it rounding may lead.
struct wanted_entry {
  fused_number value;
  long double tolerance = 0;
};

/// By loops over all letters; the output's entries in column-major order, batch entry after batch entry.
inline std::vector<wanted_entry> plain_loops(drawn_fused& c) {
  std::string summed;
  for (const char letter : c.a.letters)
    if (c.out.letters.find(letter) == std::string::npos) summed += letter;
  std::map<char, index_t> now;
  const auto unravel = [&](const std::string& letters, index_t n) {
    for (const char letter : letters) now[letter] = n % c.extent[letter], n /= c.extent[letter];
  };
  const auto linear = [&](const std::string& letters) {
    index_t n = 0;
    for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) n = n * c.extent[*letter] + now[*letter];
    return n;
  };
  const auto size = [&](const std::string& letters) {
    index_t n = 1;
    for (const char letter : letters) n *= c.extent[letter];
    return n;
  };
  const contraction_functions& f = c.what.functions();
  const fused_number alpha(c.what.scale().alpha.re, c.what.scale().alpha.im),
      beta(c.what.scale().beta.re, c.what.scale().beta.im);
  const bool is_plus_times = c.what.pair() == plus_times;
  drawn_tensor& addend = c.what.addend() && !c.in_place ? c.d : c.out;
  const std::string addend_letters = c.what.addend() ? c.d.letters : c.out.letters;
  std::vector<wanted_entry> made;
  for (index_t b = 0; b < c.batch; ++b)
    for (index_t i = 0; i < size(c.out.letters); ++i) {
      unravel(c.out.letters, i);
      drawing::plain_sum sum(c.what.pair());
      const index_t terms = size(summed);
      for (index_t k = 0; k < terms; ++k) {
        unravel(summed, k);
        sum.add_product(drawing::function_of(f.a, c.a.value(linear(c.a.letters), c.a.o.batched ? b : 0)),
                        drawing::function_of(f.b, c.b.value(linear(c.b.letters), c.b.o.batched ? b : 0)));
      }
      drawing::pair_value all = sum.made();
      if (is_plus_times) all = {alpha * all.value, (std::abs(alpha.real()) + std::abs(alpha.imag())) * all.magnitude};
      if (beta != fused_number(0)) {
        // An addend in place has the output's memory and letters of its own.
        const index_t at = c.in_place ? i : linear(addend_letters);
        const fused_number old = drawing::function_of(f.addend, addend.value(at, addend.o.batched ? b : 0));
        if (is_plus_times) {
          all.value += beta * old;
          all.magnitude +=
              (std::abs(beta.real()) + std::abs(beta.imag())) * (std::abs(old.real()) + std::abs(old.imag()));
        } else {
          sum.add(old, std::abs(old));
          all = sum.made();
        }
      }
      wanted_entry entry{drawing::function_of(f.result, all.value), 0};
      entry.tolerance = fused_round_off(c.sum) * (long double)(terms + 16) * all.magnitude * 2 +
                        fused_round_off(c.out.type) * 1.01L * std::abs(entry.value);
      // Tensor cores get what functions of 16-bit entries give rounded to 16 bits.
      const auto may_round = [](const drawn_tensor& input, const entry_function& function) {
        return (input.type == scalar_type::f16 || input.type == scalar_type::bf16) && function != entry_function{};
      };
      if (is_plus_times)
        entry.tolerance += ((may_round(c.a, f.a) ? fused_round_off(c.a.type) : 0) +
                            (may_round(c.b, f.b) ? fused_round_off(c.b.type) : 0)) *
                           1.01L * all.magnitude;
      // The subnormal numbers of half are that far apart.
      if (c.out.type == scalar_type::f16) entry.tolerance += 0x1p-25L;
      made.push_back(entry);
    }
  return made;
}

}  // namespace tessera::testing
