// SPDX-License-Identifier: BSD-3-Clause
// The journal of a tuning run: a file of JSON lines to which every sample is added, so that a killed run can be
// continued.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "evaluator.hpp"
#include "family.hpp"

namespace tessera::tune {

/// Everything that samples depend on. Samples under another header are never used.
struct journal_header {
  static constexpr int schema = 1;
  std::string device, source_hash;
  std::map<std::string, std::string> facts;  // compiler, flags, driver: all else that must be the same
};

/// "[2,4,0]": a config without the zeros at its end, so that a new axis whose value is 0 changes no key.
std::string text_of(const config& c);

/// What to do with the samples of earlier runs: a fresh start renames them to the file's name with ".old" appended.
enum class journal_start { resume, fresh };

class journal {
 public:
  /// Opens or creates the file and locks it. A file with another header is renamed; an incomplete last line is removed.
  /// Throws if it is not a regular file, is not writable or is in use.
  journal(std::string path, const journal_header& header, journal_start how = journal_start::resume);
  ~journal();
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;

  /// The samples of a config in a case (key_of), in the order in which they were taken.
  const std::vector<sample>& recorded(const std::string& of_case, const config& c) const;

  /// On disk within a second, and safe from the death of this process at once. Throws if the disk is full, and leaves
  /// the file unchanged then.
  void append(const std::string& of_case, const config& c, const sample& s);

  const std::string& path() const { return path_; }
  long samples() const { return samples_; }                // read and added
  long skipped_lines() const { return skipped_; }          // lines that were not samples: those are measured again
  const std::string& set_aside() const { return aside_; }  // the new name of a journal of another header, or ""
  const std::string& difference() const { return difference_; }  // the difference, as text

 private:
  void open_file();
  bool lock_file();  // false if the name refers to another file by now
  void read_file(const journal_header& header);
  void move_aside();
  void move_to(const std::string& name, const std::string& why);
  void start_file(const journal_header& header);
  void write_line(const std::string& line);
  void read_sample(const std::string& line);
  std::string disk_advice() const;

  std::string path_, aside_, difference_;
  int file_ = -1;
  long long size_ = 0;  // of the complete lines
  long samples_ = 0, skipped_ = 0;
  std::map<std::string, std::vector<sample>> known_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::tune
