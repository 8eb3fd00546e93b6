// SPDX-License-Identifier: BSD-3-Clause
// The compiler for CPU candidates, its flags and headers, and the cache of the results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tessera/target.hpp>

namespace tessera::tune {

struct isa_flags {
  target on;
  std::vector<std::string> flags;
};

struct compiler_settings {
  std::string cxx;                       // a path, or a name to look up in PATH
  std::vector<std::string> flags;        // for every target
  std::vector<isa_flags> of_target;      // the targets that candidates can be compiled for
  std::vector<std::string> directories;  // of headers, the library's and xsimd's
  std::filesystem::path cache;
  int jobs = 1;
  double seconds = 300;  // for one group
  int group = 24;        // least number of candidates per shared object, if there are as many

  /// The settings of this build. The environment overrides them: TESSERA_TUNE_CXX names the compiler,
  /// TESSERA_TUNE_INCLUDE the directories, with colons between them. An installed program whose build tree is gone
  /// takes the headers that are installed beside it.
  static compiler_settings of_this_build();

  /// Throws if candidates cannot be compiled for that target.
  const std::vector<std::string>& flags_for(target on) const;
};

/// The path of this program.
std::filesystem::path program_folder();

/// TESSERA_TUNE_WORKER, or tessera-tune-worker beside this program, or where it was built.
std::string default_worker_program();

}  // namespace tessera::tune
