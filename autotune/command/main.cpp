// SPDX-License-Identifier: BSD-3-Clause
// tessera-tune: finds the best kernel tunings for this machine; see docs/tutorial/tuning.md.
#include <cstdio>
#include <exception>

#include "command/compare.hpp"
#include "command/look.hpp"
#include "command/tune.hpp"
#include "general/general_run.hpp"
#include "restamp/recorded_code.hpp"
#include "restamp/restamp.hpp"

int main(int argc, char** argv) {
  namespace tune = tessera::tune;
  int exit_code = 0;
  const auto options = tune::parse_command_line(argc, argv, exit_code);
  if (!options) return exit_code;
  try {
    if (options->family == "general") return tune::run_general(*options);
    switch (options->what) {
      case tune::action::tune: return tune::run_tune(*options);
      case tune::action::space: return tune::run_space(*options);
      case tune::action::explain: return tune::run_explain(*options);
      case tune::action::compare: return tune::run_compare(*options);
      case tune::action::simulate: return tune::run_simulate(*options);
      case tune::action::report: return tune::run_report(*options);
      case tune::action::t4: return tune::run_t4(*options);
      case tune::action::restamp: return tune::run_restamp(options->restamp);
      case tune::action::code: return tune::run_code(options->files.front(), options->hash, options->cases);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera-tune: %s\n", e.what());
  }
  return 2;
}
