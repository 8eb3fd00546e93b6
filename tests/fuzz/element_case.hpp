// SPDX-License-Identifier: BSD-3-Clause
// Element operators that an input describes: options, tables, nodes and coefficients, with memory for them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tessera/fem/tessera_fem.h>

#include "bytes.hpp"
#include "element_memory.hpp"

namespace fuzz {

struct element_case {
  tessera_element_options options{};
  tessera_element_nodes nodes{};
  bool ordinary = true;  // it has to work
  bool refused = false;  // it must not

  // What the two point to.
  tessera_element_tables tables{};
  std::vector<double> values, gradients, test_values, test_gradients, node_gradients, weights;
  std::optional<vector_memory> coordinates;
  std::vector<double> coefficients;
  std::unique_ptr<double[]> at_points;

  bool in_float() const { return options.type == TESSERA_F32; }
};

/// Elements are boxes of different edges, their nodes where the header says; one in a few cases is distorted.
std::unique_ptr<element_case> element_case_from(bytes& from);

/// How far a kind has coefficients and components in `dim` dimensions; as the header says.
std::vector<int> coefficient_counts(const std::string& kind, int dim);

std::string text_of(const element_case& c);
std::string text_of(const tessera_element_layout& l);

}  // namespace fuzz
