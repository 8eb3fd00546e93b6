// SPDX-License-Identifier: BSD-3-Clause
// The three types of a product: of its inputs, of its output, and of its sums. A table lists the combinations that
// exist.
#pragma once

#include <tessera/core/scalar_type.hpp>

namespace tessera {

/// The default type of sums, alpha and beta.
constexpr scalar_type usual_sum(scalar_type in) {
  if (in == scalar_type::i16) return scalar_type::i32;
  return in == scalar_type::f16 || in == scalar_type::bf16 ? scalar_type::f32 : in;
}

/// Both inputs are of type `in`.
struct product_types {
  scalar_type in, out, sum;

  constexpr product_types(scalar_type all) : in(all), out(all), sum(usual_sum(all)) {}
  constexpr product_types(scalar_type from, scalar_type to, scalar_type within) : in(from), out(to), sum(within) {}

  /// One type throughout, float or double: the types of SIMD rows, compiled rows and tuning records.
  constexpr bool is_real() const {
    return in == out && in == sum && (in == scalar_type::f32 || in == scalar_type::f64);
  }
  friend constexpr bool operator==(const product_types&, const product_types&) = default;
};

struct known_product {
  product_types types;
  const char* name;
};

/// All products that there are kernels for. Others of these types, and of integers, are general contractions.
inline constexpr known_product known_products[] = {
    {scalar_type::f32, "f32"},
    {scalar_type::f64, "f64"},
    {scalar_type::c32, "c32"},
    {scalar_type::c64, "c64"},
    {{scalar_type::f32, scalar_type::f32, scalar_type::f64}, "f32/f64"},
    {{scalar_type::f16, scalar_type::f32, scalar_type::f32}, "f16-f32"},
    {scalar_type::f16, "f16"},
    {{scalar_type::bf16, scalar_type::f32, scalar_type::f32}, "bf16-f32"},
    {scalar_type::bf16, "bf16"},
};

/// "f64"; "f16-f32": from half to float; "f32/f64": float, summed in double. Null for products without kernels.
constexpr const char* name_of(const product_types& types) {
  for (const known_product& known : known_products)
    if (known.types == types) return known.name;
  return nullptr;
}

constexpr bool is_known(const product_types& types) { return name_of(types) != nullptr; }

/// The real type whose tunings a product uses if it has none of its own: the one with the same entry size, else the
/// next larger one.
constexpr scalar_type tuned_like(const product_types& types) {
  return size_of(types.in) >= size_of(scalar_type::f64) ? scalar_type::f64 : scalar_type::f32;
}

}  // namespace tessera
