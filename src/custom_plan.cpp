// SPDX-License-Identifier: BSD-3-Clause
// Checks of contractions with functions, other pairs, addends and any types, and their loops over merged indices.
#include "custom_plan.hpp"

#include <algorithm>
#include <cmath>

#include "plan_state.hpp"

namespace tessera::detail {

namespace {

constexpr scalar_type sum_types[] = {scalar_type::f32, scalar_type::f64, scalar_type::c32,
                                     scalar_type::c64, scalar_type::i32, scalar_type::i64};

bool converts_to(scalar_type from, scalar_type to) {
  if (is_complex_type(to)) return true;
  return !is_complex_type(from) && (!is_integer_type(to) || is_integer_type(from));
}

// Whether f(sum type as a position in sum_types) holds.
template <class Tuple, std::size_t... I>
bool has_for(const Tuple& all, scalar_type sum, std::index_sequence<I...>) {
  return ((sum_types[I] == sum && bool(std::get<I>(all))) || ...);
}
template <class Tuple>
bool has_for(const Tuple& all, scalar_type sum) {
  return has_for(all, sum, std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

template <class Tuple>
bool has_any(const Tuple& all) {
  return std::apply([](const auto&... one) { return (bool(one) || ...); }, all);
}

class custom_checker {
 public:
  custom_checker(const contraction& what, const arguments& operands, space_kind in)
      : what_(what), operands_(operands), types_(types_of(what, operands)), in_(in) {}

  const custom_types& types() const { return types_; }

  void check_types() const {
    if (!what_.sum() && !has_usual_sums())
      refuse("there are kernels for " + known_product_names() +
             " and products of integers; others need the type of their sums: contraction(\"" + what_.text() +
             "\", sums_in<double>())");
    if (std::find(std::begin(sum_types), std::end(sum_types), types_.sum) == std::end(sum_types))
      refuse(std::string("sums in ") + name_of(types_.sum) + "; they are in f32, f64, c32, c64, i32 or i64");
    const auto check_entries = [&](const char* name, scalar_type type) {
      if (!converts_to(type, types_.sum))
        refuse(std::string(name) + " is " + name_of(type) + ", and sums in " + name_of(types_.sum) + " do not take it");
    };
    check_entries("input 1", types_.left);
    check_entries("input 2", types_.right);
    if (types_.addend) check_entries("the addend", *types_.addend);
    if (!converts_to(types_.sum, types_.out))
      refuse(std::string("the output is ") + name_of(types_.out) + ", which sums in " + name_of(types_.sum) +
             " do not become");
  }

  void check_scale() const {
    const scaling& s = what_.scale();
    if (!is_complex_type(types_.sum) && !is_real(s))
      refuse(std::string("alpha or beta has an imaginary part, sums are in ") + name_of(types_.sum));
    if (is_integer_type(types_.sum))
      for (const double factor : {s.alpha.re, s.beta.re}) {
        const double limit = types_.sum == scalar_type::i32 ? 0x1p31 : 0x1p53;
        if (std::trunc(factor) != factor || std::fabs(factor) >= limit)
          refuse("alpha or beta is " + std::to_string(factor) + ", no integer of " + name_of(types_.sum));
      }
    if (what_.pair() != plus_times && (s.alpha != 1. || !(s.beta == 0. || s.beta == 1.)))
      refuse(text_of(what_.pair()) + " takes alpha = 1 and beta = 0 or 1, not " + text_of_factors());
  }

  void check_pair() const {
    const operations& pair = what_.pair();
    if (const own_binary* own = pair.of_user()) {
      const bool is_text = in_ == space_kind::gpu && !has_any(own->multiply);
      if (!is_text && !has_for(own->multiply, types_.sum))
        refuse("the pair " + own->name + " has no functions for sums in " + name_of(types_.sum) +
               (has_any(own->multiply) ? ": operations::own<type>(...)" : on_cpus(own->multiply_source)));
      if (!has_for(own->neutral, types_.sum))
        refuse("the pair " + own->name + " has no neutral element for sums in " + name_of(types_.sum) +
               ": operations::own<type>(...)");
      return;
    }
    if (pair != plus_times && is_complex_type(types_.sum))
      refuse(text_of(pair) + " is of real numbers, and sums are in " + name_of(types_.sum));
  }

  void check_functions() const {
    const contraction_functions& f = what_.functions();
    check_function(f.a, "A");
    check_function(f.b, "B");
    check_function(f.addend, "addend");
    check_function(f.result, "result");
  }

 private:
  using kind = entry_function::kind;

  static std::string on_cpus(const std::string& source) {
    return source.empty() ? " on CPUs" : " on CPUs, and its text is for GPUs";
  }

  // Of types that a caller may have meant without a word more.
  bool has_usual_sums() const {
    if (types_.left != types_.right) return false;
    if (is_known({types_.left, types_.out, types_.sum})) return true;
    return is_integer_type(types_.left) && (types_.out == types_.left || types_.out == types_.sum);
  }

  void check_function(const entry_function& function, const char* of) const {
    const std::string name = tessera::text_of(function) + " (" + of + ")";
    switch (function.which()) {
      case kind::identity:
      case kind::conjugate: return;
      case kind::own: {
        const own_unary& own = *function.of_user();
        const bool is_text = in_ == space_kind::gpu && !has_any(own.call);
        if (!is_text && !has_for(own.call, types_.sum))
          refuse(name + " has no function for sums in " + name_of(types_.sum) +
                 (has_any(own.call) ? ": entry_function::own<type>(...)" : on_cpus(own.source)));
        return;
      }
      case kind::leaky_relu:
      case kind::elu:
        if (is_integer_type(types_.sum))
          refuse(name + " is of floating numbers, and sums are in " + name_of(types_.sum));
        [[fallthrough]];
      case kind::relu:
        if (is_complex_type(types_.sum)) refuse(name + " is of real numbers, and sums are in " + name_of(types_.sum));
    }
  }

  std::string text_of_factors() const {
    const auto text = [](complex<double> z) {
      std::string number = std::to_string(z.re);
      if (z.im != 0) number += " + " + std::to_string(z.im) + "i";
      return number;
    };
    return text(what_.scale().alpha) + " and " + text(what_.scale().beta);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw error("plan " + text_of(what_, operands_) + ": " + types_text(what_, operands_) + ", with sums in " +
                    name_of(types_.sum) + ": " + why,
                status::wrong_type);
  }

  const contraction& what_;
  const arguments& operands_;
  custom_types types_;
  space_kind in_;
};

// Whether beta is 0 in the type of the sums.
bool is_zero_beta(const scaling& s, scalar_type sum) {
  const bool in_float = sum == scalar_type::f32 || sum == scalar_type::c32;
  return in_float ? float(s.beta.re) == 0 && float(s.beta.im) == 0 : s.beta == 0.;
}

// The stride of a letter; entries in column-major order where the layout is a table.
index_t stride_of_letter(const operand& o, const modes& letters, char c) {
  const int at = letters.find(c);
  if (at < 0) return 0;
  if (!o.offsets) return o.facts.stride[at];
  index_t stride = 1;
  for (int d = 0; d < at; ++d) stride *= o.facts.extent[d];
  return stride;
}

index_t length_of_stride(index_t stride) { return stride < 0 ? -stride : stride; }

// Digits by their distance in operand `nearest`, those that follow each other everywhere being one.
std::vector<custom_digit> merged_digits(std::vector<custom_digit> digits, int nearest) {
  std::erase_if(digits, [](const custom_digit& d) { return d.extent == 1; });
  std::stable_sort(digits.begin(), digits.end(), [&](const custom_digit& a, const custom_digit& b) {
    return length_of_stride(a.stride[nearest]) < length_of_stride(b.stride[nearest]);
  });
  std::vector<custom_digit> made;
  for (const custom_digit& next : digits) {
    bool follows = !made.empty();
    for (int o = 0; follows && o <= max_inputs; ++o)
      follows = next.stride[o] == made.back().stride[o] * made.back().extent;
    if (follows)
      made.back().extent *= next.extent;
    else
      made.push_back(next);
  }
  return made;
}

index_t product_of_extents(const std::vector<custom_digit>& digits) {
  index_t product = 1;
  for (const custom_digit& d : digits) product *= d.extent;
  return product;
}

void fill_digits(custom_problem& p, const contraction& what, const arguments& operands) {
  const einsum& e = what.modes();
  const auto digit_of = [&](const operand& holder, const modes& letters, int d) {
    const char c = letters.letter[d];
    custom_digit made{.extent = holder.facts.extent[d]};
    for (const int o : {0, 1, output}) made.stride[o] = stride_of_letter(operands[o], e.operand[o], c);
    if (what.addend()) made.stride[addend_operand] = stride_of_letter(operands[addend_operand], *what.addend(), c);
    return made;
  };
  for (int d = 0; d < e.out().rank; ++d) p.outer.push_back(digit_of(operands[output], e.out(), d));
  for (int d = 0; d < e.operand[0].rank; ++d)
    if (!e.out().has(e.operand[0].letter[d])) p.inner.push_back(digit_of(operands[0], e.operand[0], d));
  p.outer = merged_digits(std::move(p.outer), output);
  p.inner = merged_digits(std::move(p.inner), 0);
}

}  // namespace

index_t custom_problem::outer_size() const { return product_of_extents(outer); }
index_t custom_problem::inner_size() const { return product_of_extents(inner); }

custom_types types_of(const contraction& what, const arguments& operands) {
  custom_types made{*operands[0].type, *operands[1].type, *operands[output].type, scalar_type::f64, {}};
  made.sum = what.sum().value_or(usual_sum(made.left));
  if (what.addend()) made.addend = operands[addend_operand].type;
  return made;
}

std::string why_custom(const contraction& what, const arguments& operands) {
  if (what.addend()) return "has an addend of its own";
  if (what.functions() != contraction_functions{}) return "has functions of entries";
  if (what.pair() != plus_times) return "has the pair " + text_of(what.pair());
  if (what.modes().inputs != 2) return "";
  const custom_types types = types_of(what, operands);
  if (types.left == types.right && is_known({types.left, types.out, types.sum})) return "";
  return "is of other types: " + types_text(what, operands) + ", with sums in " + name_of(types.sum);
}

bool has_own_code(const contraction& what) {
  const contraction_functions& f = what.functions();
  for (const entry_function* one : {&f.a, &f.b, &f.addend, &f.result})
    if (one->of_user() != nullptr) return true;
  return what.pair().of_user() != nullptr;
}

bool is_custom(const contraction& what, const arguments& operands) {
  if (!what.is_plain()) return true;
  if (what.modes().inputs != 2) return false;
  const custom_types types = types_of(what, operands);
  return types.left != types.right || !is_known({types.left, types.out, types.sum});
}

custom_problem custom_checked(const contraction& what, const arguments& operands, space_kind in) {
  const custom_checker check(what, operands, in);
  check.check_types();
  check.check_scale();
  check.check_pair();
  check.check_functions();
  custom_problem p{.types = check.types(),
                   .functions = what.functions(),
                   .pair = what.pair(),
                   .scale = what.scale(),
                   .outer = {},
                   .inner = {}};
  if (!is_zero_beta(p.scale, p.types.sum)) p.addend = what.addend() ? addend_operand : output;
  fill_digits(p, what, operands);
  return p;
}

std::string text_of(const custom_problem& p) {
  const custom_types& t = p.types;
  std::string text = std::string("general ") + name_of(t.left);
  if (t.right != t.left) text += std::string(", ") + name_of(t.right);
  if (t.addend && *t.addend != t.left) text += std::string(" + ") + name_of(*t.addend);
  if (t.out != t.left || t.right != t.left) text += std::string(" -> ") + name_of(t.out);
  if (t.sum != t.left) text += std::string(" with sums in ") + name_of(t.sum);
  text += " plain loops";
  if (p.pair != plus_times) text += ", " + text_of(p.pair);
  if (const std::string functions = text_of(p.functions); !functions.empty()) text += ", " + functions;
  return text;
}

}  // namespace tessera::detail
