// SPDX-License-Identifier: BSD-3-Clause
// The reference of every timed result: the einsum in long double, letter by letter.
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "entry_types.hpp"

namespace tessera::bench {

namespace {

// Real numbers, or complex ones, which cost four times as much.
using exact = long double;
using exact_complex = complex<long double>;

template <class Value>
Value entry(const operand& o, index_t offset) {
  return with_type(*o.type, [&](auto type) {
    using T = decltype(type);
    const T& e = static_cast<const T*>(o.data)[offset];
    if constexpr (is_complex<T> == is_complex<Value>)
      return Value(e);
    else
      return Value();  // of other types: never used
  });
}

exact size_of_value(exact value) { return std::abs(value); }
// Its parts' sum: sizes of factors multiply to that of the product, or more.
exact size_of_value(const exact_complex& value) { return std::abs(value.re) + std::abs(value.im); }

template <class Value>
Value in_type(const complex<double>& z) {
  if constexpr (is_complex<Value>)
    return Value(z);
  else
    return z.re;
}

// The largest rounding error of subnormal 16-bit results.
exact least_of(scalar_type type) { return type == scalar_type::f16 ? 0x1p-25L : 0; }

// Every letter with its extent, the output's first.
struct letters {
  std::string name;
  std::vector<index_t> extent;

  void add(const modes& m, const operand& o) {
    for (int d = 0; d < m.rank; ++d) {
      if (name.find(m.letter[d]) != std::string::npos) continue;
      name += m.letter[d];
      extent.push_back(o.facts.extent[d]);
    }
  }
  index_t size(std::size_t first, std::size_t last) const {
    index_t product = 1;
    for (std::size_t i = first; i < last; ++i) product *= extent[i];
    return product;
  }
};

// The offset in an operand of letters `first`.. with linear index `step`.
index_t offset_of(const letters& all, std::size_t first, index_t step, const modes& m, const operand& o) {
  index_t offset = 0;
  for (std::size_t i = first; i < all.name.size() && step > 0; ++i) {
    const index_t digit = step % all.extent[i];
    step /= all.extent[i];
    if (m.has(all.name[i])) offset += digit * o.facts.stride[m.find(all.name[i])];
  }
  return offset;
}

template <class Value>
class tensor_check {
 public:
  explicit tensor_check(const workload& work) : work_(work), inputs_(int(work.operands.size()) - 1) {
    const einsum& e = work.what.modes();
    all_.add(e.out(), work.out().host());
    outer_ = all_.name.size();
    for (int i = 0; i < inputs_; ++i) all_.add(e.operand[i], input(i));
    terms_ = all_.size(outer_, all_.name.size());
    if (terms_ > most_kept_offsets) return;
    for (int i = 0; i < inputs_; ++i)
      for (index_t t = 0; t < terms_; ++t) offsets_[i].push_back(offset_of(all_, outer_, t, e.operand[i], input(i)));
  }

  static constexpr index_t most_terms = 20'000'000;

  /// The number of positions to check: fewer for large tensors, at least two.
  int most_positions() const {
    const index_t terms = std::max<index_t>(1, all_.size(0, all_.name.size()));
    return int(std::clamp<index_t>(most_terms / terms, 2, 16));
  }

  /// The largest relative error over the entries of the tensor at batch position b.
  double worst(index_t b) const {
    double worst = 0;
    const index_t entries = all_.size(0, outer_);
    // Of large tensors only some, no two of which are a round number apart.
    const index_t step =
        std::max<index_t>(1, entries / std::max<index_t>(64, most_terms / std::max<index_t>(1, terms_))) | 1;
    for (index_t e = 0; e < entries; e += step) worst = std::max(worst, error_of(e, b));
    return entries > 0 ? std::max(worst, error_of(entries - 1, b)) : worst;
  }

 private:
  // The function of entries, if there is one.
  Value taken(const Value& x) const {
    if constexpr (!is_complex<Value>)
      if (work_.leaky_slope && x < 0) return Value(*work_.leaky_slope) * x;
    return x;
  }

  const operand& input(int i) const { return work_.operands[std::size_t(i)].host(); }

  double error_of(index_t e, index_t b) const {
    const modes(&m)[max_inputs + 1] = work_.what.modes().operand;
    const operand& out = work_.out().host();
    index_t start[max_inputs]{};
    for (int i = 0; i < inputs_; ++i) start[i] = input(i).offset(0, b) + offset_of_output_part(e, m[i], input(i));
    if constexpr (!is_complex<Value>)
      if (work_.is_min_plus) return error_of_least(out, out.offset(e, b), start);
    Value sum = Value(0);
    exact scale = 0;
    for (index_t t = 0; t < terms_; ++t) {
      Value term = Value(1);
      exact size = 1;
      for (int i = 0; i < inputs_; ++i) {
        Value x = entry<Value>(input(i), start[i] + inner_offset(i, t));
        if constexpr (is_complex<Value>)
          if (work_.conjugated[i]) x = conj(x);
        x = taken(x);
        term *= x;
        size *= size_of_value(x);
      }
      sum += term;
      scale += size;
    }
    const index_t at = out.offset(e, b);
    const auto& [alpha, beta] = work_.what.scale();
    sum *= in_type<Value>(alpha);
    scale *= size_of_value(in_type<Value>(alpha));
    if (beta != 0) {
      const Value old = in_type<Value>(beta) * in_type<Value>(work_.out().initial(at));
      sum += old;
      scale += size_of_value(old);
    }
    sum = taken(sum);
    exact difference = size_of_value(entry<Value>(out, at) - sum);
    if (difference <= least_of(*out.type)) difference = 0;
    if (!(difference == difference)) return std::numeric_limits<double>::infinity();
    if (scale == 0) return difference == 0 ? 0 : std::numeric_limits<double>::infinity();
    return double(difference / scale);
  }

