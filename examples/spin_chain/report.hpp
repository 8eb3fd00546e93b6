// SPDX-License-Identifier: BSD-3-Clause
// What a run prints, a line a sweep, and its JSON file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dmrg.hpp"
#include "evolution.hpp"

namespace tessera::spin_chain {

/// Sweeps of one way to contract.
struct history {
  std::string by;  ///< "tessera" or "blas"
  std::vector<sweep_result> sweeps;
  std::vector<cut> cuts;  ///< after the last sweep
};

struct run_report {
  dmrg_options options;
  double tolerance = 0;
  std::optional<double> exact;  ///< energy, where it was computed
  std::string where;            ///< the GPU, or the instruction set and threads
  bool converged = false;
  std::vector<history> ways;
  std::string products;  ///< how the largest product was made, in words
};

/// A run by imaginary time.
struct evolution_report {
  dmrg_options options;
  double tolerance = 0;
  std::optional<double> exact;  ///< energy, where it was computed
  std::string where;
  bool converged = false;
  std::vector<evolution_block> blocks;
  std::string update;  ///< how the largest update ran, in words
};

void print_head(const evolution_report& run);
void print_block(const evolution_report& run);
void print_end(const evolution_report& run);
/// Schema 1, with `blocks` in place of `ways`. Throws where it cannot be written.
void write_json(const evolution_report& run, const std::string& file);

void print_head(const run_report& run);
void print_sweep(const run_report& run, const history& of);
void print_end(const run_report& run);
/// Schema 1. Throws where it cannot be written.
void write_json(const run_report& run, const std::string& file);

}  // namespace tessera::spin_chain
