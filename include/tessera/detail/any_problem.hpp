// SPDX-License-Identifier: BSD-3-Clause
// A problem of any of the products that there are kernels for.
#pragma once

#include <variant>

#include <tessera/detail/problem.hpp>

namespace tessera {

/// One alternative for each row of known_products, in that order.
using any_problem = std::variant<problem<float>, problem<double>, problem<complex<float>>, problem<complex<double>>,
                                 problem<float, float, double>, problem<half, float, float>, problem<half, half, float>,
                                 problem<bfloat16, float, float>, problem<bfloat16, bfloat16, float>>;

namespace detail {

template <class... Problem>
constexpr bool agrees_with_table(const std::variant<Problem...>*) {
  int at = 0;
  return sizeof...(Problem) == sizeof(known_products) / sizeof(known_products[0]) &&
         ((types_of(Problem{}) == known_products[at++].types) && ...);
}
static_assert(agrees_with_table(static_cast<const any_problem*>(nullptr)));

template <class Problem>
inline constexpr bool is_real_problem = same_type<Problem, problem<float>> || same_type<Problem, problem<double>>;

}  // namespace detail

}  // namespace tessera
