// SPDX-License-Identifier: BSD-3-Clause
// By a rename, which file systems do at once.
#include "replacement.hpp"

#include <filesystem>
#include <stdexcept>

namespace tessera::blast {

namespace fs = std::filesystem;

replacement::replacement(const std::string& file, const std::string& what)
    : what_(what + "'" + file + "'"), target_(fs::exists(file) ? fs::canonical(file).string() : file) {
  unfinished_ = fs::exists(target_) && !fs::is_regular_file(target_) ? target_ : target_ + ".part";
  out_.open(unfinished_, std::ios::binary);
  if (!out_) throw std::runtime_error("cannot write " + what_);
}

replacement::~replacement() {
  out_.close();
  std::error_code ignored;
  if (unfinished_ != target_) fs::remove(unfinished_, ignored);  // no more there if it was finished
}

void replacement::finish() {
  out_.close();
  if (!out_) throw std::runtime_error("cannot write " + what_);
  if (unfinished_ == target_) return;
  std::error_code failed;
  fs::rename(unfinished_, target_, failed);
  if (failed) throw std::runtime_error("cannot replace " + what_ + ": " + failed.message());
}

void check_replaceable(const std::string& file) {
  if (!file.empty()) replacement unused(file);
}

}  // namespace tessera::blast
