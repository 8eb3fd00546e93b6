// SPDX-License-Identifier: BSD-3-Clause
// The ground state of an open Heisenberg chain by evolution in imaginary time: gates exp(-time S.S) on all pairs, each
// with the state's normalisation in one two-site update Y = G X M.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <tessera/chain.hpp>

#include "contractions.hpp"
#include "dmrg.hpp"

namespace tessera::spin_chain {

/// Seconds, each on a GPU to the end of the work.
struct evolution_times {
  double planning = 0;  ///< chains and plans of shapes that came for the first time
  double merge = 0;     ///< two sites to one tensor
  double update = 0;    ///< Y = G X M
  double split = 0;     ///< singular values and orthogonal factors, with copies to and from the host
  double energy = 0;    ///< the state between H and itself, once a block
};

/// What some steps of equal length came to.
struct evolution_block {
  double step = 0, time = 0;  ///< imaginary time of a step, and since the start
  double energy = 0;          ///< <H> of the state behind them
  double truncation = 0;      ///< the largest weight that a cut lost
  index_t bond = 0;           ///< the largest
  long updates = 0;
  double flops = 0;  ///< of updates
  evolution_times seconds;
};

/// Whether the energy has changed by less than the tolerance since two blocks ago, all three of steps of one length,
/// with bonds as large as they may become. A block has an odd number of layers, each of which mirrors the chain: where
/// bonds are cut, the other end has another energy, and neighbouring blocks may never agree.
bool is_converged(const std::vector<evolution_block>& blocks, index_t full_bond, double tolerance);

/// From the state with spins up and down in turns. Steps are of second order: half a step of pairs 0-1, 2-3, ..., a
/// step of the others, half a step of the first ones; the halves of neighbouring steps are one.
class evolution {
 public:
  evolution(const dmrg_options& options, contractions& by);

  /// `steps` steps of `step` each.
  evolution_block advance(double step, int steps);

  /// The tensors of the sites, (a,s,b), from one end to the other; from the right one where `is_mirrored`. All but the
  /// first have orthonormal rows, and the first one is of norm 1.
  const std::vector<packed_tensor>& sites() const { return sites_; }
  bool is_mirrored() const { return mirrored_; }

  /// How the largest update runs, in words.
  std::string describe() const;

 private:
  // A chain for each shape: its tables stay where they are, with other numbers in each update.
  struct pair_update {
    packed_tensor M;
    chain both;
    buffer workspace;
  };
  using shape = std::tuple<index_t, index_t, index_t>;  // rows and columns of M, entries of the batch

  void layer(index_t parity, double time, evolution_block& sum);
  pair_update& update_for(const packed_tensor& X, index_t rows, evolution_block& sum);
  void update_pair(index_t first, qr_result& centre, evolution_block& sum);
  void move_past_last(const qr_result& centre);
  double energy();

  dmrg_options options_;
  contractions& by_;
  chain_operators operators_;
  packed_tensor gate_;
  std::vector<packed_tensor> sites_, next_;
  bool mirrored_ = false;
  double time_ = 0;
  std::map<shape, pair_update> updates_;
};

}  // namespace tessera::spin_chain
