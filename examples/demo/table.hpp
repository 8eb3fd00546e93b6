// SPDX-License-Identifier: BSD-3-Clause
// What the demo says of its run: the machine, a table with one row a case, and the chart's data.
#pragma once

#include <string>
#include <vector>

#include "outcome.hpp"

namespace tessera::demo {

struct facts {
  std::string cpu, target, gpu;  // gpu: its name, or why none is shown
  bool has_gpu = false;
  int threads = 1;
  double cpu_flops = 0, gpu_flops = 0;  // FMA peaks, double
};

void print_machine(const facts& about);
/// Above the rows of one operation in one space.
void print_head(operation what, space_kind space);
/// Of the bound, in percent: `~` before it where the case was disturbed, `?` instead where it is not believed.
std::string fraction_text(const outcome& result);
/// A line for each operator, operation and space: geometric mean and worst of the fractions that are believed, and how
/// many of how many cases they are.
std::string fractions_text(const std::vector<outcome>& results);
void print_row(const outcome& result);
/// What the columns mean, how much of the bound was reached, and what was disturbed.
void print_summary(const std::vector<outcome>& results);

/// Throws std::runtime_error where the file cannot be written.
void write_json(const std::string& file, const facts& about, const std::vector<outcome>& results);

}  // namespace tessera::demo
