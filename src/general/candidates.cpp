// SPDX-License-Identifier: BSD-3-Clause
// Boxes of rows, columns and the sum are pruned each by itself; what combines well is costed with exact traffic.
#include <algorithm>
#include <array>
#include <limits>

#include <tessera/detail/general_candidates.hpp>

#include "boxes.hpp"

namespace tessera::detail {

namespace {

constexpr int most_beside = 256;       // lines of a box beside which others are judged
constexpr double most_covered = 1.35;  // entries of boxes, by those of their digits
constexpr double most_seconds = 1.5;   // by those of the best tile
constexpr int most_stages = 4;
constexpr int least_steps_of_part = 4;  // boxes of the sum of one of several blocks that share it
constexpr double worth_parts = 0.8;     // seconds with parts of sums in a workspace, by those without
constexpr int most_inner_shared = 128;  // entries of the sum of a box, where the lanes of a warp share it
constexpr int most_lines_of_warp = 64;  // that a matrix multiplies by multiply-adds: a part of the code for each

struct warp_grid {
  int down, across;
};
constexpr warp_grid warp_grids[] = {{1, 4}, {2, 2}, {4, 1}, {1, 8},  {2, 4},  {4, 2}, {8, 1}, {1, 12}, {2, 6},
                                    {3, 4}, {4, 3}, {6, 2}, {12, 1}, {1, 16}, {2, 8}, {4, 4}, {8, 2},  {16, 1}};

void copy_box(const digit_box& from, int (&to)[max_rank]) { std::copy_n(from.at, max_rank, to); }

general_tile tile_of(const digit_box& rows, const digit_box& cols, const digit_box& inner) {
  general_tile tile;
  copy_box(rows, tile.rows);
  copy_box(cols, tile.cols);
  copy_box(inner, tile.inner);
  return tile;
}

// Entries that a run of a tensor must have: a sector, or the whole digit that is contiguous.
index_t wanted_run(const boxed_digits& tensor, int bytes) {
  for (int i = 0; i < tensor.count; ++i)
    if (tensor.at[i].stride == 1 || tensor.at[i].stride == -1)
      return std::min<index_t>(sector_bytes / bytes, tensor.at[i].extent);
  return 1;
}

// A digit_box whose digits are all 1, and one with all of them whole.
digit_box single(const general_digits& of) {
  digit_box box;
  for (int i = 0; i < of.count; ++i) box.at[i] = 1;
  box.count = of.size();
  return box;
}
digit_box whole(const general_digits& of) {
  digit_box box;
  for (int i = 0; i < of.count; ++i) box.at[i] = int(std::clamp<index_t>(of.at[i].extent, 1, most_beside));
  return box;
}

double bytes_of(const boxed_digits& tensor, int bytes) {
  const traffic t = traffic_of(tensor, bytes);
  return double(t.sectors) + 4 * double(t.lines);
}

// What two lists of boxes read or write together.
struct traffic_table {
  std::size_t width = 0;
  std::vector<traffic> at;
  std::vector<char> runs_well;

