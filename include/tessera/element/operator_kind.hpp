// SPDX-License-Identifier: BSD-3-Clause
// The built-in element operators, as values: what a run-time choice of pointwise function is written as.
#pragma once

namespace tessera {

enum class operator_kind {
  mass,        ///< v = D u
  diffusion,   ///< grad v = D grad u, D symmetric
  helmholtz,   ///< both
  convection,  ///< v = D . grad u
  elasticity   ///< isotropic linear elasticity of a displacement with dim components
};

inline constexpr operator_kind all_operator_kinds[] = {operator_kind::mass, operator_kind::diffusion,
                                                       operator_kind::helmholtz, operator_kind::convection,
                                                       operator_kind::elasticity};

constexpr const char* name_of(operator_kind kind) {
  switch (kind) {
    case operator_kind::mass: return "mass";
    case operator_kind::diffusion: return "diffusion";
    case operator_kind::helmholtz: return "helmholtz";
    case operator_kind::convection: return "convection";
    case operator_kind::elasticity: return "elasticity";
  }
  return "unknown";
}

/// Numbers that a point of an element has of its own: D.
constexpr int factors_of(operator_kind kind, int dim) {
  const int symmetric = dim * (dim + 1) / 2;
  switch (kind) {
    case operator_kind::mass: return 1;
    case operator_kind::diffusion: return symmetric;
    case operator_kind::helmholtz: return 1 + symmetric;
    case operator_kind::convection: return dim;
    case operator_kind::elasticity: return 2 + dim * dim;
  }
  return 0;
}

/// Components that the pointwise function couples: 1 where it applies to each component alike.
constexpr int coupled_components(operator_kind kind, int dim) { return kind == operator_kind::elasticity ? dim : 1; }

}  // namespace tessera
