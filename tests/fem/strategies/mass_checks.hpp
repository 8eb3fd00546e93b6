// SPDX-License-Identifier: BSD-3-Clause
// The checks that every mass operator has to pass, in any space and on any target.
#pragma once

#include "reference_mass.hpp"

#include <tessera/fem/strategies/mass.hpp>

#include <cstdint>
#include <vector>

namespace tessera::testing {

/// One operator to check.
struct mass_case {
  std::vector<int> cells;
  int order = 1;
  int geometry = 1;
  std::vector<int> points{};  // empty: order + 2
  fem::basis_kind kind = fem::basis_kind::gauss_lobatto;
  fem::coefficient rho = 1.0;
  space_kind space = space_kind::cpu;
  plan_options plans{};

  int dim() const { return static_cast<int>(cells.size()); }
  fem::mesh domain() const { return fem::mesh(cells, geometry, bubble(dim(), 0.15)); }
  fem::mass_options options(fem::strategy how) const {
    return {.how = how, .kind = kind, .points = points, .rho = rho, .space = space, .plans = plans};
  }
};

/// "3-D, order 2, geometry 3, 4x4x4 points, bernstein, 6 elements, f32, cpu"
template <class T>
std::string words(const mass_case& c);

/// Each strategy's y = M x is the definition's within its bound.
template <class T>
void check_strategies(const mass_case& c, const std::vector<fem::strategy>& which);

/// 1^T M 1 is the volume, 1, of the deformed mesh.
template <class T>
void check_volume(const mass_case& c, fem::strategy how);

/// The element matrices are the definition's, symmetric and positive definite.
template <class T>
void check_matrices(const mass_case& c, fem::strategy how);

inline std::vector<fem::strategy> all_strategies() {
  return {std::begin(fem::all_strategies), std::end(fem::all_strategies)};
}

}  // namespace tessera::testing
