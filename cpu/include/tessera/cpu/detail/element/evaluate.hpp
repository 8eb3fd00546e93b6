// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel y = B^T D(B x) of as many elements as a vector has lanes: one lane, one element.
#pragma once

#include <type_traits>

#include <tessera/cpu/detail/element/gradients.hpp>
#include <tessera/cpu/detail/element/held_values.hpp>
#include <tessera/cpu/detail/element/values.hpp>

namespace tessera::simd {

template <class Isa, class T, class Function, class Tables>
using element_value_kernel =
    std::conditional_t<holds_values<Isa, Function, Tables>(), held_value_kernel<Isa, T, Function, Tables>,
                       value_kernel<Isa, T, Function, Tables>>;

/// For tables that factor as G = C B, C the derivative of the polynomial through the q >= d points: values go to the
/// points first, and are differentiated there, one direction after the other.
template <class Isa, class T, class Function, class Tables>
using element_kernel =
    std::conditional_t<Function::trial.gradient || Function::test.gradient, gradient_kernel<Isa, T, Function, Tables>,
                       element_value_kernel<Isa, T, Function, Tables>>;

}  // namespace tessera::simd
