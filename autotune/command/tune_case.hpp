// SPDX-License-Identifier: BSD-3-Clause
// One case from its space to a record: search, then the winner against the default and what runs today, interleaved.
#pragma once

#include <functional>

#include "command/tuned_device.hpp"
#include "search/journal.hpp"
#include "search/recording.hpp"
#include "strategy.hpp"

namespace tessera::tune {

/// The default that a record's winner is compared with: the initial values of the axes; for an element operator the
/// tuning of the rules. The tuning that the library runs today is space::present.
config initial_of(const tuned_device& on, const tuning_case& c);

/// The part of a case's space that is searched: the model's best, the present tuning and the default; for an element
/// operator the latter two and random others. Marks the present one.
space searched_space(const tuned_device& on, const tuning_case& c, int most);

/// The configs that a search will probably measure.
std::vector<config> likely_configs(const space& s, const search_options& o);

struct tuned_case {
  record found;
  bool has_winner = false;
  recorded_space timings;  // with the time of what runs today
  int failed = 0;
  std::string failure;  // of the first candidate that failed
};

/// If the winner exceeds its bound by more than is plausible, the limits are measured again, at most twice.
tuned_case tune_case(tuned_device& on, const space& s, const named_strategy& how, const search_options& o,
                     journal& memory);

/// At the end of a run: computes fractions of the bound with the best of all measured limits, marks the implausible
/// ones (bench/measure/trust.hpp) and returns their number. `timings` have all records' cases.
int judge(const tuned_device& on, record_file& found, recording& timings);

}  // namespace tessera::tune
