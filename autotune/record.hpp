// SPDX-License-Identifier: BSD-3-Clause
// A winner with its evidence: what autotune/records/<device>.json holds, one object a case.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tessera/record_figures.hpp>

#include "family.hpp"

namespace tessera::tune {

struct record : record_measurement {
  tuning_case of;
  config winner, runner_up;
  std::string source_hash;  // where it is not the file's: measured with other kernels
};

/// Everything that all records of a file share.
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

/// Throws tessera::error naming the file and what is wrong with it.
record_file read_records(const std::string& path);
/// Through a temporary file and a rename: a full disk or a kill leaves the old file.
void write_records(const record_file& f, const std::string& path);
/// Records of `newer` replace those of the same case; the others stay, marked with the kernels they were measured with.
/// Throws where the two are of different devices or targets.
record_file merged(record_file older, const record_file& newer);
/// What the file holds and `newer`, merged and written to it; where there is no file, `newer`. Of several tuners that
/// do so at once none loses records of another: each waits for its turn, and `say` is told where that takes long. Gives
/// what was written.
record_file add_records(const std::string& path, const record_file& newer,
                        const std::function<void(const std::string&)>& say);
/// Kernel Tuner's T4 results format, which other tools read.
void write_t4(const record_file& f, const std::string& path);

}  // namespace tessera::tune
