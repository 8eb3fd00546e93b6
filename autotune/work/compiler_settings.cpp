// SPDX-License-Identifier: BSD-3-Clause
// Combines the settings of CMake with the environment.
#include "work/compiler_settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include <tessera/error.hpp>

#include "measure/machine.hpp"
#include "work/build_facts.hpp"
#include "work/object_cache.hpp"

namespace tessera::tune {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kernel_header = "tessera/cpu/detail/specialised.hpp";

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

std::string environment_or(const char* name, std::string otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

bool has_kernels(const std::string& directory) {
  std::error_code ignored;
  return fs::exists(fs::path(directory) / kernel_header, ignored);
}

std::vector<std::string> header_directories() {
  std::vector<std::string> found = parts_of(environment_or("TESSERA_TUNE_INCLUDE", build::directories), ':');
  if (std::ranges::none_of(found, has_kernels)) {
    // Without the build tree: the installed headers.
    const std::string installed = (program_folder().parent_path() / build::include_folder).string();
    if (has_kernels(installed)) found.insert(found.begin(), installed);
  }
  return found;
}

}  // namespace

fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::string default_worker_program() {
  const std::string beside = (program_folder() / "tessera-tune-worker").string();
  return environment_or("TESSERA_TUNE_WORKER", fs::exists(beside) ? beside : build::worker);
}

compiler_settings compiler_settings::of_this_build() {
  compiler_settings s;
  s.cxx = environment_or("TESSERA_TUNE_CXX", build::cxx);
  s.flags = parts_of(build::flags, ' ');
  for (const build::isa_flags& each : build::of_target) s.of_target.push_back({each.on, parts_of(each.flags, ' ')});
  s.directories = header_directories();
  s.cache = candidate_folder();
  s.jobs = bench::this_machine().cores;
  return s;
}

const std::vector<std::string>& compiler_settings::flags_for(target on) const {
  for (const isa_flags& each : of_target)
    if (each.on == on) return each.flags;
  std::string known;
  for (const isa_flags& each : of_target) known += std::string(known.empty() ? "" : ", ") + name_of(each.on);
  throw error(std::string("no CPU candidates can be compiled for ") + name_of(on) + "; this build supports " + known,
              status::no_target);
}

}  // namespace tessera::tune
