// SPDX-License-Identifier: BSD-3-Clause
// The code that this process has compiled and loaded, by device and source.
#include <utility>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/kept_code.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "fresh_code.hpp"

namespace tessera::device {

sized_code fresh_code(const std::string& name, const jit_source& source) {
  const jit_code made = compile_source(source, {.cache_folder = default_cache_folder()});
  if (made.machine_code.empty()) throw error(name + ": NVRTC refuses it: " + made.first_error(), status::internal);
  return {std::make_shared<const loaded_code>(name, made), made.machine_code.size()};
}

std::shared_ptr<const loaded_code> ready_code(const std::string& name, const jit_source& source) {
  std::string key = "source, device " + std::to_string(current()) + "\n" + source.text;
  for (const std::string& kernel : source.kernels) key += kernel + "\n";
  return std::static_pointer_cast<const loaded_code>(loaded_kernels().get(key, [&]() -> kept_code::made {
    sized_code fresh = fresh_code(name, source);
    return {std::move(fresh.code), fresh.bytes};
  }));
}

}  // namespace tessera::device
