// SPDX-License-Identifier: BSD-3-Clause
// `tessera-tune restamp`: records stay valid where a change of the kernels' sources left their machine code as it was.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tessera::tune {

struct restamp_request {
  std::string former;              // build folders
  std::string latter;              // empty: that of this program
  std::vector<std::string> files;  // records, or folders of them
  bool some_rows = false;          // builds without all rows of a CPU will do
  bool dry_run = false;            // write nothing
};

/// What was found out about a family of kernels, as cmake/kernel_hashes.cmake names it.
struct family_verdict {
  std::string former, latter;            // hashes
  std::set<std::string> same;            // targets whose machine code is as before
  std::vector<std::string> differences;  // of any target, a line each

  /// "" where records of a target may have the latter's hash.
  std::string why_not(const std::string& target) const;
};

struct renewal {
  int all = 0, renewed = 0;
  int kept = 0;   // of the former kernels, but not renewed
  int older = 0;  // of neither the former kernels nor the latter ones
  std::string why_kept;
};

/// Gives the records of a file that have a family's former hash its latter one, where that may be; nothing else of the
/// file changes. With `write` false it is only counted. Throws as writing a record file does.
renewal renew_records(const std::string& path, const std::map<std::string, family_verdict>& verdicts, bool write);

/// 0: all records of the former kernels are renewed, 1: some are not.
int run_restamp(const restamp_request& o);

}  // namespace tessera::tune
