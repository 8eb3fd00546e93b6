// SPDX-License-Identifier: BSD-3-Clause
// Two-site updates Y[b][p][r] = sum over q, c of G[p][q] X[b][q][c] M[c][r] as a case: copies of the operands that are
// updated one after the other, so that none is in cache.
#pragma once

#include <vector>

#include <tessera/chain.hpp>

#include "run_case.hpp"

namespace tessera::bench {

struct two_site_sizes {
  index_t dp = 16, chi = 64, count = 1;  // entries of the batch in an update
  index_t copies = 1;

  /// Of one update, in two stages in the order of G first; a multiply-add is two.
  double flops() const;
  /// Of one update, each operand read or written once.
  double bytes(std::size_t entry) const;
};

/// Whether the suite measures updates as one loop nest, too, which takes dp chi / (dp + chi) times the operations: at
/// most 2^24 terms, those of the thesis' reference shapes, and 16 entries.
bool is_done_directly(const two_site_sizes& sizes);

/// Copies that are together twice as large as the cache, at most 4096.
index_t copies_for(const two_site_sizes& sizes, std::size_t entry, double cache_bytes);

/// Whether the copies are that large.
bool is_beyond_cache(const two_site_sizes& sizes, std::size_t entry, double cache_bytes);

/// Operands: G, M, X, Y, of all copies.
workload two_site_workload(const two_site_sizes& sizes, const setting& s);

/// Those of one update.
struct one_update {
  operand G, M, X, Y;
};
std::vector<one_update> updates_of(const two_site_sizes& sizes, const std::vector<operand>& operands);

std::vector<chain_step> steps_of(const one_update& update);

/// The whole update as one product of G, X and M.
contraction direct_update();

/// Whether X is multiplied by G first, or by M.
enum class first_factor { G, M };

/// The two stages as calls of a peer, T being memory for the result between them; empty if it cannot do them.
pass two_stages_by(const peer& p, const one_update& update, const operand& T, const setting& s,
                   first_factor first = first_factor::G);

/// Entries drawn by sample_positions against sums in long double; the bound is that of both stages.
verdict check_two_site(const two_site_sizes& sizes, const workload& work);

}  // namespace tessera::bench