  std::size_t place(std::size_t i, std::size_t j) const { return i * width + j; }
};
template <class F>
traffic_table table_of(const std::vector<digit_box>& first, const std::vector<digit_box>& second, int bytes,
                       F tensor_of) {
  traffic_table table{.width = second.size(), .at = {}, .runs_well = {}};
  for (const digit_box& a : first)
    for (const digit_box& b : second) {
      const boxed_digits tensor = tensor_of(a, b);
      table.at.push_back(traffic_of(tensor, bytes));
      table.runs_well.push_back(char(run_of(tensor) >= wanted_run(tensor, bytes)));
    }
  return table;
}

class search {
 public:
  search(const general_form& form, const general_kind& kind, const gpu_rates& gpu)
      : form_(form), gpu_(gpu), kind_(facts_of(kind, gpu)), second_(kind.second) {
    rows_ = choose(form.rows, most_lines(kind.by), 8, &general_digit::left, [&](const digit_box& rows, bool all) {
      const general_tile tile = tile_of(rows, partner(form.cols, all), partner(form.inner, all));
      return box_worth{0, bytes_of(left_of(tile, form), kind_.left_bytes),
                       bytes_of(out_of(tile, form), kind_.out_bytes)};
    });
    cols_ = choose(form.cols, most_lines(kind.by), 8, &general_digit::right, [&](const digit_box& cols, bool all) {
      const general_tile tile = tile_of(partner(form.rows, all), cols, partner(form.inner, all));
      return box_worth{0, bytes_of(right_of(tile, form), kind_.right_bytes),
                       bytes_of(out_of(tile, form), kind_.out_bytes)};
    });
    inner_ = choose(form.inner, may_share_sum(form) ? most_inner_shared : most_inner, instruction_of_sum(),
                    &general_digit::right, [&](const digit_box& inner, bool all) {
                      const general_tile tile = tile_of(partner(form.rows, all), partner(form.cols, all), inner);
                      return box_worth{0, bytes_of(left_of(tile, form), kind_.left_bytes),
                                       bytes_of(right_of(tile, form), kind_.right_bytes)};
                    });
    left_ = table_of(rows_, inner_, kind_.left_bytes, [&](const digit_box& rows, const digit_box& inner) {
      return left_of(tile_of(rows, single(form.cols), inner), form);
    });
    right_ = table_of(cols_, inner_, kind_.right_bytes, [&](const digit_box& cols, const digit_box& inner) {
      return right_of(tile_of(single(form.rows), cols, inner), form);
    });
    out_ = table_of(rows_, cols_, kind_.out_bytes, [&](const digit_box& rows, const digit_box& cols) {
      return out_of(tile_of(rows, cols, single(form.inner)), form);
    });
    result_.enumerated = 2 * double(std::size(warp_grids)) * number_of_boxes(form.rows) * number_of_boxes(form.cols) *
                         number_of_boxes(form.inner);
  }

  general_candidates run() {
    combine(true);
    if (result_.found.empty()) {
      result_.by_hardware = tried_ = 0;
      combine(false);
    }
    std::stable_sort(
        result_.found.begin(), result_.found.end(),
        [](const general_candidate& a, const general_candidate& b) { return a.costs.seconds < b.costs.seconds; });
    const double limit = most_seconds * best_;
    std::erase_if(result_.found, [&](const general_candidate& c) { return c.costs.seconds > limit; });
    result_.by_rules = result_.enumerated - tried_;
    result_.by_model = tried_ - result_.by_hardware - double(result_.found.size());
    return std::move(result_);
  }

 private:
  // Lanes of a warp have all lines then, and parts of the sum.
  bool may_share_sum(const general_form& form) const {
    return kind_.by == general_by::fma && second_.extent == 0 && has_shared_sums(form);
  }

  int instruction_of_sum() const { return kind_.by == general_by::mma_16 ? 8 : 4; }

  // The box of the other list beside which a box is judged: runs that go on in it count, too.
  static digit_box partner(const general_digits& of, bool all) { return all ? whole(of) : single(of); }

  template <class F>
  std::vector<digit_box> choose(const general_digits& of, int most, int instruction, index_t general_digit::*input,
                                F worth_of) {
    std::vector<digit_box> boxes = boxes_up_to(of, most, input);
    if (second_.extent > 0 && &of == &form_.cols)
      std::erase_if(boxes, [&](const digit_box& b) { return !suits_second(b); });
    const index_t size = of.size();
    const bool is_inner = &of == &form_.inner;
    const int least = int(std::min<index_t>(is_inner ? 8 : 16, size));
    const auto without = [&](auto is_bad) {
      std::vector<digit_box> rest = boxes;
      std::erase_if(rest, is_bad);
      if (!rest.empty()) boxes = std::move(rest);
    };
    if (is_inner) without([&](const digit_box& b) { return b.size % instruction != 0; });
    without([&](const digit_box& b) { return b.size < least; });
    without([&](const digit_box& b) { return double(b.count) * b.size > most_covered * double(size); });
    std::vector<box_worth> worth;
    for (const digit_box& b : boxes) {
      const box_worth alone = worth_of(b, false), beside = worth_of(b, true);
      const int filled = (b.size + instruction - 1) / instruction * instruction;
      worth.push_back({double(b.count) * filled, alone.first + beside.first, alone.second + beside.second});
    }
    return useful_boxes(boxes, worth, instruction);
  }

