// SPDX-License-Identifier: BSD-3-Clause
// The ground state of an open Heisenberg chain as a matrix product state, by sweeps of two-site DMRG.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "contractions.hpp"
#include "heisenberg.hpp"
#include "lanczos.hpp"
#include "lapack.hpp"

namespace tessera::spin_chain {

struct dmrg_options {
  index_t sites = 20;
  index_t bond = 64;  ///< the most states of a bond
  space_kind where = space_kind::cpu;
  int most_vectors = 10;           ///< of Lanczos' method
  double lanczos_residual = 1e-6;  ///< at which it ends

  /// The most states that a bond will have: those of the shorter side, or as many as it may.
  index_t full_bond() const;
};

/// Seconds, each on a GPU to the end of the work.
struct sweep_times {
  double planning = 0;      ///< plans of shapes that came for the first time
  double contractions = 0;  ///< of H with two sites, of pairs of sites, of one site more
  double vectors = 0;       ///< the rest of Lanczos' method
  double svd = 0;           ///< with copies to and from the host
  double all() const { return planning + contractions + vectors + svd; }
};

struct sweep_result {
  double energy = 0;                    ///< of the last pair of the sweep, next to the left end
  double residual = 0, truncation = 0;  ///< the largest of the sweep
  index_t bond = 0;                     ///< the largest
  long applications = 0;                ///< of H
  double flops = 0;                     ///< of contractions
  sweep_times seconds;
};

/// What the cut between two neighbours has: states kept, weight discarded, and the entropy of the weights.
struct cut {
  index_t bond = 1;
  double truncation = 0, entropy = 0;
};

/// From the state with spins up and down in turns. Bonds double from cut to cut, as pairs of sites allow.
class dmrg {
 public:
  dmrg(const dmrg_options& options, contractions& by);

  /// To the right and back: each inner pair twice, those at the ends once.
  sweep_result sweep();
  /// The cut behind site i, as it was made last.
  const std::vector<cut>& cuts() const { return cuts_; }
  /// The tensors of the sites, (a,s,b).
  const std::vector<packed_tensor>& sites() const { return sites_; }

 private:
  enum class direction { right, left };
  void optimise(index_t first, direction to, sweep_result& sum);
  lanczos_result solve(index_t first, packed_tensor& theta, sweep_result& sum);
  void split(index_t first, const packed_tensor& theta, direction to, sweep_result& sum);
  void extend_left(index_t site);
  void extend_right(index_t site);

  dmrg_options options_;
  contractions& by_;
  chain_operators operators_;
  std::vector<packed_tensor> sites_;
  std::vector<packed_tensor> left_, right_;  // of the sites before site i, (x,a,w), and after it, (b,v,y)
  std::vector<cut> cuts_;
  std::map<std::pair<index_t, index_t>, lanczos> solvers_;  // by the bonds of a pair
};

}  // namespace tessera::spin_chain
