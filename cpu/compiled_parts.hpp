// SPDX-License-Identifier: BSD-3-Clause
// Declares the rows of products of the instruction sets' translation units, each of which has a part of them.
#pragma once

#include <vector>

#include <tessera/cpu/detail/gemm_rows.hpp>

namespace tessera::detail {

/// Defined in rows_<isa>_<type>_<part>.cpp: every parts-th row of that type; part 0 has the kernels for any sizes, too.
template <target isa, class T, int part>
const isa_rows& compiled_rows();

struct compiled_part {
  target isa;
  scalar_type type;
  const isa_rows& (*rows)();
};

/// The parts of this build, in compiled_parts.cpp: by instruction set, narrow ones first, then by type and part.
std::vector<compiled_part> compiled_parts();

/// The length of SVE's vectors in this process; 0 without SVE. In builds that have a set of it.
int sve_bits();

/// The rows of all parts in their original order: the first of each part, the second of each, ...
template <class Row>
std::vector<Row> dealt_back(const std::vector<std::span<const Row>>& parts) {
  std::vector<Row> all;
  for (std::size_t i = 0; !parts.empty() && i < parts.front().size(); ++i)
    for (const std::span<const Row>& part : parts)
      if (i < part.size()) all.push_back(part[i]);
  return all;
}

}  // namespace tessera::detail
