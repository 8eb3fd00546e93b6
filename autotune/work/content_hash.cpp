// SPDX-License-Identifier: BSD-3-Clause
// FNV-1a, and the walk over headers that include each other.
#include "work/content_hash.hpp"

#include <set>
#include <sstream>

#include <tessera/detail/whole_file.hpp>

namespace tessera::tune {

namespace {

std::optional<std::string> header_text(const std::string& name, const std::vector<std::string>& directories) {
  for (const std::string& directory : directories)
    if (auto text = content_of(directory + "/" + name)) return text;
  return std::nullopt;
}

// The x of `#include <x>` where x is one of the library's headers, else nothing.
std::string own_header_in(const std::string& line) {
  constexpr std::string_view before = "#include <tessera/";
  if (!line.starts_with(before)) return {};
  const std::size_t start = line.find('<') + 1;
  return line.substr(start, line.find('>') - start);
}

}  // namespace

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  return hash;
}

std::string hexadecimal(std::uint64_t hash) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; hash >>= 4) text[i] = digits[hash & 15];
  return text;
}

std::optional<std::string> content_of(const std::string& path) {
  std::string why_not;
  return read_whole_file(path, why_not);
}

std::uint64_t hash_of_headers(std::vector<std::string> names, const std::vector<std::string>& directories) {
  std::set<std::string> seen(names.begin(), names.end());
  std::uint64_t hash = hash_start;
  // The order is that of the includes, which is determined by the contents.
  for (std::size_t next = 0; next < names.size(); ++next) {
    const std::optional<std::string> text = header_text(names[next], directories);
    if (!text) continue;
    hash = hash_of(*text, hash_of(names[next], hash));
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
      if (std::string name = own_header_in(line); !name.empty() && seen.insert(name).second)
        names.push_back(std::move(name));
  }
  return hash;
}

}  // namespace tessera::tune
