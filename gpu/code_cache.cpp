// SPDX-License-Identifier: BSD-3-Clause
// An entry is a line "tessera-code 2 BYTES HASH NAME,NAME,..." and the code; a file that does not match its line is
// ignored.
#include "code_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include <tessera/detail/whole_file.hpp>

namespace tessera::device {

namespace {

namespace fs = std::filesystem;

std::uint64_t fnv(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

fs::path file_of(const std::string& folder, const std::string& key) { return fs::path(folder) / (key + ".code"); }

// "KEY.code.PROCESS.NUMBER.part"
bool is_part(const fs::path& file) {
  return file.extension() == ".part" && file.filename().string().find(".code.") != std::string::npos;
}

std::string joined(const std::vector<std::string>& names) {
  std::string line;
  for (const std::string& name : names) line += (line.empty() ? "" : ",") + name;
  return line;
}

std::vector<std::string> taken_apart(const std::string& line) {
  std::vector<std::string> names;
  std::istringstream in(line);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

std::string head_of(const cached_code& code) {
  const std::string names = joined(code.entries);
  return "tessera-code 2 " + std::to_string(code.machine_code.size()) + " " +
         hash_of(names + "\n" + code.machine_code) + " " + names;
}

}  // namespace

std::string hash_of(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  // Two passes with different seeds: 128 bits protect against accidents, not against attackers.
  const std::uint64_t halves[] = {fnv(text, 0xcbf29ce484222325u), fnv(text, 0x9ae16a3b2f90404fu)};
  std::string hex;
  for (const std::uint64_t half : halves)
    for (int shift = 60; shift >= 0; shift -= 4) hex += digits[half >> shift & 15];
  return hex;
}

std::optional<cached_code> read_code(const std::string& folder, const std::string& key) {
  std::string why_not;
  const std::optional<std::string> text = read_whole_file(file_of(folder, key).string(), why_not);
  const std::size_t end = text ? text->find('\n') : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  const std::string head = text->substr(0, end);
  cached_code code{taken_apart(head.substr(head.rfind(' ') + 1)), text->substr(end + 1)};
  if (code.machine_code.empty() || head != head_of(code)) return std::nullopt;
  std::error_code ignored;  // of a folder that others own: the entry counts as old there
  fs::last_write_time(file_of(folder, key), fs::file_time_type::clock::now(), ignored);
  return code;
}

std::string write_code(const std::string& folder, const std::string& key, const cached_code& code) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return "cannot create " + folder + ": " + failed.message();
  const fs::path file = file_of(folder, key);
  static std::atomic<int> parts{0};  // threads may write the same entry
  const fs::path part = file.string() + "." + std::to_string(::getpid()) + "." + std::to_string(parts++) + ".part";
  {
    std::ofstream out(part, std::ios::binary);
    out << head_of(code) << '\n' << code.machine_code;
    out.flush();
    if (!out) {
      out.close();
      fs::remove(part, failed);
      return "cannot write " + part.string() + ": the disk is full or the folder is read-only";
    }
  }
  fs::rename(part, file, failed);
  return failed ? "cannot rename " + part.string() + ": " + failed.message() : std::string();
}

std::uint64_t keep_newest(const std::string& folder, std::uint64_t bytes, const std::string& but) {
  struct entry {
    fs::file_time_type used;
    fs::path file;
    std::uint64_t bytes;
  };
  std::vector<entry> all;
  std::uint64_t sum = 0;
  std::error_code failed;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;  // another process removes files, too
    if (!at->is_regular_file(gone) || gone) continue;
    const fs::file_time_type used = at->last_write_time(gone);
    const std::uint64_t size = gone ? 0 : at->file_size(gone);
    if (gone) continue;
    if (at->path().extension() == ".code") {
      sum += size;
      if (at->path().stem() != but) all.push_back({used, at->path(), size});
    } else if (is_part(at->path()) && now - used > std::chrono::hours(24)) {
      fs::remove(at->path(), gone);
    }
  }
  // Files of one time by name, so that processes remove the same ones.
  std::sort(all.begin(), all.end(),
            [](const entry& a, const entry& b) { return a.used != b.used ? a.used < b.used : a.file < b.file; });
  for (const entry& oldest : all) {
    if (sum <= bytes) break;
    std::error_code kept;
    fs::remove(oldest.file, kept);
    if (!kept) sum -= oldest.bytes;
  }
  return sum;
}

}  // namespace tessera::device
