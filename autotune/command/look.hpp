// SPDX-License-Identifier: BSD-3-Clause
// The commands that only read: spaces, explanations, simulations, reports, other formats.
#pragma once

#include "command/options.hpp"

namespace tessera::tune {

int run_space(const options& o);
int run_explain(const options& o);
int run_simulate(const options& o);
int run_report(const options& o);
int run_t4(const options& o);

}  // namespace tessera::tune
