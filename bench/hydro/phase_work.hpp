// SPDX-License-Identifier: BSD-3-Clause
// What a phase has to move and to compute at least, and the bound that follows.
#pragma once

#include <span>
#include <vector>

#include "hydro/gas_case.hpp"
#include "measure/trust.hpp"
#include "run_case.hpp"

namespace tessera::bench {

/// Of one pass; of the phase velocity: of one iteration.
struct phase_work {
  double kept = 0, read = 0, written = 0;  // bytes
  double footprint = 0;                    // the memory that they are in
  double flops = 0;
  double points = 0;  // that the point function is computed at

  double bytes() const { return kept + read + written; }
};

/// Not of a step. `with_list`: the list of nodes' numbers counts, too.
phase_work work_of(const gas_sizes& sizes, gas_phase phase, bool with_factors, bool with_list);

/// Of a step: its evaluations, solves and sums of vectors.
phase_work work_of_step(const gas_sizes& sizes, const phase_work& forces, const phase_work& iteration,
                        const phase_work& energy, double iterations);

/// `times` from the second on are movements of the same bytes. `point_rate`: points a second of the point function
/// alone, 0 where it was not measured.
bound phase_bound(const phase_work& work, const std::vector<timing>& times, double point_rate, const setting& s);

/// The sum of the bounds of a step's parts; `iterations` of all its solves.
bound step_bound(const gas_sizes& sizes, const bound& forces, const bound& iteration, const bound& energy,
                 double iterations);

}  // namespace tessera::bench
