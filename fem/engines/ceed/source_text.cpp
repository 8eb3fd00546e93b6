// SPDX-License-Identifier: BSD-3-Clause
// Puts included files in the places of their lines. Conditions are left to the compiler.
#include "source_text.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "failure.hpp"

namespace tessera::ceed {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest = std::size_t{1} << 24;  // files without #pragma once are there as often as included

// The rest after the word, without blanks in front; empty where the text has no such word.
std::string_view after(std::string_view text, std::string_view word) {
  const auto start = [](std::string_view s) { return std::min(s.find_first_not_of(" \t"), s.size()); };
  text.remove_prefix(start(text));
  if (text.substr(0, word.size()) != word) return {};
  text.remove_prefix(word.size());
  text.remove_prefix(start(text));
  return text;
}

struct included {
  std::string name;  // empty: the line is none that includes
  bool in_quotes = false;
};

included included_by(std::string_view line) {
  const std::string_view rest = after(after(line, "#"), "include");
  if (rest.empty() || (rest[0] != '"' && rest[0] != '<')) return {};
  const std::size_t end = rest.find(rest[0] == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return {};
  return {std::string(rest.substr(1, end - 1)), rest[0] == '"'};
}

bool is_once(std::string_view line) { return after(after(line, "#"), "pragma").substr(0, 4) == "once"; }

// For programs, not for sources of QFunctions; those that are in both have the types before them.
bool is_host_interface(const std::string& name) {
  return name == "ceed.h" || name == "ceed/ceed.h" || name == "ceed/backend.h";
}

// Empty: nowhere.
fs::path place_of(const included& file, const fs::path& beside, const include_folders& folders) {
  if (is_host_interface(file.name)) return {};
  std::vector<fs::path> candidates;
  if (file.in_quotes) candidates.push_back(beside / file.name);
  if (file.name.rfind("ceed/", 0) == 0) candidates.push_back(folders.ceed / file.name);
  for (const fs::path& folder : folders.others) candidates.push_back(folder / file.name);
  const auto found = std::find_if(candidates.begin(), candidates.end(), [](const fs::path& p) {
    std::error_code none;
    return fs::is_regular_file(p, none);
  });
  return found == candidates.end() ? fs::path() : *found;
}

}  // namespace

std::string source_text::with_includes(const std::string& line, const fs::path& beside) {
  const included file = included_by(line);
  if (file.name.empty()) return line + "\n";
  const fs::path found = place_of(file, beside, folders_);
  if (!found.empty()) return of(found);
  const bool is_missed = file.in_quotes && !is_host_interface(file.name);
  return is_missed ? "#error " + file.name + " is not found beside " + (beside / "").string() + "\n" : std::string();
}

std::string source_text::of(const fs::path& file) {
  std::error_code unknown;
  const fs::path known = fs::weakly_canonical(file, unknown);
  if (std::find(open_.begin(), open_.end(), known) != open_.end()) return {};  // its own guard would skip it
  std::ifstream in(file);
  if (!in) throw not_taken{file.string() + " cannot be read"};
  open_.push_back(known);
  std::string text;
  bool once = false;
  for (std::string line; std::getline(in, line);) {
    if (is_once(line))
      once = true;
    else
      text += with_includes(line, file.parent_path());
    if (text.size() > longest) throw not_taken{file.string() + " includes too much"};
  }
  open_.pop_back();
  if (!once) return text;
  const auto place = std::find(once_.begin(), once_.end(), known);
  const std::string guard = "TESSERA_CEED_ONCE_" + std::to_string(place - once_.begin());
  if (place == once_.end()) once_.push_back(known);
  return "#ifndef " + guard + "\n#define " + guard + "\n" + text + "#endif\n";
}

}  // namespace tessera::ceed
