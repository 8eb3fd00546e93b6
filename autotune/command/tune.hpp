// SPDX-License-Identifier: BSD-3-Clause
// The main job: tunes devices case by case within a budget, and leaves records and reports.
#pragma once

#include "command/options.hpp"

namespace tessera::tune {

/// The exit status: 0; 1 if a case has no winner; 130 after Ctrl-C, with all results so far kept.
int run_tune(const options& o);

}  // namespace tessera::tune
