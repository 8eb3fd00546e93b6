// SPDX-License-Identifier: BSD-3-Clause
// The rows of a full build: all parts of the record list.
#include "rows.hpp"

#include <tessera/gpu_records.hpp>

namespace tessera::device {

static_assert(gpu_gemm_record_count <= 8 * records_a_part, "list the new parts here and in CMakeLists.txt");

std::span<const std::span<const compiled_row>> compiled_parts() {
  static const std::span<const compiled_row> parts[] = {rows_of_part<0>(), rows_of_part<1>(), rows_of_part<2>(),
                                                        rows_of_part<3>(), rows_of_part<4>(), rows_of_part<5>(),
                                                        rows_of_part<6>(), rows_of_part<7>()};
  return parts;
}

}  // namespace tessera::device
