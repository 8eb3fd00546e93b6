// SPDX-License-Identifier: BSD-3-Clause
// Reads what a build left in its folder.
#include "restamp/build_folder.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>

#include "restamp/archive.hpp"

namespace tessera::tune {

namespace {

namespace fs = std::filesystem;

std::string file_in(const build_folder& build, const char* name, const char* advice) {
  const fs::path path = fs::path(build.path) / name;
  if (!fs::is_regular_file(path)) throw error(build.path + ": there is no " + name + "; " + advice);
  return whole_file("build", path.string());
}

// NAME:TYPE=VALUE
std::map<std::string, std::string> settings_in(const std::string& cache) {
  std::map<std::string, std::string> settings;
  std::istringstream lines(cache);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':'), equals = line.find('=');
    if (line.starts_with("#") || line.starts_with("//") || colon == std::string::npos || equals < colon) continue;
    if (equals != std::string::npos) settings[line.substr(0, colon)] = line.substr(equals + 1);
  }
  return settings;
}

// Empty for a family that the build does not know.
std::string hash_in(const std::string& header, const std::string& family) {
  const std::string start = " " + family + "_kernel_hash = \"";
  const std::size_t at = header.find(start);
  if (at == std::string::npos) return "";
  const std::size_t first = at + start.size();
  return header.substr(first, header.find('"', first) - first);
}

std::string setting(const build_folder& build, const std::string& name) {
  const auto found = build.settings.find(name);
  return found == build.settings.end() ? "" : found->second;
}

}  // namespace

std::string build_folder::tuner() const {
  for (const char* name : {"bin/tessera-tune", "autotune/command/tessera-tune"})
    if (fs::is_regular_file(fs::path(path) / name)) return (fs::path(path) / name).string();
  throw error(path + ": there is no tessera-tune; build its target tessera_tune");
}

bool build_folder::is_optimised() const {
  return setting(*this, "CMAKE_BUILD_TYPE") != "Debug" && setting(*this, "TESSERA_SANITIZE").empty();
}

bool build_folder::has_all_rows() const {
  const std::string types = setting(*this, "TESSERA_TYPES");
  return setting(*this, "TESSERA_ROWS") == "full" && types.find("f32") != std::string::npos &&
         types.find("f64") != std::string::npos;
}

build_folder open_build(const std::string& path) {
  build_folder build{path, {}, {}, {}};
  build.settings = settings_in(file_in(build, "CMakeCache.txt", "name a folder in which CMake built Tessera"));
  build.library = file_in(build, "libtessera.a", "build the static library there (BUILD_SHARED_LIBS=OFF)");
  const std::string hashes =
      file_in(build, "generated/private/kernel_hashes.hpp", "name a folder in which CMake built Tessera");
  for (const char* family : kernel_families) {
    const std::string hash = hash_in(hashes, family);
    if (build.library.find(hash) == std::string::npos)
      throw error(path + ": its library is older than its last configuration; build it again from its own sources");
    build.hashes[family] = hash;
  }
  return build;
}

std::vector<std::string> different_settings(const build_folder& former, const build_folder& latter) {
  std::string type = setting(latter, "CMAKE_BUILD_TYPE");
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  std::vector<std::string> different;
  for (const std::string& name :
       {std::string("CMAKE_BUILD_TYPE"), std::string("CMAKE_CXX_COMPILER"), std::string("CMAKE_CXX_FLAGS"),
        "CMAKE_CXX_FLAGS_" + type, std::string("CMAKE_TOOLCHAIN_FILE"), std::string("TESSERA_CPU_ISAS"),
        std::string("TESSERA_TYPES"), std::string("TESSERA_ROWS"), std::string("TESSERA_ELEMENT_ROWS"),
        std::string("TESSERA_SANITIZE"), std::string("TESSERA_FUZZ")})
    if (setting(former, name) != setting(latter, name))
      different.push_back(name + ": '" + setting(former, name) + "' and '" + setting(latter, name) + "'");
  return different;
}

std::vector<object_code> kernel_objects(const build_folder& build, std::string_view family, const std::string& target) {
  const bool elements = family == "element_run";
  const std::string start = (elements ? "kernels_" : "rows_") + target + "_";
  std::vector<object_code> kernels, loops;
  try {
    for (const archive_member& m : members_of(build.library)) {
      if (m.name.starts_with(start)) kernels.push_back(read_object(m.bytes, m.name));
      // The loop over elements, with its prefetches, and stores.
      if (elements && m.name == "backend.cpp.o") loops.push_back(read_object(m.bytes, m.name));
    }
  } catch (const error& wrong) {
    throw error(build.path + ": libtessera.a: " + wrong.what());
  }
  if (kernels.empty()) throw error(build.path + " has no " + target + " kernels; add it to TESSERA_CPU_ISAS");
  if (elements && loops.empty())
    throw error(build.path + " has the loop over elements in one object with others; build with CMAKE_UNITY_BUILD=OFF");
  kernels.insert(kernels.end(), loops.begin(), loops.end());
  return kernels;
}

}  // namespace tessera::tune
