// SPDX-License-Identifier: BSD-3-Clause
// The lines of a journal: a header, then one sample each.
#pragma once

#include <optional>
#include <string>

#include "search/journal.hpp"

namespace tessera::tune {

struct journal_entry {
  std::string of_case, config_text;
  sample what;
};

std::string line_of(const journal_header& h);
std::string line_of(const std::string& of_case, const config& c, const sample& s);

/// Empty if the line is not a sample.
std::optional<journal_entry> entry_of(const std::string& line);

/// "" if the line is this header, else the difference: "device: 'A' instead of 'B'".
std::string difference_of(const std::string& line, const journal_header& h);

/// The outcome of that name; empty if there is none.
std::optional<outcome> outcome_named(const std::string& name);

}  // namespace tessera::tune
