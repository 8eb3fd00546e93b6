// SPDX-License-Identifier: BSD-3-Clause
// How a result is combined with the old output: out = alpha (contraction) + beta out.
#pragma once

#include <tessera/core/product_types.hpp>

namespace tessera {

/// beta = 0 never reads the output, which may hold anything, NaN included, as in BLAS. alpha = 0 does read the inputs,
/// unlike BLAS: it multiplies the sum, and gives NaN if that is NaN or infinite. This holds on every target. beta is
/// compared with 0 in the type of the sums, in which a small number may be 0. Imaginary parts need complex sums.
struct scaling {
  complex<double> alpha = 1;
  complex<double> beta = 0;
};

inline constexpr scaling assign{1, 0};
inline constexpr scaling add{1, 1};

/// A scaling with the type of sums, alpha and beta: the result of sums_in.
template <class Sum>
struct scaling_in : scaling {
  using sum_type = Sum;
};

/// contract<"ik,kj->ij">(a, b, c, sums_in<double>()): sums of float data in double. For plans: contraction("ik,kj->ij",
/// sums_in<double>(add)).
template <class Sum>
constexpr scaling_in<Sum> sums_in(scaling s = assign) {
  static_assert(is_entry_scalar<Sum>,
                "tessera: sums_in takes float, double, complex<float>, complex<double>, or 32- and 64-bit integers");
  return {s};
}

namespace detail {

template <class Scaling>
inline constexpr bool is_scaling = same_type<Scaling, scaling>;
template <class Sum>
inline constexpr bool is_scaling<scaling_in<Sum>> = true;

template <class T>
struct usual_sum_of {
  using type = T;
};
template <>
struct usual_sum_of<half> {
  using type = float;
};
template <>
struct usual_sum_of<bfloat16> {
  using type = float;
};

template <class In, class Scaling>
struct sum_of_call : usual_sum_of<In> {};
template <class In, class Sum>
struct sum_of_call<In, scaling_in<Sum>> {
  using type = Sum;
};

/// True if a factor, alpha or beta, is valid for a real type.
constexpr bool is_real(const scaling& s) { return s.alpha.im == 0 && s.beta.im == 0; }

template <class Sum>
inline constexpr bool has_imaginary_part = requires(const Sum& z) {
  z.real();
  z.imag();
};
template <class T>
inline constexpr bool has_imaginary_part<complex<T>> = true;

/// alpha or beta in the type of the sums.
template <class Sum>
constexpr Sum factor_in(const complex<double>& z) {
  if constexpr (has_imaginary_part<Sum>)
    return Sum(typename Sum::value_type(z.re), typename Sum::value_type(z.im));
  else
    return Sum(z.re);
}

/// True if the factors can be converted to the type of the sums.
template <class Sum>
constexpr bool takes(const scaling& s) {
  return has_imaginary_part<Sum> || is_real(s);
}

}  // namespace detail

/// The type of a call's sums for inputs of type In.
template <class In, class Scaling>
using sum_of_call = typename detail::sum_of_call<In, Scaling>::type;

}  // namespace tessera