  // Of the least sum of two entries, relative to these.
  double error_of_least(const operand& out, index_t at, const index_t* start) const {
    Value least = std::numeric_limits<Value>::infinity();
    exact scale = 0;
    for (index_t t = 0; t < terms_; ++t) {
      Value x[2];
      for (int i = 0; i < 2; ++i) x[i] = entry<Value>(input(i), start[i] + inner_offset(i, t));
      if (x[0] + x[1] >= least) continue;
      least = x[0] + x[1];
      scale = size_of_value(x[0]) + size_of_value(x[1]);
    }
    const exact difference = size_of_value(entry<Value>(out, at) - least);
    if (!(difference == difference)) return std::numeric_limits<double>::infinity();
    return difference == 0 ? 0 : double(difference / scale);
  }

  index_t offset_of_output_part(index_t e, const modes& m, const operand& o) const {
    index_t offset = 0;
    for (std::size_t i = 0; i < outer_; ++i) {
      if (m.has(all_.name[i])) offset += e % all_.extent[i] * o.facts.stride[m.find(all_.name[i])];
      e /= all_.extent[i];
    }
    return offset;
  }

  // Of term t of a sum, in an input.
  index_t inner_offset(int i, index_t t) const {
    if (terms_ <= most_kept_offsets) return offsets_[i][std::size_t(t)];
    return offset_of(all_, outer_, t, work_.what.modes().operand[i], input(i));
  }

  static constexpr index_t most_kept_offsets = 1'000'000;

  const workload& work_;
  int inputs_;
  letters all_;
  std::size_t outer_ = 0;
  index_t terms_ = 1;
  std::vector<index_t> offsets_[max_inputs];
};

}  // namespace

namespace {

double round_off(scalar_type type) {
  switch (type) {
    case scalar_type::f64:
    case scalar_type::c64: return 0x1p-53;
    case scalar_type::f32:
    case scalar_type::c32: return 0x1p-24;
    case scalar_type::f16: return 0x1p-11;
    case scalar_type::i16:
    case scalar_type::i32:
    case scalar_type::i64: return 0;
    case scalar_type::bf16: break;
  }
  return 0x1p-8;
}

template <class Value>
double worst_of(const workload& work) {
  const tensor_check<Value> tensors(work);
  double worst = 0;
  for (index_t b : sample_positions(work.batch(), tensors.most_positions())) {
    work.out().fetch(b);
    worst = std::max(worst, tensors.worst(b));
  }
  return worst;
}

}  // namespace

double gamma_bound(index_t n, scalar_type type) {
  const double u = round_off(type);
  return double(n) * u / (1 - double(n) * u);
}

double error_bound(const product_types& types, index_t inner) {
  // A term of a complex sum is two products, and each part has an error of its own.
  const double sums =
      is_complex_type(types.sum) ? 2 * gamma_bound(2 * inner + 6, types.sum) : gamma_bound(inner + 2, types.sum);
  return types.out == types.sum ? sums : sums + round_off(types.out) * (1 + sums);
}

double error_bound(const workload& work) {
  const product_types types = work.types();
  if (work.is_min_plus) return gamma_bound(2, types.sum);  // one addition
  double bound = error_bound(types, work.inner);
  if (work.leaky_slope) {
    // A factor's function rounds to the type of sums, or, in a pass of its own, to its own type; so does the result's.
    bound += 2 * (types.in == types.sum ? gamma_bound(2, types.sum) : gamma_bound(2, types.in));
    bound += gamma_bound(2, types.out);
  }
  const bool is_float = types.sum == scalar_type::f32 || types.sum == scalar_type::c32;
  if (work.precision != product_precision::exact && is_float && types.in == types.sum) {
    // Of each factor 11 digits are read, in three products 22, and tensor cores may cut off what they add.
    bound += work.precision == product_precision::tf32 ? 0x1p-8 : 0x1p-18;
    bound += error_bound(types, work.inner);
  }
  return bound;
}

std::vector<index_t> sample_positions(index_t batch, int most) {
  std::vector<index_t> all;
  if (batch <= most) {
    for (index_t b = 0; b < batch; ++b) all.push_back(b);
    return all;
  }
  std::mt19937_64 random(1);
  all = {0, batch - 1};
  while (int(all.size()) < most) all.push_back(index_t(random() % std::uint64_t(batch)));
  return all;
}

verdict check(const workload& work) {
  const bool is_complex = is_complex_type(work.types().in);
  return {is_complex ? worst_of<exact_complex>(work) : worst_of<exact>(work), error_bound(work)};
}

}  // namespace tessera::bench
