// SPDX-License-Identifier: BSD-3-Clause
// general_kernel: a general contraction on the current GPU, compiled for its sizes, strides and types.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>
#include <tessera/gpu/detail/general/arguments.hpp>

namespace tessera::device {

class loaded_code;

/// The oldest GPU for a kind and a tile, as 10 times major plus minor of the compute capability: in double tensor cores
/// have the instruction from 9.0 on, as do blocks that share a sum; the rest needs asynchronous copies.
int least_architecture(const tessera::detail::general_kind& kind, const tessera::detail::general_tile& tile);
/// Whether the current GPU has what the kind needs.
bool has_general_kernel(const tessera::detail::general_kind& kind);

class general_kernel {
 public:
  /// Of extents from 1 on. Compiles it or finds it on disk; throws as ready_code does, status::no_target for a GPU that
  /// is too old, and status::overflow for extents beyond 32 bits. The code is this object's and its copies' own.
  general_kernel(const general_form& form, const tessera::detail::general_kind& kind,
                 const tessera::detail::general_tile& tile);

  /// Queues it for `batch` tensors; beta is 0 unless the kernel has an addend.
  void run(const general_arguments& of, index_t batch, void* stream) const;
  /// "general f64 by tensor cores (rows 24x4, columns 2x72, sum 8, 2x4 warps, 4 stages)".
  const std::string& name() const { return name_; }
  const tessera::detail::general_tile& tile() const { return tile_; }
  /// Of machine code.
  std::uint64_t code_bytes() const { return code_bytes_; }

 private:
  std::string name_;
  tessera::detail::general_tile tile_;
  std::shared_ptr<const loaded_code> code_;
  std::uint64_t code_bytes_ = 0;
  bool has_addend_, has_own_addend_;
  int bytes_left_, bytes_right_, bytes_addend_, bytes_out_;
  int threads_, shared_bytes_;
  index_t tiles_, resident_;  // of one tensor; blocks that the GPU holds
};

}  // namespace tessera::device
