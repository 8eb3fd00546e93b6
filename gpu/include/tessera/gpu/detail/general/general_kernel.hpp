// SPDX-License-Identifier: BSD-3-Clause
// general_kernel: a general contraction on the current GPU, compiled for its sizes, strides and types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>
#include <tessera/gpu/detail/general/arguments.hpp>
#include <tessera/gpu/detail/general/general_source.hpp>

namespace tessera::device {

class loaded_code;

/// The oldest GPU for a kind and a tile, as 10 times major plus minor of the compute capability: in double tensor cores
/// have the instruction from 9.0 on, and there are clusters of blocks that share a sum; the rest needs asynchronous
/// copies.
constexpr int least_architecture(const tessera::detail::general_kind& kind,
                                 const tessera::detail::general_tile& tile = {}) {
  const bool is_in_cluster = tile.splits > 1 && !tile.has_parts();
  return std::max(kind.by == tessera::detail::general_by::mma_f64 ? 90 : 80,
                  is_in_cluster ? tessera::detail::clusters_since : 0);
}
/// Whether the current GPU has what the kind needs.
bool has_general_kernel(const tessera::detail::general_kind& kind);

/// Device memory at a multiple of 16 bytes.
struct kernel_workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
};

class general_kernel {
 public:
  /// Of extents from 1 on. Compiles it or finds it on disk; throws as ready_code does, status::no_target for a GPU that
  /// is too old, and status::overflow for extents beyond 32 bits. The code is this object's and its copies' own.
  general_kernel(const general_form& form, const tessera::detail::general_kind& kind,
                 const tessera::detail::general_tile& tile);

  /// Queues it for `batch` tensors; beta is 0 unless the kernel has an addend. Of a tile with parts of sums `workspace`
  /// is device memory of at least workspace_bytes(1); what a larger batch lacks of it is done one part after the other.
  void run(const general_arguments& of, index_t batch, void* stream, kernel_workspace workspace = {}) const;
  /// That lets `batch` tensors run together, but at most most_workspace_of_sum unless one needs more. 0: none is
  /// needed.
  std::size_t workspace_bytes(index_t batch) const;
  /// "general f64 by tensor cores (rows 24x4, columns 2x72, sum 8, 2x4 warps, 4 stages)".
  const std::string& name() const { return name_; }
  const tessera::detail::general_tile& tile() const { return tile_; }
  /// Of machine code.
  std::uint64_t code_bytes() const { return code_bytes_; }

 private:
  struct launch {
    std::size_t kernel;
    index_t blocks, group;  // blocks of a group, which share a sum, are of one launch
    int threads, shared_bytes;
  };
  void queue(general_arguments& now, const launch& what, void* stream) const;
  void run_in_parts(general_arguments& now, bool aligned, index_t batch, void* stream,
                    const kernel_workspace& workspace) const;

  std::string name_;
  tessera::detail::general_tile tile_;
  std::shared_ptr<const loaded_code> code_;
  std::uint64_t code_bytes_ = 0;
  bool has_addend_, has_own_addend_;
  int bytes_left_, bytes_right_, bytes_addend_, bytes_out_;
  int threads_, shared_bytes_;
  adding_launch adding_;
  index_t part_bytes_;        // of one tensor
  index_t tiles_, resident_;  // of one tensor; blocks that the GPU holds
};

}  // namespace tessera::device
