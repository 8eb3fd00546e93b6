// SPDX-License-Identifier: BSD-3-Clause
// NVRTC, loaded when it is first needed; it may be absent.
#pragma once

#include <string>
#include <vector>

namespace tessera::device {

struct nvrtc_header {
  const char* name;
  const char* text;
};

struct nvrtc_result {
  std::string machine_code, log;  // no machine code if it does not compile
  std::vector<std::string> entries;
};

/// Empty if NVRTC is available, else what was searched for.
const std::string& nvrtc_problem();

/// "13.0"
std::string nvrtc_version();

/// Compiles `source` for sm_<architecture>; `kernels` are the expressions that name its kernels, `entries` of the
/// result their names in the machine code. Thread-safe. Throws status::out_of_memory if NVRTC runs out of memory.
nvrtc_result nvrtc_compile(const std::string& source, const std::vector<std::string>& kernels,
                           const std::vector<nvrtc_header>& headers, int architecture);

}  // namespace tessera::device
