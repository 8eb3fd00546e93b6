// SPDX-License-Identifier: BSD-3-Clause
// Element operators on a CPU, one thread: is a way over the elements right, and how long does it take? The candidates
// are the library's own kernels.
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

  /// Empty where some elements agree with dense sums in long double, all of them with the rule's way to the last bit,
  /// and nothing else was touched; else what is wrong, in a line.
  virtual std::string fault_of(const element_run& how) = 0;
  /// The memory for timing, where it is not there yet: of operand_bytes. Gives the number of elements.
  virtual index_t allocate() = 0;
  /// Of an element, sampled for at least `least` seconds.
  virtual timed sample(const element_run& how, double least) = 0;
  /// What the operator that is checked and timed says of itself.
  virtual std::string describe(const element_run& how) = 0;
  /// Whether what lies around x and y is as it was.
  virtual bool is_intact() const = 0;
};

/// Throws status::no_target where this machine cannot run the case's target.
std::unique_ptr<element_ground> element_ground_for(const tuning_case& c);

}  // namespace tessera::tune
