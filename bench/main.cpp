// SPDX-License-Identifier: BSD-3-Clause
// tessera-bench SUITE [options]: measures the library on this machine; see docs/how_to/measure.md.
#include <cstdio>
#include <exception>

#include <tessera/numa.hpp>

#include "suites.hpp"

int main(int argc, char** argv) {
  namespace bench = tessera::bench;
  int exit_code = 0;
  const auto options = bench::parse_command_line(argc, argv, exit_code);
  if (!options) return exit_code;
  try {
    const std::string notice = tessera::set_numa_policy(tessera::numa_policy_from_text(options->numa));
    if (!notice.empty()) std::fprintf(stderr, "tessera-bench: %s\n", notice.c_str());
    if (options->suite == "limits") return bench::run_limits(*options);
    if (options->suite == "gemm") return bench::run_gemm(*options);
    if (options->suite == "chain") return bench::run_chain(*options);
    if (options->suite == "element") return bench::run_element(*options);
    if (options->suite == "assembly") return bench::run_assembly(*options);
    if (options->suite == "operator") return bench::run_operator(*options);
    if (options->suite == "solve") return bench::run_solve(*options);
    if (options->suite == "hydro") return bench::run_hydro(*options);
    if (options->suite == "tccg") return bench::run_tccg(*options);
    if (options->suite == "launch") return bench::run_launch(*options);
    if (options->suite == "small") return bench::run_small(*options);
    if (options->suite == "two-site") return bench::run_two_site(*options);
    if (options->suite == "call") return bench::run_call(*options);
    if (options->suite == "stride") return bench::run_stride(*options);
    if (options->suite == "registers") return bench::run_registers(*options);
    if (options->suite == "models") return bench::run_models(*options);
    return bench::run_contraction(*options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera-bench: %s\n", e.what());
    return 2;
  }
}
