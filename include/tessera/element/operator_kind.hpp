// SPDX-License-Identifier: BSD-3-Clause
// The built-in element operators, as values: what a run-time choice of pointwise function is written as.
#pragma once

namespace tessera {

enum class operator_kind {
  mass,                ///< v = D u
  diffusion,           ///< grad v = D grad u, D symmetric
  helmholtz,           ///< both
  convection,          ///< v = D . grad u
  elasticity,          ///< isotropic linear elasticity of a displacement with dim components
  advection_diffusion  ///< diffusion and convection in one
};

/// In the order of operator_kind.
inline constexpr const char* operator_names[] = {"mass",       "diffusion",  "helmholtz",
                                                 "convection", "elasticity", "advection_diffusion"};
inline constexpr int operator_count = sizeof operator_names / sizeof *operator_names;

constexpr bool is_built_in(operator_kind kind) { return int(kind) >= 0 && int(kind) < operator_count; }
constexpr const char* name_of(operator_kind kind) { return is_built_in(kind) ? operator_names[int(kind)] : "unknown"; }

namespace detail {

struct every_operator_kind {
  operator_kind at[operator_count]{};
  constexpr every_operator_kind() {
    for (int i = 0; i < operator_count; ++i) at[i] = operator_kind(i);
  }
  constexpr const operator_kind* begin() const { return at; }
  constexpr const operator_kind* end() const { return at + operator_count; }
};

}  // namespace detail

inline constexpr detail::every_operator_kind all_operator_kinds;

}  // namespace tessera
