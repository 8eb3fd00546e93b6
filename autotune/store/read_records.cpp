// SPDX-License-Identifier: BSD-3-Clause
// Reads a record file: the records that the library's reader accepts, as cases of the tuner.
#include <algorithm>

#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>

#include "record.hpp"
#include "store/record_json.hpp"

namespace tessera::tune {

namespace {

config config_of(const std::vector<int>& values) {
  config c;
  std::copy(values.begin(), values.end(), c.value);
  return c;
}

tuning_case case_of(const tuning_record& read, target on) {
  switch (read.family) {
    case record_family::element: return element_case_of(read, on);
    case record_family::matrix: return matrix_case_of(read);
    case record_family::general:
      throw error(
          "it is of a general contraction, which this command does not take; see tessera-tune --family general");
    case record_family::gemm: break;
  }
  return {.on = on, .type = read.type, .in = read.in, .m = read.m, .n = read.n, .k = read.k, .layouts = read.layouts};
}

record record_of(const tuning_record& read, target on) {
  record r;
  r.of = case_of(read, on);
  r.winner = config_of(read.tuning);
  r.runner_up = read.runner_up.empty() ? r.winner : config_of(read.runner_up);
  static_cast<record_measurement&>(r) = read.measured;
  r.source_hash = read.source_hash;
  return r;
}

record_file file_of(const tuning_records& read) {
  record_file f;
  f.device = read.device;
  f.target = name_of(read.on);
  f.compute_capability = read.compute_capability;
  f.driver = read.driver;
  f.toolkit = read.toolkit;
  f.compiler = read.compiler;
  f.flags = read.flags;
  f.source_hash = read.source_hash;
  f.tessera = read.tessera;
  for (std::size_t i = 0; i < read.records.size(); ++i) {
    try {
      f.records.push_back(record_of(read.records[i], read.on));
    } catch (const error& wrong) {
      throw error("record " + std::to_string(i) + ": " + wrong.what());
    }
    if (read.records[i].family != record_family::gemm) f.family = name_of(read.records[i].family);
  }
  return f;
}

}  // namespace

record_file read_records(const std::string& path) {
  const std::string text = whole_file("records", path);
  try {
    return file_of(read_tuning_records(text));
  } catch (const error& wrong) {
    throw error("records " + path + ": " + wrong.what());
  }
}

}  // namespace tessera::tune
