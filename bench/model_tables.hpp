// SPDX-License-Identifier: BSD-3-Clause
// The tables of the suite models: what each model says of a machine, as lines and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "machine_figures.hpp"

namespace tessera::bench {

struct model_table {
  std::string name;  // the member of the file
  std::vector<std::string> lines;
  nlohmann::json rows;
};

/// Ridge points, products, largest squares, speed-up, two-site updates, and transfers and energy where they are known.
/// Throws quoting what is wrong in the choice.
std::vector<model_table> model_tables(const machine_figures& of, const model_choice& what, const std::string& type);

}  // namespace tessera::bench
