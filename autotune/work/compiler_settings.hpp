// SPDX-License-Identifier: BSD-3-Clause
// Which compiler makes CPU candidates, with which flags and headers, and where the results are kept.
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
  int group = 24;        // candidates a shared object, at least, where there are as many

  /// As this program was built. The environment has the last word: TESSERA_TUNE_CXX names the compiler,
  /// TESSERA_TUNE_INCLUDE the directories, with colons between them. An installed program whose build tree is gone
  /// takes the headers that are installed beside it.
  static compiler_settings of_this_build();

  /// Throws where candidates cannot be compiled for that target.
  const std::vector<std::string>& flags_for(target on) const;
};

/// Where this program lies.
std::filesystem::path program_folder();

/// TESSERA_TUNE_WORKER, or tessera-tune-worker beside this program, or where it was built.
std::string default_worker_program();

}  // namespace tessera::tune
