// SPDX-License-Identifier: BSD-3-Clause
// What a run prints.
#pragma once

#include "fields.hpp"

namespace tessera::blast {

void print_head(const simulation& of, int threads);
void print_step(const simulation& of);

/// Of the part of a run that this call made: what it cost, and how good it is. `error`: density_error.
struct run_part {
  long first_step = 0, first_repeats = 0;
  double seconds = 0, error = 0;
};
void print_end(fields& now, const run_part& part);

}  // namespace tessera::blast
