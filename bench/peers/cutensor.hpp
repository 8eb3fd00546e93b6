// SPDX-License-Identifier: BSD-3-Clause
// Contractions by cuTENSOR: a plan by its own choice, by its patient one, or the fastest of all its kernels.
#pragma once

#include "peers/cutensor_library.hpp"
#include "peers/peer.hpp"

namespace tessera::bench::cutensor {

/// Each has no `run` where the library has no kernel for the call. The library outlives the passes.
contraction_pass by_choice(const library& in, algorithm choice, const contraction_call& call);

/// The fastest of its two choices and of the kernels of each of its algorithms in order of rank, each timed a few
/// times, until the call's seconds for that are over.
contraction_pass best_of_ranks(const library& in, const contraction_call& call);

/// "cutensor", "cutensor-patient", "cutensor-best".
std::vector<peer> peers_of(const library& in);

}  // namespace tessera::bench::cutensor
