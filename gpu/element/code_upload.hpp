// SPDX-License-Identifier: BSD-3-Clause
// Lists of numbers and codes on the way to device memory, all as wide as the widest.
#pragma once

#include <cstdint>
#include <vector>

#include <tessera/gpu/detail/upload.hpp>

#include "src/element/l_vector_lists.hpp"

namespace tessera::detail {

buffer uploaded_codes(const std::vector<index_t>& from, bool wide);
buffer uploaded_codes(const code_list& from, bool wide);

/// run(a number as wide as the lists').
template <class Run>
void as_wide(bool wide, const Run& run) {
  wide ? run(std::uint64_t()) : run(std::uint32_t());
}

}  // namespace tessera::detail
