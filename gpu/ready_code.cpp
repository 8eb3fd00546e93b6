// SPDX-License-Identifier: BSD-3-Clause
// The code that this process has compiled and loaded, by device and source.
#include <map>
#include <mutex>
#include <optional>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::device {

namespace {

struct slot {
  std::mutex guard;
  std::optional<loaded_code> code;
};

slot& slot_of(const std::string& key) {
  static std::mutex guard;
  // Never destroyed: CUDA may be shut down by then.
  static auto& all = *new std::map<std::string, slot>;
  const std::lock_guard lock(guard);
  return all[key];
}

}  // namespace

const loaded_code& ready_code(const std::string& name, const jit_source& source) {
  std::string key = "device " + std::to_string(current()) + "\n" + source.text;
  for (const std::string& kernel : source.kernels) key += kernel + "\n";
  slot& mine = slot_of(key);
  const std::lock_guard lock(mine.guard);
  if (!mine.code) {
    const jit_code made = compile_source(source, {.cache_folder = default_cache_folder()});
    if (made.machine_code.empty()) throw error(name + ": NVRTC refuses it: " + made.first_error(), status::internal);
    mine.code.emplace(name, made);
  }
  return *mine.code;
}

}  // namespace tessera::device