  // Of columns that a matrix multiplies, all in a box, which others fill without rest.
  bool suits_second(const digit_box& cols) const {
    for (int i = 0; i < form_.cols.count; ++i)
      if (form_.cols.at[i].extent % cols.at[i] != 0) return false;
    return cols.at[second_.digit] == second_.extent;
  }
  // Warps have whole vectors of them; tensor cores find them across, in tiles of 8.
  bool suits_second(const general_work& work) const {
    if (second_.extent == 0) return true;
    const int warps = work.exchanged ? work.warps_down : work.warps_across,
              lines = (work.exchanged ? work.down() : work.across()) / warps;
    if (warps > 1 && lines % second_.extent != 0) return false;
    if (kind_.by != general_by::fma) return !work.exchanged && second_.extent % 8 == 0;
    return lines <= std::max(most_lines_of_warp, second_.extent);
  }

  void combine(bool strictly) {
    std::vector<index_t> cut_rows, cut_cols;
    for (const digit_box& b : rows_) cut_rows.push_back(first_cut(b.at, form_.rows));
    for (const digit_box& b : cols_) cut_cols.push_back(first_cut(b.at, form_.cols));
    const bool rows_nearest = nearest(form_.rows) < nearest(form_.cols);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t c = 0; c < cols_.size(); ++c) {
        if (strictly && !out_.runs_well[out_.place(r, c)]) continue;
        for (std::size_t k = 0; k < inner_.size(); ++k) {
          if (strictly && !(left_.runs_well[left_.place(r, k)] && right_.runs_well[right_.place(c, k)])) continue;
          general_work work = work_at(r, c, k);
          for (const bool exchanged : {false, true}) {
            // Threads have entries side by side across. Those are to be nearest in the output where threads write
            // less than whole sectors otherwise.
            const bool writes_across = kind_.by == general_by::fma || kind_.out_bytes == 2;
            if (writes_across && exchanged != rows_nearest) continue;
            work.exchanged = exchanged;
            work.box_down = exchanged ? cols_[c].size : rows_[r].size;
            work.box_across = exchanged ? rows_[r].size : cols_[c].size;
            work.is_scattered = is_scattered(exchanged, rows_nearest, cut_rows[r], cut_cols[c]);
            for (const warp_grid& warps : warp_grids) try_warps(work, warps, exchanged, {r, c, k}, strictly);
            if (may_share_sum(form_)) try_warps(work, {1, 1}, exchanged, {r, c, k}, strictly);
          }
        }
      }
  }

  general_work work_at(std::size_t r, std::size_t c, std::size_t k) const {
    general_work work;
    work.left_repeats = cols_[c].count;
    work.right_repeats = rows_[r].count;
    work.tiles = cols_[c].count * rows_[r].count * form_.batch.size();
    work.steps = inner_[k].count;
    work.left = left_.at[left_.place(r, k)];
    work.right = right_.at[right_.place(c, k)];
    work.out = out_.at[out_.place(r, c)];
    work.out_entries = form_.rows.size() * form_.cols.size() * form_.batch.size();
    work.box_inner = inner_[k].size;
    work.rows_together = lines_together(rows_[r].at, form_.rows, &general_digit::left, kind_.left_bytes);
    work.cols_together = lines_together(cols_[c].at, form_.cols, &general_digit::right, kind_.right_bytes);
    return work;
  }

  struct boxes_at {
    std::size_t rows, cols, inner;
  };

