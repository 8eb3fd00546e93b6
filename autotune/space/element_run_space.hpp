// SPDX-License-Identifier: BSD-3-Clause
// The family of element operators on a CPU: how an application loops over the elements; all points of a small space.
#pragma once

#include <tessera/element/element_run.hpp>

#include "space.hpp"

namespace tessera::tune {

/// The axes of element_run.
const family& element_run_family();

/// The facts that the library searches in records. `c` is a case of an element operator on a CPU.
element_kernel_facts run_facts_of(const tuning_case& c);

/// The rule first, then `present`, if it differs, then all others, `most` in all. There is no model: predictions are 0.
space element_run_space(const tuning_case& c, const element_run& present, int most);

}  // namespace tessera::tune
