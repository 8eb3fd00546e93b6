// SPDX-License-Identifier: BSD-3-Clause
// tessera-tune --family general: its commands tune, space and explain.
#pragma once

#include <string>
#include <vector>

#include "command/options.hpp"
#include "general/general_evaluator.hpp"
#include "general/general_result.hpp"
#include "search/journal.hpp"

namespace tessera::tune {

/// Of `left` tiles in the model's order the places, from 0, of `count` to measure: the first ten, or half of `count` if
/// that is more; the others evenly spread over what is behind, the last one included.
std::vector<std::size_t> places_to_measure(std::size_t left, std::size_t count);

/// The tiles to measure, without times: the model's first ones and others spread over its order, or its first choice
/// and drawn ones; with what a plan takes today on that device. `candidates` are those of the search.
general_result proposed(const general_case& c, const options& o, const std::string& device);

/// Measures them, with what the journal has of them.
void measure(general_result& r, const general_asks& ask, const std::function<void()>& replace, journal& memory,
             const std::function<bool()>& may_go_on);

/// The program's exit status: 0 if every contraction has a winner, 1 if not, 130 after Ctrl-C. Throws where there is
/// nothing to measure on.
int run_general(const options& o);

}  // namespace tessera::tune
