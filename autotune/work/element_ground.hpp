// SPDX-License-Identifier: BSD-3-Clause
// Element operators on a CPU, one thread: checks and times a loop over the elements. The candidates are the library's
// own kernels.
#pragma once

#include <memory>
#include <string>

#include <tessera/element/element_run.hpp>

#include "tuning_case.hpp"
#include "work/kernel_timing.hpp"

namespace tessera::tune {

class element_ground {
 public:
  virtual ~element_ground() = default;

  /// Empty if some elements agree with dense sums in long double, all of them bit for bit with the rule's loop, and
  /// nothing else was written; else the fault, in a line.
  virtual std::string fault_of(const element_run& how) = 0;
  /// Allocates the memory for timing, operand_bytes, if there is none yet. Returns the number of elements.
  virtual index_t allocate() = 0;
  /// Of an element, sampled for at least `least` seconds.
  virtual timed sample(const element_run& how, double least) = 0;
  /// The description of the operator that is checked and timed.
  virtual std::string describe(const element_run& how) = 0;
  /// Whether the memory around x and y is unchanged.
  virtual bool is_intact() const = 0;
};

/// Throws status::no_target if this machine cannot run the case's target.
std::unique_ptr<element_ground> element_ground_for(const tuning_case& c);

}  // namespace tessera::tune
