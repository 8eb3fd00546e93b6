// SPDX-License-Identifier: BSD-3-Clause
// Times compiled GPU rows over device memory beyond the L2 cache, or inside of it, between events.
#pragma once

#include <cstddef>

#include <tessera/detail/element/jit_element.hpp>
#include <tessera/detail/element/jit_matrix.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/memory.hpp>

#include "tuning_case.hpp"

namespace tessera::tune {

/// The total bytes of a case's operands.
std::size_t operand_bytes_on_gpu(memory_regime in);

class gpu_timing_ground {
 public:
  /// Operands for every case of a type. Throws status::out_of_memory if the device has less than 2 GiB free.
  explicit gpu_timing_ground(scalar_type type);

  /// Seconds of one product, the geometric mean of C = A B and C += A B, each sampled for at least `least` seconds.
  double sample(const jit_kernel& kernel, const tuning_case& c, double least);
  /// Seconds per element, from memory.
  double sample(const jit_element_kernel& kernel, const tuning_case& c, double least);
  double sample(const jit_matrix_kernel& kernel, const tuning_case& c, double least);

 private:
  scalar_type type_;
  buffer inputs_, out_;
};

}  // namespace tessera::tune
