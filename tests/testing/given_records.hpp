// SPDX-License-Identifier: BSD-3-Clause
// Record files of a test's own, and what is in force by them while it lasts.
#pragma once

#include <string>

#include <tessera/overlay.hpp>

#include "testing/scratch.hpp"

namespace tessera::testing {

/// A file that goes away, and with it whatever records were given at run time.
class record_text {
 public:
  explicit record_text(const std::string& text) { write_text(path, text); }
  ~record_text() { overlay_records(""); }

 private:
  scratch_folder folder_;

 public:
  const std::string path = (folder_ / "records.json").string();
};

/// The same, given at run time from the start.
struct given_records : record_text {
  explicit given_records(const std::string& text) : record_text(text) { overlay_records(path); }
};

}  // namespace tessera::testing
