// SPDX-License-Identifier: BSD-3-Clause
// Collects the facts about the build, the processor, the GPU and the cache of kernels from the library.
#include "facts.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>

#include <tessera/compiled_targets.hpp>
#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/target.hpp>
#include <tessera/version.hpp>

#include "build.hpp"

namespace tessera::info {

namespace {

std::vector<std::string> names_of(const std::vector<target>& targets) {
  std::vector<std::string> names;
  names.reserve(targets.size());
  for (const target t : targets) names.emplace_back(name_of(t));
  return names;
}

std::string kib(index_t bytes) { return bytes == 0 ? "unknown" : std::to_string(bytes / 1024) + " KiB"; }

}  // namespace

section build_facts() {
  const std::string version =
      std::to_string(version_major) + '.' + std::to_string(version_minor) + '.' + std::to_string(version_patch);
  section s{"build",
            {{"version", version},
             {"compiler", std::string(build::compiler)},
             {"build_type", std::string(build::type)},
             {"library", std::string(build::library)},
             {"instruction_sets", names_of(compiled_cpu_targets())},
             {"types", std::vector<std::string>(std::begin(build::types), std::end(build::types))},
             {"kernel_rows", std::string(build::rows)}}};
  if (std::string_view(build::gpu_rows) != build::rows)
    s.facts.push_back({"gpu_kernel_rows", std::string(build::gpu_rows)});
  s.facts.push_back({"gpu_backend", std::string(build::gpu)});
  return s;
}

section cpu_facts() {
  std::string chosen;
  try {
    chosen = name_of(default_cpu_target());
  } catch (const error& fault) {
    chosen = fault.what();  // TESSERA_TARGET names one that is not available
  }
  std::vector<target> usable;
  for (const target t : available_targets())
    if (t != target::cuda) usable.push_back(t);
  section s{"cpu",
            {{"name", device_name(target::reference)},
             {"usable_targets", names_of(usable)},
             {"chosen_target", chosen},
             {"threads", static_cast<long long>(useful_threads())},
             {"core_cache", kib(core_cache_bytes())},
             {"last_cache", kib(last_level_cache_bytes(target::reference))}}};
  if (chosen == name_of(target::reference) && !compiled_cpu_targets().empty())
    s.facts.push_back({"element_operators", std::string("on ") + name_of(compiled_cpu_targets().front()) +
                                                ": reference has no element kernels"});
  return s;
}

section gpu_facts() {
  section s{"gpu", {{"available", is_available(target::cuda)}}};
  if (is_available(target::cuda)) {
    const int capability = compute_capability(target::cuda);
    s.facts.push_back({"name", device_name(target::cuda)});
    s.facts.push_back({"compute_capability", std::to_string(capability / 10) + '.' + std::to_string(capability % 10)});
  } else {
    s.facts.push_back({"why_not", why_no_gpu()});
  }
  const std::string no_jit = why_no_jit();
  s.facts.push_back({"nvrtc", no_jit.empty() ? "found" : no_jit});
  return s;
}

section cache_facts() {
  const std::string folder = default_cache_folder();
  long long files = 0, bytes = 0;
  std::error_code ignored;  // a folder that does not exist or is not readable counts as empty
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (!entry.is_regular_file(ignored)) continue;
    ++files;
    bytes += static_cast<long long>(entry.file_size(ignored));
  }
  return {"kernel_cache",
          {{"folder", folder.empty() ? "none: neither TESSERA_CACHE nor HOME is set" : folder},
           {"files", files},
           {"bytes", bytes}}};
}

section environment_facts() {
  section s{"environment", {}};
  for (const char* name : {"TESSERA_TARGET", "TESSERA_REGIME", "TESSERA_RECORDS", "TESSERA_JIT", "TESSERA_CACHE",
                           "TESSERA_CACHE_SIZE", "TESSERA_LOADED_SIZE", "XDG_CACHE_HOME", "OMP_NUM_THREADS",
                           "OMP_PROC_BIND", "OMP_PLACES", "OMP_WAIT_POLICY", "CUDA_VISIBLE_DEVICES"}) {
    const char* value = std::getenv(name);
    s.facts.push_back({name, value == nullptr ? "not set" : value});
  }
  return s;
}

}  // namespace tessera::info
