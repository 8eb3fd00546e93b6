// SPDX-License-Identifier: BSD-3-Clause
// The candidates of a case: all points of a family's space that fit, counted, with the reasons why others fell.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "family.hpp"

namespace tessera::tune {

struct space {
  tuning_case of;
  long points = 0;                      // before pruning
  std::map<std::string, long> refused;  // reason -> points
  std::vector<config> candidates;       // that fit; configs whose kernels are the same appear once
  std::vector<prediction> predicted;    // of each candidate
  int initial = -1;                     // the struct's member initialisers, always a candidate
};

space make_space(const family& f, const tuning_case& c, const machine_limits& limits);

/// Candidate numbers by predicted time, fastest first; ties in order of number.
std::vector<int> ranked(const space& s);

}  // namespace tessera::tune
