// SPDX-License-Identifier: BSD-3-Clause
// From a contraction and its operands to what a general kernel works with.
#include "kind_of.hpp"

#include <tuple>

#include "../function_text.hpp"
#include "../plan_state.hpp"

namespace tessera::detail {

namespace {

template <class S>
bool keeps_zero(const own_unary& own) try {
  const std::function<S(S)>& call = std::get<std::function<S(S)>>(own.call);
  return call && call(S(0)) == S(0);
} catch (...) {  // what it throws for 0 concerns runs that have one
  return false;
}

// Whether an entry of 0 stays 0.
bool keeps_zero(const entry_function& function, scalar_type sum) {
  if (function.of_user() == nullptr) return true;
  const own_unary& own = *function.of_user();
  switch (sum) {
    case scalar_type::f32: return keeps_zero<float>(own);
    case scalar_type::f64: return keeps_zero<double>(own);
    case scalar_type::c32: return keeps_zero<complex<float>>(own);
    case scalar_type::c64: return keeps_zero<complex<double>>(own);
    default: return false;  // integers: it may divide by 0
  }
}

bool zero_adds_nothing(const operations& pair) {
  if (pair.of_user() != nullptr) return pair.of_user()->zero_adds_nothing;
  return pair == plus_times || pair == or_and;
}

general_by way_of(const contraction& what, const custom_types& types, product_precision precision) {
  if (what.pair() != plus_times || types.left != types.right) return general_by::fma;
  const bool is_float = types.left == scalar_type::f32 && types.sum == scalar_type::f32;
  if (is_float && precision == product_precision::tf32) return general_by::mma_tf32;
  if (is_float && precision == product_precision::tf32x3) return general_by::mma_3xtf32;
  return exact_kind(types.left, types.out, types.sum).by;
}

}  // namespace

general_kind general_kind_of(const contraction& what, const arguments& operands, product_precision precision) {
  const custom_types types = types_of(what, operands);
  const complex<double> beta = what.scale().beta;
  const bool reads_addend = types.sum == scalar_type::f32 || types.sum == scalar_type::c32
                                ? float(beta.re) != 0 || float(beta.im) != 0
                                : !(beta == 0.);
  general_kind kind{.left = types.left,
                    .right = types.right,
                    .out = types.out,
                    .sum = types.sum,
                    .by = way_of(what, types, precision),
                    .reads_out = reads_addend && !types.addend,
                    .left_conjugated = operands[0].conjugated,
                    .right_conjugated = operands[1].conjugated,
                    .functions = function_text(what.functions(), what.pair()),
                    .functions_name = function_name(what.functions(), what.pair())};
  if (reads_addend) kind.addend = types.addend;
  // Where only one of the two were 0, the other one might be infinite.
  kind.zero_adds_nothing = zero_adds_nothing(what.pair()) && keeps_zero(what.functions().a, types.sum) &&
                           keeps_zero(what.functions().b, types.sum);
  kind.scales = what.pair() == plus_times;
  return kind;
}

}  // namespace tessera::detail
