// SPDX-License-Identifier: BSD-3-Clause
// One source at a time, by NVRTC; its key on disk is a hash of everything that the code depends on.
#include "compile.hpp"

#include <chrono>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "cache_size.hpp"
#include "code_cache.hpp"
#include "jit_source.hpp"
#include "nvrtc.hpp"

namespace tessera::device {

namespace {

std::string cache_key(const jit_source& source, int architecture) {
  std::string text = headers_hash() + "\n" + source.text;
  for (const std::string& kernel : source.kernels) text += kernel + "\n";
  return hash_of(text + "sm_" + std::to_string(architecture) + " nvrtc " + nvrtc_version());
}

// Code that alone is larger than the cache is not written. Returns the error text, or "".
std::string keep_on_disk(const std::string& folder, const std::string& key, const cached_code& code) {
  const cache_size most = disk_cache_size();
  if (code.machine_code.size() > most.bytes) {
    keep_newest(folder, most.bytes, "");
    return std::to_string(code.machine_code.size()) + " bytes of code are more than the cache's " +
           std::to_string(most.bytes);
  }
  std::string problem = write_code(folder, key, code);
  if (problem.empty()) {
    keep_newest(folder, most.bytes, key);
    problem = most.problem;
  }
  return problem;
}

}  // namespace

void require_nvrtc() {
  if (!nvrtc_problem().empty())
    throw error("jit: " + nvrtc_problem() + "; install the CUDA toolkit's NVRTC", status::no_device);
}

int architecture_or_own(int architecture) {
  if (architecture != 0) return architecture;
  const device_info gpu = info();
  return 10 * gpu.major + gpu.minor;
}

jit_code compile_source(const jit_source& source, const jit_options& options, int architecture) {
  require_nvrtc();
  architecture = architecture_or_own(architecture);
  const auto start = std::chrono::steady_clock::now();
  const std::string key = cache_key(source, architecture);
  jit_code code;
  if (!options.cache_folder.empty())
    if (auto kept = read_code(options.cache_folder, key)) {
      code.machine_code = std::move(kept->machine_code);
      code.entries = std::move(kept->entries);
      code.from_cache = true;
      return code;
    }
  nvrtc_result made = nvrtc_compile(source.text, source.kernels, headers_for(architecture), architecture);
  code.machine_code = std::move(made.machine_code);
  code.entries = std::move(made.entries);
  code.log = std::move(made.log);
  code.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!options.cache_folder.empty() && !code.machine_code.empty())
    code.cache_problem = keep_on_disk(options.cache_folder, key, {code.entries, code.machine_code});
  return code;
}

}  // namespace tessera::device
