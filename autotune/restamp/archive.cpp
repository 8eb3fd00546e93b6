// SPDX-License-Identifier: BSD-3-Clause
// Headers of 60 characters; names that are too long for them are in a member "//" of their own.
#include "restamp/archive.hpp"

#include <charconv>

#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

constexpr std::string_view magic = "!<arch>\n", thin_magic = "!<thin>\n";
constexpr std::size_t header_size = 60, name_size = 16, size_at = 48, end_at = 58;

std::size_t number_in(std::string_view text) {
  text = text.substr(0, text.find(' '));
  std::size_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (wrong != std::errc() || end != text.data() + text.size())
    throw error("a broken archive: '" + std::string(text) + "' is no number");
  return value;
}

std::string name_of(std::string_view field, std::string_view long_names) {
  if (field[0] != '/') return std::string(field.substr(0, field.find('/')));
  const std::size_t start = number_in(field.substr(1));
  const std::size_t end = long_names.find("/\n", start);
  if (start >= long_names.size() || end == std::string_view::npos)
    throw error("a broken archive: a member's name is missing");
  return std::string(long_names.substr(start, end - start));
}

}  // namespace

std::vector<archive_member> members_of(std::string_view archive) {
  if (archive.starts_with(thin_magic)) throw error("a thin archive, which holds no objects");
  if (!archive.starts_with(magic)) throw error("no archive");
  std::vector<archive_member> members;
  std::string_view long_names;
  for (std::size_t at = magic.size(); at < archive.size();) {
    const std::string_view header = archive.substr(at, header_size);
    if (header.size() < header_size || header.substr(end_at) != "`\n")
      throw error("a broken archive: no header at byte " + std::to_string(at));
    const std::size_t size = number_in(header.substr(size_at, end_at - size_at));
    at += header_size;
    if (size > archive.size() - at) throw error("a broken archive: it ends within a member");
    const std::string_view field = header.substr(0, name_size), bytes = archive.substr(at, size);
    if (field.starts_with("// "))
      long_names = bytes;
    else if (!field.starts_with("/ ") && !field.starts_with("/SYM64/ "))
      members.push_back({name_of(field, long_names), bytes});
    at += size + size % 2;
  }
  return members;
}

}  // namespace tessera::tune
