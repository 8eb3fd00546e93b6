// SPDX-License-Identifier: BSD-3-Clause
// Compiles CPU candidates with the system's compiler into shared objects of many candidates each, kept on disk.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "evaluator.hpp"
#include "work/candidate_source.hpp"
#include "work/compiler_settings.hpp"
#include "work/object_cache.hpp"

namespace tessera::tune {

/// The location of a candidate's function, or why there is none.
struct compiled {
  outcome how = outcome::ok;  // or not_compiled
  std::string reason;
  std::string object;  // path of the shared object
  int index = 0;       // in its array of functions
};

class cpu_compiler {
 public:
  /// Throws if the compiler does not run, the kernels' headers are missing or the cache is not writable.
  explicit cpu_compiler(compiler_settings settings = compiler_settings::of_this_build(),
                        definition define = specialised_definition);

  /// One result each, in order. The candidates may be of several cases, targets and types; results of earlier calls are
  /// reused. A group that does not compile is halved until the failing ones are isolated. Throws if no candidate could
  /// compile: headers that do not suit the compiler, a full disk.
  std::vector<compiled> compile(const std::vector<candidate>& all);

  /// The first line of the compiler's version text, and its flags for a target: facts of a record.
  const std::string& version() const { return version_; }
  std::string flags_text(target on) const;

  /// The number of compiler runs for candidates; 0 if the cache had all of them.
  int compilations() const { return compilations_; }

 private:
  struct group {
    target on;
    scalar_type type;
    std::vector<candidate> members;
    std::string source, key;
  };
  group make_group(target on, scalar_type type, std::vector<candidate> members) const;
  std::vector<group> groups_of(const std::vector<candidate>& all) const;
  std::string identity_of(const candidate& c) const;
  std::vector<std::string> words_for(const group& g, const std::string& source, const std::string& object) const;
  std::vector<group> compile_all(const std::vector<group>& groups);
  void note(const group& g, const std::string& object);
  void require_that_headers_compile(const group& like);

  compiler_settings settings_;
  definition define_;
  object_cache cache_;
  std::string version_, version_text_;
  std::uint64_t headers_ = 0;
  std::map<std::string, compiled> known_;  // by target, type and definition
  bool headers_compile_ = false;
  int compilations_ = 0;
};

}  // namespace tessera::tune
