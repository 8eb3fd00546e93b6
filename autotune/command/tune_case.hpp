// SPDX-License-Identifier: BSD-3-Clause
// One case from its space to a record: search, then the winner beside the default and what runs today, interleaved.
#pragma once

#include <functional>

#include "command/tuned_device.hpp"
#include "search/journal.hpp"
#include "search/recording.hpp"
#include "strategy.hpp"

namespace tessera::tune {

/// The default that a record's winner is compared with: the initial values of the axes; of an element operator what the
/// rules give. What the library runs today is space::present.
config initial_of(const tuned_device& on, const tuning_case& c);

/// What of a case's space is searched: the model's best, the present tuning and the default among them; of an element
/// operator these two and others by chance. Says which is the present one.
space searched_space(const tuned_device& on, const tuning_case& c, int most);

/// The configs that a search will probably measure.
std::vector<config> likely_configs(const space& s, const search_options& o);

struct tuned_case {
  record found;
  bool has_winner = false;
  recorded_space timings;  // with the seconds of what runs today
  int failed = 0;
  std::string failure;  // of the first candidate that failed
};

/// Where the winner is further above its bound than is believed, the limits are measured again, twice at most.
tuned_case tune_case(tuned_device& on, const space& s, const named_strategy& how, const search_options& o,
                     journal& memory);

/// At the end of a run: fractions of the bound by the best of all measured limits, and which of them are not believed
/// (bench/measure/trust.hpp): how many. `timings` have all records' cases.
int judge(const tuned_device& on, record_file& found, recording& timings);

}  // namespace tessera::tune
