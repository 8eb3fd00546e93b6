// SPDX-License-Identifier: BSD-3-Clause
// Fails every allocation of a scenario in turn, and looks at what is left behind.
#pragma once

#include <string>

#include "scenario.hpp"

namespace tessera::faults {

struct tally {
  long points = 0;    ///< calls in which an allocation failed
  long survived = 0;  ///< of these, calls that did without, with the right result
  long ended = 0;     ///< calls that ended the process
  long wrong = 0;     ///< everything else that was not as it should be
  std::string text;   ///< what, scenario and number

  tally& operator+=(const tally& other);
};

/// Which failures.
struct failures {
  long stride = 1;       ///< of every so many-th allocation
  long cold_stride = 1;  ///< in a process that has not called the library before; 0: none of these
  /// Those of a GPU's runtime: errors of other kinds, and there may be a way without.
  bool of_gpu = false;
};

/// Allocation k fails: it alone, or with all behind it, with the library's allocator and with one that fails, too.
/// After each the call has thrown for lack of memory, has written nothing and lost nothing, and succeeds when repeated.
tally sweep(const named_scenario& of, int threads, const failures& which);

}  // namespace tessera::faults
