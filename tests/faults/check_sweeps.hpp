// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over many scenarios as checks of a test case, with their numbers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "sweep.hpp"
#include "testing/catch.hpp"

namespace tessera::faults {

/// TESSERA_FAULTS=word: only scenarios that have it in their names.
inline bool is_filtered() { return std::getenv("TESSERA_FAULTS") != nullptr; }
inline bool is_wanted(const std::string& name) {
  return !is_filtered() || name.find(std::getenv("TESSERA_FAULTS")) != std::string::npos;
}

inline tally check_sweeps(const scenarios& all, int threads, const failures& which) {
  tally sum;
  long count = 0;
  for (const named_scenario& one : all) {
    if (!is_wanted(one.name)) continue;
    const tally found = sweep(one, threads, which);
    ++count;
    sum += found;
    INFO(found.text);
    CHECK(found.points > 0);
    CHECK(found.ended == 0);
    CHECK(found.wrong == 0);
  }
  std::printf(
      "%ld scenarios, threads: %d; failures injected: %ld, %ld of them to no effect; %ld ended the process, "
      "%ld results were wrong\n",
      count, threads, sum.points, sum.survived, sum.ended, sum.wrong);
  return sum;
}

}  // namespace tessera::faults
