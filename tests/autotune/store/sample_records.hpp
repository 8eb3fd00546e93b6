// SPDX-License-Identifier: BSD-3-Clause
// Records to put into a folder.
#pragma once

#include <string>
#include <utility>

#include "record.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/scratch.hpp"

namespace tessera::tune::testing {

using tessera::testing::scratch_folder, tessera::testing::text_of_file, tessera::testing::write_text;

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

/// What is written comes back: it is returned, and so is its text.
inline std::pair<record_file, std::string> read_back(const record_file& f) {
  const scratch_folder folder;
  write_records(f, folder / "r.json");
  return {read_records(folder / "r.json"), text_of_file(folder / "r.json")};
}

inline void check_comes_back(const record_file& f) {
  const record_file g = read_back(f).first;
  CHECK(g.family == f.family);
  REQUIRE(g.records.size() == f.records.size());
  for (std::size_t i = 0; i < f.records.size(); ++i) {
    INFO(key_of(f.records[i].of));
    CHECK(g.records[i].of == f.records[i].of);
    CHECK(g.records[i].winner == f.records[i].winner);
    CHECK(g.records[i].runner_up == f.records[i].runner_up);
    CHECK(g.records[i].seconds == f.records[i].seconds);
  }
}

/// The file with `from` replaced by `to` is refused with these words.
inline void check_refused(const record_file& f, const std::string& from, const std::string& to,
                          std::initializer_list<std::string_view> words) {
  const scratch_folder folder;
  std::string text = read_back(f).second;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  write_text(folder / "bad.json", text.replace(at, from.size(), to));
  tessera::testing::check_failure(status::invalid_argument, words, [&] { read_records(folder / "bad.json"); });
}

}  // namespace tessera::tune::testing
