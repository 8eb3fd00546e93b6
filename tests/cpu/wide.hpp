// SPDX-License-Identifier: BSD-3-Clause
// The number that tests accumulate in, wider than what is tested, and the error bound gamma.
#pragma once

#include <limits>
#include <type_traits>

#include <tessera/cpu/detail/reference.hpp>

namespace tessera::testing {

/// long double where the machine has a wider one in hardware; elsewhere it is software, and compensated double is used.
using wide = std::conditional_t<std::numeric_limits<long double>::digits == 64, long double, compensated<double>>;

/// k u / (1 - k u), u the unit round-off.
template <class T>
double gamma(index_t k) {
  const double u = double(std::numeric_limits<T>::epsilon()) / 2;
  return double(k) * u / (1 - double(k) * u);
}

/// True where `computed` is within gamma_roundings of the reference, relative to sum |a| |b|. NaN never is.
template <class T>
bool is_close(T computed, const reference_value<wide>& r, index_t roundings) {
  const double error = double(detail::magnitude_of(wide(computed) - r.value));
  return error <= gamma<T>(roundings) * double(r.magnitude);
}

}  // namespace tessera::testing
