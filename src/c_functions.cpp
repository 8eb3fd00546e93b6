// SPDX-License-Identifier: BSD-3-Clause
// Names, texts and pointers to functions of a C caller become values of C++.
#include "c_functions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include <tessera/core/product_types.hpp>
#include <tessera/error.hpp>

namespace tessera::detail {

namespace {

std::string text_or_none(const char* text) { return text == nullptr ? "" : text; }

[[noreturn]] void refuse_null(const std::string& what, const std::string& why) {
  throw error("plan_create: " + what + " " + why, status::null_pointer);
}

template <class S>
entry_function own_function_of(const tessera_own_function& f, const std::string& name) {
  const std::string source = text_or_none(f.source);
  if (f.call == nullptr) return entry_function::own(name, source);
  return entry_function::own<S>(name, source, [call = f.call, context = f.context](S x) {
    S y{};
    call(&x, &y, context);
    return y;
  });
}

template <class S>
operations own_pair_of(const tessera_own_pair& p, const std::string& name, scalar_type sum) {
  S neutral{};
  std::memcpy(&neutral, p.neutral, std::min(sizeof neutral, std::size_t(size_of(sum))));
  const own_pair texts{.name = name,
                       .multiply = text_or_none(p.multiply),
                       .add = text_or_none(p.add),
                       .is_commutative = p.is_commutative != 0,
                       .zero_adds_nothing = p.zero_adds_nothing != 0};
  const auto begin = [neutral](S) { return neutral; };
  if (p.add_call == nullptr) return operations::own<S>(texts, begin);
  const auto by = [context = p.context](tessera_pair_call call) {
    return [call, context](S left, S right) {
      S result{};
      call(&left, &right, &result, context);
      return result;
    };
  };
  return operations::own<S>(texts, by(p.multiply_call), by(p.add_call), begin);
}

// f(S()) for the type of sums; one that there are no sums in is refused with the plan.
template <class F>
auto with_sum_of(scalar_type sum, F f) {
  switch (sum) {
    case scalar_type::f32: return f(float());
    case scalar_type::c32: return f(complex<float>());
    case scalar_type::c64: return f(complex<double>());
    case scalar_type::i32: return f(int());
    case scalar_type::i64: return f(static_cast<long long>(0));
    default: return f(double());
  }
}

entry_function function_from(const char* of, const char* named, const tessera_own_function* own, scalar_type sum) {
  if (own == nullptr) return named == nullptr ? entry_function{} : entry_function_from(named);
  const std::string what = std::string("the function of ") + of;
  if (named != nullptr) throw error("plan_create: " + what + " is both \"" + named + "\" and one of the caller's own");
  if (own->name == nullptr) refuse_null(what, "has no name (null)");
  const std::string name = own->name;
  if (own->source == nullptr && own->call == nullptr)
    refuse_null(what + ", " + name + ",", "has neither a source for GPUs nor a call for CPUs (both null)");
  return with_sum_of(sum, [&](auto zero) { return own_function_of<decltype(zero)>(*own, name); });
}

operations pair_from(const char* named, const tessera_own_pair* own, scalar_type sum) {
  if (own == nullptr) return named == nullptr ? plus_times : operations_from(named);
  if (named != nullptr)
    throw error(std::string("plan_create: the pair is both \"") + named + "\" and one of the caller's own");
  if (own->name == nullptr) refuse_null("the pair", "has no name (null)");
  const std::string what = std::string("the pair ") + own->name;
  if (own->neutral == nullptr) refuse_null(what, "has no neutral element (null)");
  if ((own->multiply == nullptr) != (own->add == nullptr))
    refuse_null(what, std::string("has no text of ") + (own->add == nullptr ? "add" : "multiply") + " (null)");
  if ((own->multiply_call == nullptr) != (own->add_call == nullptr))
    refuse_null(what, std::string("has no ") + (own->add_call == nullptr ? "add_call" : "multiply_call") + " (null)");
  if (own->add == nullptr && own->add_call == nullptr)
    refuse_null(what, "has neither texts for GPUs nor calls for CPUs (all null)");
  return with_sum_of(sum, [&](auto zero) { return own_pair_of<decltype(zero)>(*own, own->name, sum); });
}

}  // namespace

contraction with_functions_of_c(const contraction& what, const tessera_functions& f, const operand& first) {
  const scalar_type sum = what.sum().value_or(usual_sum(*first.type));
  return what
      .with({.a = function_from("A", f.a, f.own_a, sum),
             .b = function_from("B", f.b, f.own_b, sum),
             .addend = function_from("the addend", f.addend, f.own_addend, sum),
             .result = function_from("the result", f.result, f.own_result, sum)})
      .over(pair_from(f.pair, f.own_pair, sum));
}

}  // namespace tessera::detail
