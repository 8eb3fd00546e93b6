// SPDX-License-Identifier: BSD-3-Clause
// The open Heisenberg chain of spins 1/2, H = sum over i of S(i).S(i+1): as a matrix product operator, and the energy
// of its ground state by Bethe's equations.
#pragma once

#include <optional>
#include <vector>

#include "packed_tensor.hpp"

namespace tessera::spin_chain {

/// Bonds of the operator between two sites, and states of a site.
inline constexpr index_t operator_bond = 5, states = 2;

/// Entry (w,t,s,v) of the operator at a site: bonds w and v to the left and right; it takes state s to t. State 0 is
/// up. H is the product over all sites, from bond `first_bond` on the left to `last_bond` on the right.
double site_entry(index_t w, index_t t, index_t s, index_t v);
inline constexpr index_t first_bond = 4, last_bond = 0;

/// The operator of a site, and of two, in the order in which each product of a sweep has its letters side by side.
struct chain_operators {
  packed_tensor left;   // (w,s,t,v)
  packed_tensor right;  // (s,v,w,t)
  packed_tensor pair;   // (s,r,v,w,t,u): states s and r to t and u
  explicit chain_operators(space_kind where);
};

/// exp(-time S.S) of two neighbours, (s r, t u), which is symmetric; states 0 and 3 have both spins alike.
std::vector<double> pair_gate(double time);

/// The energy of the ground state: Bethe's equations of free ends, by Newton's method, to about 1e-15 of its size.
/// Nothing beyond `most_exact_sites`: its matrix has a quarter of the square of the sites, and is factored.
inline constexpr index_t most_exact_sites = 1000;
std::optional<double> exact_energy(index_t sites);

}  // namespace tessera::spin_chain
