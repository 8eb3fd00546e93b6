// SPDX-License-Identifier: BSD-3-Clause
// The candidates of a case: all points of a family's space that fit, with counts of the others by reason.
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
  std::vector<config> candidates;       // those that fit; configs with the same kernel appear once
  std::vector<prediction> predicted;    // of each candidate
  int initial = -1;                     // the struct's member initialisers: the first candidate, even where they do
                                        // not fit, since every kernel compiles with them and is compared with them
  int present = -1;                     // the tuning that the library uses today; -1: it has no row of these sizes
};

space make_space(const family& f, const tuning_case& c, const machine_limits& limits);

/// Candidate numbers by predicted time, fastest first; ties in order of number.
std::vector<int> ranked(const space& s);

/// At most `most` candidates, fastest predicted first: half of them by rank, then for each value of each axis the best
/// candidate with it, so that an error of the model on one axis hides no value; always with `initial`.
std::vector<int> shortlist(const space& s, int most);

/// Counts before and after pruning, reasons and axes, as aligned lines.
std::string space_text(const space& s, const family& f);

}  // namespace tessera::tune
