// SPDX-License-Identifier: BSD-3-Clause
// Work and traffic of the two-site update Y(b,p,r) = sum over q, c of G(p,q) X(b,q,c) M(c,r), in the orders to do it.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::bench::models {

/// b < batch; p, q < physical; c, r < bond.
struct two_site_shape {
  index_t batch = 1, physical = 0, bond = 0;
};

/// Multiply-adds where each entry of Y sums over q and c at once: B d^2 chi^2.
double direct_terms(const two_site_shape& of);

/// Multiply-adds of T = G X, then Y = T M: B (d^2 chi + d chi^2); as many as of X M first.
double staged_terms(const two_site_shape& of);

/// d chi / (d + chi)
double staged_gain(const two_site_shape& of);

/// G, M and X read once, Y written once: what a launch with T on the chip moves.
double fused_bytes(const two_site_shape& of, index_t entry_bytes);

/// The same, and T written and read once between two launches.
double staged_bytes(const two_site_shape& of, index_t entry_bytes);

}  // namespace tessera::bench::models
