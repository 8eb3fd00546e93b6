// SPDX-License-Identifier: BSD-3-Clause
// The output of the demo: the machine, a table with one row per case, and the chart's data.
#pragma once

#include <string>
#include <vector>

#include "outcome.hpp"

namespace tessera::demo {

struct facts {
  std::string cpu, target, gpu;  // gpu: its name, or the reason why none is shown
  bool has_gpu = false;
  int threads = 1;
  double cpu_flops = 0, gpu_flops = 0;  // FMA peaks, double
};

void print_machine(const facts& about);
/// Above the rows of one operation in one space.
void print_head(operation what, space_kind space);
/// Percent of the bound: with `~` in front if the case was disturbed, `?` instead if it is not plausible.
std::string fraction_text(const outcome& result);
/// A line for each operator, operation and space: geometric mean and worst of the plausible fractions, and their
/// number.
std::string fractions_text(const std::vector<outcome>& results);
void print_row(const outcome& result);
/// The meaning of the columns, the fraction of the bound that was reached, and the disturbed cases.
void print_summary(const std::vector<outcome>& results);

/// Throws std::runtime_error if the file cannot be written.
void write_json(const std::string& file, const facts& about, const std::vector<outcome>& results);

}  // namespace tessera::demo
