// SPDX-License-Identifier: BSD-3-Clause
// The options of family general.
#pragma once

#include <CLI/CLI.hpp>

#include "command/options.hpp"

namespace tessera::tune {

/// Which contractions.
void add_general_options(CLI::App& app, options& o);
/// What of them is measured.
void add_general_search_options(CLI::App& app, options& o);

}  // namespace tessera::tune
