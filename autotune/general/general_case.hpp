// SPDX-License-Identifier: BSD-3-Clause
// A case of family general: a contraction of two packed tensors, in one type.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tessera/core/general.hpp>
#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>

#include "command/options.hpp"
#include "family.hpp"

namespace tessera::tune {

struct general_case {
  int row = 0;         // of TCCG; 0: given by --einsum
  std::string einsum;  // "bda,dc->abc"
  std::vector<std::pair<char, index_t>> extents;
  std::string type;  // as on the command line: "f64", "tf32"
  detail::general_kind kind;
  general_form form;
  index_t entries[3]{};  // of left input, right input and output
  double flops = 0;

  /// Of all tensors, each once.
  double bytes() const;
};

/// "row 1 bda,dc->abc f64", "ik,kj->ij f64".
std::string name_of(const general_case& c);
/// "bda,dc->abc, a 312, b 312, c 24, d 312": in records.
std::string contraction_text(const general_case& c);
/// Names a case in journals and recordings, by all that its kernels are made for.
std::string key_of(const general_case& c);

/// Those of --row, or of --einsum and --extents, in each of --type. Throws, naming the part that is wrong.
std::vector<general_case> general_cases_from(const options& o);

/// "f64", "f32", "tf32", "tf32x3" or "3xtf32", "f16", "bf16", "c32", "c64". Throws, naming these.
detail::general_kind general_kind_from(const std::string& type);

/// A tile as the values of a journal's and a recording's config: sides, warps, stages, splits, panel, then the boxes.
config config_of(const detail::general_tile& tile, const general_form& form);

}  // namespace tessera::tune
