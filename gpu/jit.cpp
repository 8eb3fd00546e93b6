// SPDX-License-Identifier: BSD-3-Clause
// Compiling rows at run time: several at once, each looked for on disk first.
#include <tessera/jit.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <tessera/error.hpp>
#include <tessera/gpu/runtime.hpp>

#include "code_cache.hpp"
#include "jit_source.hpp"
#include "nvrtc.hpp"

namespace tessera {

namespace {

std::string cache_key(const device::jit_source& source, int architecture) {
  std::string text = device::headers_hash() + "\n" + source.text;
  for (const std::string& kernel : source.kernels) text += kernel + "\n";
  return device::hash_of(text + "sm_" + std::to_string(architecture) + " nvrtc " + device::nvrtc_version());
}

void require_nvrtc() {
  if (!device::nvrtc_problem().empty())
    throw error("jit: " + device::nvrtc_problem() + "; install the CUDA toolkit's NVRTC", status::no_device);
}

}  // namespace

namespace device {

jit_code compile_source(const jit_source& source, const jit_options& options, int architecture) {
  require_nvrtc();
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
    code.cache_problem = write_code(options.cache_folder, key, {code.entries, code.machine_code});
  return code;
}

int current_architecture() {
  const device_info gpu = info();
  return 10 * gpu.major + gpu.minor;
}

}  // namespace device

std::string jit_code::first_error() const {
  const std::size_t at = log.find("error");
  const std::size_t start = at == std::string::npos ? 0 : log.rfind('\n', at) + 1;
  return log.substr(start, log.find('\n', start) - start);
}

std::string default_cache_folder() {
  const auto folder = [](const char* variable, const char* below) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0' ? std::string(value) + below : std::string();
  };
  for (const auto& [variable, below] :
       {std::pair{"TESSERA_CACHE", ""}, {"XDG_CACHE_HOME", "/tessera"}, {"HOME", "/.cache/tessera"}})
    if (std::string path = folder(variable, below); !path.empty()) return path;
  return {};
}

std::string why_no_jit() { return device::nvrtc_problem(); }

std::vector<jit_code> jit_compile(std::span<const jit_gemm> wanted, const jit_options& options, int architecture) {
  require_nvrtc();
  if (architecture == 0) architecture = device::current_architecture();
  std::vector<jit_code> made(wanted.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < wanted.size(); i = next++)
      made[i] = device::compile_source(device::source_of(wanted[i]), options, architecture);
  };
  const std::size_t most = options.threads > 0 ? std::size_t(options.threads) : std::thread::hardware_concurrency();
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < most && t < wanted.size(); ++t) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
  return made;
}

}  // namespace tessera
