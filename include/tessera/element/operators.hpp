// SPDX-License-Identifier: BSD-3-Clause
// The list of the built-in element operators, which everything that serves each of them goes through.
#pragma once

#include <tessera/element/operator_kind.hpp>
#include <tessera/element/pointwise.hpp>

namespace tessera {

namespace detail {

template <class... Functions>
struct function_list {
  static constexpr int size = sizeof...(Functions);
};

template <int n, class List>
struct list_entry;
template <int n, class First, class... Rest>
struct list_entry<n, function_list<First, Rest...>> : list_entry<n - 1, function_list<Rest...>> {};
template <class First, class... Rest>
struct list_entry<0, function_list<First, Rest...>> {
  using type = First;
};

}  // namespace detail

/// The structs of their pointwise functions, in the order of operator_kind.
template <int dim>
using operator_functions =
    detail::function_list<pointwise::mass<dim>, pointwise::diffusion<dim>, pointwise::helmholtz<dim>,
                          pointwise::convection<dim>, pointwise::elasticity<dim>, pointwise::advection_diffusion<dim>>;
static_assert(operator_functions<1>::size == operator_count, "a name for each function");

template <operator_kind kind, int dim>
using operator_function = typename detail::list_entry<int(kind), operator_functions<dim>>::type;

/// A kind as a type, which bodies of the functions below take.
template <operator_kind kind>
struct known_kind {};

/// body(known_kind<kind>{}): from a kind known at run time to one known to the compiler. The kind is a
/// built-in one: any other number would be taken for the last.
template <int first = 0, class Body>
constexpr auto with_kind(operator_kind kind, const Body& body) {
  if constexpr (first + 1 < operator_count)
    if (int(kind) != first) return with_kind<first + 1>(kind, body);
  return body(known_kind<operator_kind(first)>{});
}

/// body(known_kind<kind>{}) for each kind.
template <class Body>
constexpr void for_each_kind(const Body& body) {
  [&]<int... n>(sequence<n...>) { (body(known_kind<operator_kind(n)>{}), ...); }
  (iota<operator_count>{});
}

/// body(an operator_function); other dimensions than 1 and 2 are taken for 3.
template <class Body>
constexpr auto with_function(operator_kind kind, int dim, const Body& body) {
  return with_kind(kind, [&]<operator_kind known>(known_kind<known>) {
    if (dim == 1) return body(operator_function<known, 1>{});
    if (dim == 2) return body(operator_function<known, 2>{});
    return body(operator_function<known, 3>{});
  });
}

/// Numbers that a point of an element has of its own: D.
constexpr int factors_of(operator_kind kind, int dim) {
  return with_function(kind, dim, [](auto f) { return f.factors; });
}
/// Components that the pointwise function couples: 1 where it applies to each component alike.
constexpr int coupled_components(operator_kind kind, int dim) {
  return with_function(kind, dim, [](auto f) { return f.trial.components; });
}
/// The coefficients that the operator may be given at a point.
constexpr pointwise::coefficient_counts coefficients_of(operator_kind kind, int dim) {
  return with_function(kind, dim, [](auto f) { return f.coefficients; });
}
/// Whether its matrices are symmetric where the test functions are the trial functions.
constexpr bool is_symmetric(operator_kind kind) {
  return with_function(kind, 1, [](auto f) { return f.symmetric; });
}

}  // namespace tessera
