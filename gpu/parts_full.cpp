// SPDX-License-Identifier: BSD-3-Clause
// The rows of a full build: all parts of the record list, TESSERA_PARTS of them.
#include "gemm_rows.hpp"

#include <utility>

#include <tessera/detail/gpu_records.hpp>

namespace tessera::device {

static_assert(gpu_gemm_record_count <= TESSERA_PARTS * records_a_part, "gpu/CMakeLists.txt counts too few parts");

namespace {

template <int... Part>
std::span<const std::span<const compiled_row>> all_parts(std::integer_sequence<int, Part...>) {
  static const std::span<const compiled_row> parts[] = {rows_of_part<Part>()...};
  return parts;
}

}  // namespace

std::span<const std::span<const compiled_row>> compiled_parts() {
  return all_parts(std::make_integer_sequence<int, TESSERA_PARTS>());
}

}  // namespace tessera::device
