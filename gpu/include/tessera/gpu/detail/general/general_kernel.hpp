// SPDX-License-Identifier: BSD-3-Clause
// general_kernel: a general contraction on the current GPU, compiled for its sizes and strides.
#pragma once

#include <string>

#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>
#include <tessera/gpu/detail/general/arguments.hpp>

namespace tessera::device {

class loaded_code;

/// The oldest GPU with its instructions, as 10 times major plus minor of the compute capability.
inline constexpr int least_general_architecture = 90;

/// Whether there is a kernel of that kind for the current GPU.
bool has_general_kernel(const tessera::detail::general_kind& kind);

class general_kernel {
 public:
  /// Of extents from 1 on. Compiles it or finds it in the caches; throws as ready_code does, status::no_target for a
  /// GPU without tensor cores for it, and status::overflow for extents beyond 32 bits.
  general_kernel(const general_form& form, const tessera::detail::general_kind& kind,
                 const tessera::detail::general_tile& tile);

  /// Queues it for `batch` tensors; beta is 0 unless the kernel reads the output.
  void run(const general_arguments& of, index_t batch, void* stream) const;
  /// "general f64 by tensor cores (rows 24x4, columns 2x72, sum 8, 2x4 warps, 4 stages)".
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  const loaded_code* code_;
  bool exchanged_, reads_out_;
  int threads_, shared_bytes_;
  index_t blocks_;
  int splits_;
};

}  // namespace tessera::device
