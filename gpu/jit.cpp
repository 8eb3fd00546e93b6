// SPDX-License-Identifier: BSD-3-Clause
// Compiling rows at run time: several at once, after a look-up in the disk cache.
#include <tessera/detail/jit.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "compile.hpp"
#include "jit_source.hpp"
#include "nvrtc.hpp"

namespace tessera {

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
  std::vector<device::jit_source> sources;
  for (const jit_gemm& each : wanted) sources.push_back(device::source_of(each));
  return device::compile_sources(sources, options, architecture);
}

std::vector<jit_code> device::compile_sources(std::span<const jit_source> wanted, const jit_options& options,
                                              int architecture) {
  require_nvrtc();
  architecture = architecture_or_own(architecture);
  std::vector<jit_code> made(wanted.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> has_thrown{false};
  std::exception_ptr thrown;  // the first one: an exception must not leave a thread
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < wanted.size() && !has_thrown; i = next++)
        made[i] = compile_source(wanted[i], options, architecture);
    } catch (...) {
      if (!has_thrown.exchange(true)) thrown = std::current_exception();
    }
  };
  const std::size_t wished = options.threads > 0 ? std::size_t(options.threads) : std::thread::hardware_concurrency();
  const std::size_t most = std::min(wished, wanted.size());
  {
    std::vector<std::jthread> others;  // joined on every exit
    others.reserve(most);
    try {
      for (std::size_t t = 1; t < most; ++t) others.emplace_back(work);
    } catch (const std::system_error&) {  // the existing threads do the work
    }
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
  return made;
}

}  // namespace tessera
