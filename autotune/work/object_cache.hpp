// SPDX-License-Identifier: BSD-3-Clause
// The folder of compiled candidates: each shared object with a manifest, by which a damaged one is recognised.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tessera::tune {

/// The folder `tune` in the library's cache folder (TESSERA_CACHE, XDG_CACHE_HOME/tessera, HOME/.cache/tessera), or
/// tessera-tune in the system's folder for temporary files.
std::filesystem::path candidate_folder();

class object_cache {
 public:
  /// Makes the folder. Throws where nothing can be written there, saying why and what to do.
  explicit object_cache(std::filesystem::path folder);

  /// The object of that key, if it is there and neither its size nor its hash differs from its manifest.
  std::optional<std::string> find(const std::string& key) const;

  /// A name in the folder that no other process uses.
  std::string temporary(const std::string& ending) const;
  /// Writes the text; throws as the constructor does.
  void write(const std::string& path, const std::string& text) const;
  /// Makes the object in the temporary file the one of that key; gives its path.
  std::string keep(const std::string& key, const std::string& temporary) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  void remove_leftovers() const;
  void rename(const std::string& from, const std::string& to) const;
  [[noreturn]] void fail(const std::string& what, int number) const;

  std::filesystem::path folder_;
};

}  // namespace tessera::tune
