// SPDX-License-Identifier: BSD-3-Clause
// tessera-tune --family general: its commands tune, space and explain.
#pragma once

#include <string>

#include "command/options.hpp"
#include "general/general_evaluator.hpp"
#include "general/general_result.hpp"
#include "search/journal.hpp"

namespace tessera::tune {

/// The tiles to measure, without times: the model's best, or its first choice and drawn ones; with what a plan takes
/// today on that device. `candidates` are those of the search.
general_result proposed(const general_case& c, const options& o, const std::string& device);

/// Measures them, with what the journal has of them.
void measure(general_result& r, const general_asks& ask, const std::function<void()>& replace, journal& memory,
             const std::function<bool()>& may_go_on);

/// The program's exit status: 0 if every contraction has a winner, 1 if not, 130 after Ctrl-C. Throws where there is
/// nothing to measure on.
int run_general(const options& o);

}  // namespace tessera::tune
