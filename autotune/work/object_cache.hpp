// SPDX-License-Identifier: BSD-3-Clause
// The folder of compiled candidates: each shared object has a manifest, which detects damage.
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
  /// Makes the folder. Throws if it is not writable, with the reason and a remedy.
  explicit object_cache(std::filesystem::path folder);

  /// The object of that key, if it exists and its size and hash match its manifest.
  std::optional<std::string> find(const std::string& key) const;

  /// A name in the folder that no other process uses.
  std::string temporary(const std::string& ending) const;
  /// Writes the text; throws like the constructor.
  void write(const std::string& path, const std::string& text) const;
  /// Renames the temporary file to the object of that key; returns its path.
  std::string keep(const std::string& key, const std::string& temporary) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  void remove_leftovers() const;
  void rename(const std::string& from, const std::string& to) const;
  [[noreturn]] void fail(const std::string& what, int number) const;

  std::filesystem::path folder_;
};

}  // namespace tessera::tune
