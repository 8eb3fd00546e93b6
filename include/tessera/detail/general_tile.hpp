// SPDX-License-Identifier: BSD-3-Clause
// How a block of a GPU works on a general contraction: a box of rows, columns and inner indices, and who does what.
#pragma once

#include <algorithm>
#include <string>

#include <tessera/core/general.hpp>
#include <tessera/detail/general_kind.hpp>

namespace tessera::detail {

/// Blocks that share a sum: those of a cluster, which GPUs have from compute capability 9.0 on, or of the whole GPU.
inline constexpr int most_of_cluster = 8, most_parts_of_sum = 4096, clusters_since = 90;

/// Boxes are in the digits of a general_form, in its order; the box of a digit is at most its extent. Rows and columns
/// of the tensor cores' instruction are 16 and 8: `exchanged` puts the form's columns on the side of 16.
struct general_tile {
  bool exchanged = false;
  int rows[max_rank]{}, cols[max_rank]{}, inner[max_rank]{};
  int warps_down = 2, warps_across = 2;  // on the sides of 16 and of 8
  int stages = 3;                        // of the pipeline from memory to shared memory; 1: none
  int splits = 1;  // blocks that share a tile's sum: up to most_of_cluster a cluster; more by a workspace
  int panel = 0;   // boxes of the side that is farther in the output, of tiles that run together

  constexpr int threads() const { return 32 * warps_down * warps_across; }
  /// Blocks write their parts to memory, where a second kernel adds them up.
  constexpr bool has_parts() const { return splits > most_of_cluster; }
};

/// Entries of the box.
constexpr int size_of_box(const int (&box)[max_rank], const general_digits& of) {
  int product = 1;
  for (int i = 0; i < of.count; ++i) product *= box[i];
  return product;
}
/// Boxes that cover the digits.
constexpr index_t boxes_of(const int (&box)[max_rank], const general_digits& of) {
  index_t product = 1;
  for (int i = 0; i < of.count; ++i) product *= (of.at[i].extent + box[i] - 1) / box[i];
  return product;
}

/// Entries of the block's tile that its warps are for: the box, filled up to whole instructions for each warp.
constexpr int padded(int box, int warps, int instruction) {
  const int whole = warps * instruction;
  return (box + whole - 1) / whole * whole;
}

/// Of what multiples of rows and columns a warp computes: an instruction of tensor cores, or the threads of a warp, so
/// many below each other and so many side by side. 1 x 1: every thread has all of them, and a 32nd of the sum.
struct warp_unit {
  int down = 16, across = 8;

  constexpr bool shares_sum() const { return down * across == 1; }
};

/// Entries of the box of a block of one warp whose threads share the sum, at most; and lanes of a warp.
inline constexpr int most_of_shared_sum = 64, lanes_of_sum = 32;
/// Whether a product has so few results that the lanes of a warp may share each of its sums.
constexpr bool has_shared_sums(const general_form& form) {
  return form.rows.size() <= most_of_shared_sum / std::max<index_t>(1, form.cols.size());
}
/// Blocks of a multiprocessor that a kernel is made for, at most.
inline constexpr int most_blocks_together = 16;
/// Where sums have parts in a workspace: threads of the second kernel's blocks that add up the parts of one sum,
/// `owners` being the threads of a block of the first kernel that have sums of their own.
constexpr int groups_of_parts(int owners) { return owners < 512 ? 512 / owners : 1; }

/// Threads of multiply-adds have as square a part of the box as can be, little of it beyond the box. For each entry of
/// the sum they read a line for each row and each column that they have, 128 bytes a warp for a float, whether or not
/// threads read the same; at a multiprocessor's rates a read takes as long as four multiply-adds of a warp. A single
/// warp for a small box shares the sum instead: few threads would have entries of their own.
constexpr warp_unit unit_of(general_by by, int box_down, int warps_down, int box_across, int warps_across) {
  if (by != general_by::fma) return {};
  if (warps_down * warps_across == 1 && box_down * box_across <= most_of_shared_sum) return {1, 1};
  constexpr index_t reads = 4;
  constexpr warp_unit all[] = {{8, 4}, {4, 8}, {2, 16}, {16, 2}};
  warp_unit best = all[0];
  index_t least = 0;
  for (const warp_unit& unit : all) {
    const index_t rows = padded(box_down, warps_down, unit.down) / warps_down / unit.down,
                  cols = padded(box_across, warps_across, unit.across) / warps_across / unit.across;
    const index_t time = rows * cols + reads * (rows + cols);
    if (least != 0 && time >= least) continue;
    least = time;
    best = unit;
  }
  return best;
}

/// "rows 24x4, columns 2x72, sum 1x8, 2x4 warps, 3 stages".
std::string text_of(const general_tile& tile, const general_form& of);

}  // namespace tessera::detail