  void try_warps(general_work work, const warp_grid& warps, bool exchanged, const boxes_at& at, bool strictly) {
    work.warps_down = warps.down;
    work.warps_across = warps.across;
    work.unit = unit_of(kind_.by, work.box_down, warps.down, work.box_across, warps.across);
    if (!suits_second(work)) return;
    const int down = work.down(), across = work.across(), entries = down * across;
    // Warps without work, unless there is none for them.
    const int least = padded(work.box_down, 1, work.unit.down) * padded(work.box_across, 1, work.unit.across);
    if (strictly && entries > most_covered * least && entries > 4 * work.unit.down * work.unit.across) return;
    ++tried_;
    if (entries * kind_.sum_bytes > most_of_warp * work.warps()) {
      ++result_.by_hardware;
      return;
    }
    work.stages = 2;
    const int together = blocks_together(work, kind_, gpu_);
    if (together == 0) {
      ++result_.by_hardware;
      return;
    }
    // As deep a pipeline as costs no block, of the boxes that a block goes through.
    const index_t of_block = work.steps * std::max<index_t>(1, work.tiles / (index_t(together) * gpu_.multiprocessors));
    while (work.stages < std::min<index_t>(of_block, most_stages)) {
      ++work.stages;
      if (blocks_together(work, kind_, gpu_) == together) continue;
      --work.stages;
      break;
    }
    general_costs costs = cost_of(work, kind_, gpu_);
    // Several blocks for a sum that is long, where there are fewer tiles than places for them.
    int splits = 1;
    for (work.splits = 2; work.splits <= gpu_.most_splits; work.splits *= 2) {
      if (work.tiles * work.splits > index_t(together) * gpu_.multiprocessors * 3 / 2) break;
      if (work.steps < index_t(least_steps_of_part) * work.splits) break;
      const general_costs with = cost_of(work, kind_, gpu_);
      if (with.seconds < costs.seconds) costs = with, splits = work.splits;
    }
    try_parts(work, together, costs, splits);
    if (costs.seconds > most_seconds * best_) return;
    best_ = std::min(best_, costs.seconds);
    general_tile tile = tile_of(rows_[at.rows], cols_[at.cols], inner_[at.inner]);
    tile.exchanged = exchanged;
    tile.warps_down = warps.down;
    tile.warps_across = warps.across;
    tile.stages = work.stages;
    tile.splits = splits;
    result_.found.push_back({tile, costs});
  }

  // Parts of the sum for as many blocks as the GPU holds, or for a half, a quarter, .. of them.
  void try_parts(general_work& work, int together, general_costs& costs, int& splits) const {
    const double limit = worth_parts * costs.seconds;
    for (int of_each = together; of_each >= 1 && gpu_.most_parts > 1; of_each /= 2) {
      work.splits = int(std::min<index_t>(
          {index_t(of_each) * gpu_.multiprocessors / work.tiles, work.steps / least_steps_of_part, gpu_.most_parts}));
      if (!work.has_parts()) continue;
      const general_costs with = cost_of(work, kind_, gpu_);
      if (with.seconds < limit && with.seconds < costs.seconds) costs = with, splits = work.splits;
    }
  }

  const general_form& form_;
  const gpu_rates& gpu_;
  const kind_facts kind_;
  const general_second second_;
  std::vector<digit_box> rows_, cols_, inner_;
  traffic_table left_, right_, out_;
  double best_ = std::numeric_limits<double>::infinity(), tried_ = 0;
  general_candidates result_;
};

}  // namespace

std::vector<general_candidate> different_ones(const general_candidates& from, const general_form& form,
                                              std::size_t count) {
  using shape = std::array<int, 4>;
  std::vector<shape> taken;
  std::vector<general_candidate> result;
  for (const general_candidate& c : from.found) {
    if (result.size() == count) break;
    const int rows = size_of_box(c.tile.rows, form.rows), cols = size_of_box(c.tile.cols, form.cols);
    const shape its{c.tile.exchanged, rows, cols, size_of_box(c.tile.inner, form.inner)};
    if (std::find(taken.begin(), taken.end(), its) != taken.end()) continue;
    taken.push_back(its);
    result.push_back(c);
  }
  return result;
}

general_candidates candidates_of(const general_form& form, const gpu_rates& gpu, const general_kind& kind) {
  return search(form, kind, gpu).run();
}

}  // namespace tessera::detail
