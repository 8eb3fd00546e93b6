// SPDX-License-Identifier: BSD-3-Clause
// What the demo prints and writes: an aligned table, row by row, the kernel rows, and the chart's data.
#pragma once

#include <string>
#include <vector>

#include "demo_case.hpp"

namespace tessera::demo {

/// What stands above the table and in the JSON.
struct facts {
  std::string cpu, target, gpu;
  int threads = 1;
  limits measured;
};

void print_head(const facts& about);
void print_row(const outcome& result);
/// Geometric mean and least fraction of the bound by operation and space; true where all results were right.
bool print_summary(const std::vector<outcome>& results);
/// Which kernel rows each case ran, and how often.
void print_kernels(const std::vector<outcome>& results);

/// Throws std::runtime_error where the file cannot be written.
void write_json(const std::string& file, const facts& about, const std::vector<outcome>& results);

}  // namespace tessera::demo
