// SPDX-License-Identifier: BSD-3-Clause
// A folder that goes away, and records to put into it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "record.hpp"

namespace tessera::tune::testing {

struct scratch_folder {
  std::filesystem::path path;

  scratch_folder() {
    static int number = 0;
    path = std::filesystem::temp_directory_path() /
           ("tessera_store_" + std::to_string(getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directories(path);
  }
  scratch_folder(const scratch_folder&) = delete;
  ~scratch_folder() { std::filesystem::remove_all(path); }

  std::string file(const std::string& name) const { return (path / name).string(); }
  long files() const { return std::distance(std::filesystem::directory_iterator(path), {}); }
};

inline std::string text_in(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

inline record sample_record(index_t n, memory_regime in = memory_regime::cache) {
  record r;
  r.of = {.on = target::avx2, .type = scalar_type::f64, .in = in, .m = n, .n = n, .k = n};
  r.winner = {{2, 3, 4, 0, 0, 1, 0}};
  r.runner_up = {{1, 5, 0, 0, 1, 2, 1}};
  r.seconds = 1.25e-8 * double(n);
  r.mad = 1.0 / 3.0 * 1e-10;
  r.runner_up_seconds = 1.3e-8 * double(n);
  r.initial_seconds = 2e-8 * double(n);
  r.fraction = 0.75;
  r.tie = n % 2 == 0;
  r.tried = 12;
  r.candidates = 345;
  r.strategy = "elimination";
  r.date = "2026-11-20T15:00:00Z";
  return r;
}

inline record_file sample_file() {
  record_file f;
  f.device = "Example CPU (family 1, model 2)";
  f.target = "avx2";
  f.compiler = "g++ 12.2.0";
  f.flags = "-O3 \"quoted\"";
  f.source_hash = "0123456789abcdef";
  f.tessera = "0.1.0";
  f.records = {sample_record(5), sample_record(8), sample_record(8, memory_regime::stream)};
  return f;
}

}  // namespace tessera::tune::testing
