// SPDX-License-Identifier: BSD-3-Clause
// tessera-info: prints this build of Tessera, what it found on this machine, and what it will use.
#include <cstdio>
#include <cstring>
#include <exception>

#include "facts.hpp"

namespace {

constexpr const char* usage =
    "usage: tessera-info [--json | --help]\n\n"
    "Prints the version, the build, instruction sets and types, the set chosen, threads, the GPU or why there is\n"
    "none, NVRTC, tuning records, the cache of compiled kernels and the environment variables that matter.\n\n"
    "  --json  the same for programs\n"
    "  --help  this text\n";

}  // namespace

int main(int count, char** arguments) try {
  using namespace tessera::info;
  const bool json = count == 2 && std::strcmp(arguments[1], "--json") == 0;
  const bool help = count == 2 && std::strcmp(arguments[1], "--help") == 0;
  if (count > 1 && !json && !help) {
    std::fputs(usage, stderr);
    return 2;
  }
  if (help) return std::fputs(usage, stdout) < 0;
  const report all{build_facts(), cpu_facts(), gpu_facts(), record_facts(), cache_facts(), environment_facts()};
  return std::fputs((json ? as_json(all) : as_text(all)).c_str(), stdout) < 0;
} catch (const std::exception& fault) {
  std::fprintf(stderr, "tessera-info: %s\n", fault.what());
  return 1;
}
