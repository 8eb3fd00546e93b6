// SPDX-License-Identifier: BSD-3-Clause
// A winner with its evidence: the content of autotune/records/<device>.json, one object per case.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tessera/detail/record_figures.hpp>

#include "family.hpp"

namespace tessera::tune {

struct record : record_measurement {
  tuning_case of;
  config winner, runner_up;
  std::string source_hash;  // if it differs from the file's: measured with other kernels
};

/// The head of a file, common to all its records.
struct record_file {
  std::string family = "gemm";     // of what a run tunes: files of other families have it in their name
  std::string device;              // device_name(target): "AMD EPYC (family 25, model 17)", "NVIDIA H200"
  std::string target;              // "avx512", "cuda"
  std::string compute_capability;  // of a GPU: "9.0"
  std::string driver, toolkit, compiler, flags, source_hash, tessera;
  std::vector<record> records;
};

/// "amd_epyc_family_25_model_17-avx512.json", "nvidia_h200-cuda-element.json"
std::string file_name_for(const record_file& f);

/// Throws tessera::error naming the file and its fault.
record_file read_records(const std::string& path);
/// What write_records writes.
std::string records_text(const record_file& f);
/// Through a temporary file and a rename: a full disk or a kill leaves the old file.
void write_records(const record_file& f, const std::string& path);
/// Records of `newer` replace those of the same case; the others stay, marked with the kernels they were measured with.
/// Throws if the two are of different devices or targets.
record_file merged(record_file older, const record_file& newer);
/// Merges `newer` into the file, or writes `newer` if there is no file. Several tuners may do so at once without losing
/// records: each waits for the lock, and `say` is called if that takes long. Returns what was written.
record_file add_records(const std::string& path, const record_file& newer,
                        const std::function<void(const std::string&)>& say);
/// Kernel Tuner's T4 results format, which other tools read.
void write_t4(const record_file& f, const std::string& path);

}  // namespace tessera::tune
