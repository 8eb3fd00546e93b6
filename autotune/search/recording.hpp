// SPDX-License-Identifier: BSD-3-Clause
// Recorded timings of whole spaces: with them a search can be repeated and evaluated without the machine.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "space.hpp"
#include "strategy.hpp"

namespace tessera::tune {

struct recorded_candidate {
  config of;
  double predicted = 0;
  outcome how = outcome::ok;
  std::string reason;           // where not ok
  std::vector<double> seconds;  // sample i of each candidate was taken in round i
};

/// What the library ran for a case before it was tuned.
enum class present_row {
  unknown,  // not recorded
  none,     // no row of these sizes: the generic one ran
  fails,
  runs,
};

struct recorded_space {
  std::string of;  // key_of the case
  int incumbent = -1;
  present_row present = present_row::unknown;
  double present_seconds = 0;  // if it runs: in the contest at the end, against the winner
  bool suspect = false;        // the winner exceeds its bound by more than is plausible
  std::vector<recorded_candidate> candidates;
};

struct recording {
  static constexpr int schema = 1;
  std::string device;
  std::map<std::string, std::string> facts;  // compiler, flags, source hash, date
  std::vector<recorded_space> spaces;
};

/// "runs": how files name it.
std::string_view name_of(present_row p);

/// Of a case; null if the recording does not have it.
const recorded_space* space_in(const recording& r, const tuning_case& c);

/// The candidates that an exhaustive or random search measured, renumbered. Rounds with finalists only are omitted:
/// search_options::rounds are recorded.
recorded_space recorded(const space& s, const search_result& measured);

search_problem problem_of(const recorded_space& s);
search_problem problem_of(const space& s);

/// The median of all samples, infinite if it failed: the criterion for a search.
double true_seconds(const recorded_candidate& c);

/// Throws tessera::error naming the file and what is wrong with it.
recording read_recording(const std::string& path);
/// Through a temporary file and a rename.
void write_recording(const recording& r, const std::string& path);

}  // namespace tessera::tune
