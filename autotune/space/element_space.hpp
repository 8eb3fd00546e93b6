// SPDX-License-Identifier: BSD-3-Clause
// The family of element kernels: a tuning as a config, and the candidates of a case, drawn from all useful tunings.
#pragma once

#include <cstdint>

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/element/jit_element.hpp>

#include "space.hpp"

namespace tessera::tune {

/// The axes of element_axes.hpp: a config holds a whole tuning.
const family& element_family();

config as_config(const element_tuning& t);
element_tuning as_element_tuning(const config& c);

/// The input for compiling a candidate. `c` is a case of an element operator.
jit_element jit_element_of(const tuning_case& c, const config& how);

/// The tuning of the rules first, then `present`, if it differs and fits, then random others up to `most`: blocks of
/// whole warps with few idle lanes, D and derivatives in every possible way, registers from a little fewer than the
/// rules give to many more, elements close together or padded; if possible, two of four in pieces, in up to four
/// batches, and one of four held by warps; also all applications to an element at the same time. There is no model:
/// predictions are 0.
space element_space(const tuning_case& c, const element_tuning& present, const gpu_limits& limits, int most,
                    std::uint64_t seed = 1);

/// Whether element_space contains t if it draws everything: a check of winners.
bool can_be_drawn(const tuning_case& c, const element_tuning& t, const gpu_limits& limits);

}  // namespace tessera::tune
