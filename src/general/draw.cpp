// SPDX-License-Identifier: BSD-3-Clause
// Random boxes and warps, and what of them fits.
#include <algorithm>
#include <random>
#include <set>

#include <tessera/detail/general_draw.hpp>

#include "boxes.hpp"

namespace tessera::detail {

namespace {

constexpr double most_draws = 2e6, draws_of_one = 20000;  // in all; for one more tile
constexpr index_t of_two_blocks = 110 * 1024;             // bytes

// 4, 8, 12 and 16 warps, in every arrangement.
struct warp_shape {
  int down, across;
};
std::vector<warp_shape> warp_shapes() {
  std::vector<warp_shape> all;
  for (const int warps : {4, 8, 12, 16})
    for (int down = 1; down <= warps; ++down)
      if (warps % down == 0) all.push_back({down, warps / down});
  return all;
}

using generator = std::mt19937_64;

std::size_t below(std::size_t end, generator& random) { return std::size_t(random() % end); }

struct sizes_of_digits {
  std::vector<int> at[max_rank];
};
sizes_of_digits sizes_of(const general_digits& digits) {
  sizes_of_digits sizes;
  for (int i = 0; i < digits.count; ++i) sizes.at[i] = box_sizes_of(digits.at[i].extent);
  return sizes;
}

// Whether the product is at most `most`.
bool draw_box(const general_digits& digits, const sizes_of_digits& from, index_t most, int (&box)[max_rank],
              generator& random) {
  index_t product = 1;
  for (int i = 0; i < digits.count; ++i) {
    box[i] = from.at[i][below(from.at[i].size(), random)];
    product = std::min<index_t>(product * box[i], 1 << 30);
  }
  return product <= most;
}

// Sets the tile's stages.
bool fits_in(general_tile& tile, const general_form& form, const kind_facts& kind, const gpu_rates& gpu) {
  general_work work = work_of(tile, form, kind);
  if (index_t(work.down()) * work.across() * kind.sum_bytes > index_t(most_of_warp) * work.warps()) return false;
  work.stages = int(std::clamp<index_t>(work.steps, 2, 4));
  while (work.stages > 2 && shared_bytes_of(work, kind) > of_two_blocks) --work.stages;
  tile.stages = work.stages;
  return blocks_together(work, kind, gpu) > 0;
}

}  // namespace

double number_of_combinations(const general_form& form) {
  return 2 * double(warp_shapes().size()) * number_of_boxes(form.rows) * number_of_boxes(form.cols) *
         number_of_boxes(form.inner);
}

drawn_tiles draw_tiles(const general_form& form, const general_kind& kind, const gpu_rates& gpu, std::size_t count,
                       std::uint64_t seed) {
  const kind_facts facts = facts_of(kind, gpu);
  generator random(seed);
  const std::vector<warp_shape> shapes = warp_shapes();
  const sizes_of_digits rows = sizes_of(form.rows), cols = sizes_of(form.cols), inner = sizes_of(form.inner);
  std::set<std::string> known;
  drawn_tiles drawn;
  for (double since = 0; drawn.found.size() < count && drawn.draws < most_draws && since < draws_of_one; ++since) {
    ++drawn.draws;
    general_tile tile;
    const warp_shape& warps = shapes[below(shapes.size(), random)];
    tile.warps_down = warps.down;
    tile.warps_across = warps.across;
    tile.exchanged = below(2, random) == 1;
    const bool has_rows = draw_box(form.rows, rows, most_lines(kind.by), tile.rows, random),
               has_cols = draw_box(form.cols, cols, most_lines(kind.by), tile.cols, random),
               has_inner = draw_box(form.inner, inner, most_inner, tile.inner, random);
    if (!has_rows || !has_cols || !has_inner || !fits_in(tile, form, facts, gpu)) continue;
    ++drawn.fitting;
    if (!known.insert(text_of(tile, form)).second) continue;
    drawn.found.push_back(tile);
    since = 0;
  }
  return drawn;
}

}  // namespace tessera::detail
