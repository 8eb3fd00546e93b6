// SPDX-License-Identifier: BSD-3-Clause
// A folder in which CMake built Tessera: its settings, the hashes of its kernels, its library, its tuner.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "restamp/object_code.hpp"

namespace tessera::tune {

/// As cmake/kernel_hashes.cmake names what records are hashed by.
inline constexpr const char* kernel_families[] = {"cpu", "gpu", "element", "element_run", "matrix", "general"};

struct build_folder {
  std::string path;
  std::map<std::string, std::string> settings;  // of CMakeCache.txt
  std::map<std::string, std::string> hashes;    // by family
  std::string library;                          // the bytes of libtessera.a

  /// The program tessera-tune. Throws where it was not built.
  std::string tuner() const;
  /// Whether its kernels are compiled as those that are measured: neither for a debugger nor with sanitizers.
  bool is_optimised() const;
  /// Whether it has all rows, of both types: the kernels of all records of a CPU.
  bool has_all_rows() const;
};

/// Throws tessera::error naming what is not there, or that the library is older than the hashes.
build_folder open_build(const std::string& path);

/// The settings that decide about machine code and differ, a line each: "CMAKE_CXX_FLAGS: '-O2' and '-O3'".
std::vector<std::string> different_settings(const build_folder& former, const build_folder& latter);

/// The objects with the kernels of family "cpu" or "element_run" for a target, "avx2".
std::vector<object_code> kernel_objects(const build_folder& build, std::string_view family, const std::string& target);

}  // namespace tessera::tune
