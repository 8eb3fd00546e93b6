// SPDX-License-Identifier: BSD-3-Clause
// Forms in records: their texts, what fits them, and how near two of them are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <tessera/detail/general_records.hpp>

namespace tessera::detail {

namespace {

using stride_in = index_t general_digit::*;

std::string text_of_list(const general_digits& list, std::initializer_list<stride_in> tensors) {
  if (list.count == 0) return "1";
  std::string text;
  for (int i = 0; i < list.count; ++i) {
    text += (i > 0 ? " " : "") + std::to_string(list.at[i].extent);
    for (const stride_in tensor : tensors) text += ":" + std::to_string(list.at[i].*tensor);
  }
  return text;
}

std::string fault_of_boxes(const int (&box)[max_rank], const general_digits& of) {
  constexpr index_t most = 1 << 16;  // more than any block holds
  index_t product = 1;
  for (int i = 0; i < of.count; ++i) {
    if (box[i] < 1 || box[i] > of.at[i].extent)
      return "a box of " + std::to_string(box[i]) + " in a digit of " + std::to_string(of.at[i].extent);
    product = std::min(product, most) * box[i];
  }
  return product <= most ? "" : "a box of more than " + std::to_string(most) + " entries";
}

// The distance of two strides in a tensor as -1, 0, 1.
int order_of(index_t a, index_t b) {
  const index_t of_a = std::abs(a), of_b = std::abs(b);
  return int(of_a > of_b) - int(of_a < of_b);
}

std::vector<general_digit> digits_of(const general_form& form) {
  std::vector<general_digit> all;
  for (const general_digits* list : {&form.rows, &form.cols, &form.inner, &form.batch})
    all.insert(all.end(), list->at, list->at + list->count);
  return all;
}

bool is_laid_out_alike(const std::vector<general_digit>& a, const std::vector<general_digit>& b) {
  for (const stride_in tensor : {&general_digit::left, &general_digit::right, &general_digit::out})
    for (std::size_t i = 0; i < a.size(); ++i) {
      const index_t of_a = std::abs(a[i].*tensor), of_b = std::abs(b[i].*tensor);
      if ((of_a == 0) != (of_b == 0) || (of_a == 1) != (of_b == 1)) return false;
      for (std::size_t j = 0; j < i; ++j)
        if (order_of(a[i].*tensor, a[j].*tensor) != order_of(b[i].*tensor, b[j].*tensor)) return false;
    }
  return true;
}

void clip(int (&box)[max_rank], const general_digits& of) {
  for (int i = 0; i < of.count; ++i) box[i] = int(std::clamp<index_t>(of.at[i].extent, 1, std::max(1, box[i])));
}

}  // namespace

std::string text_of(const general_form& form) {
  constexpr stride_in left = &general_digit::left, right = &general_digit::right, out = &general_digit::out;
  return "rows " + text_of_list(form.rows, {left, out}) + ", columns " + text_of_list(form.cols, {right, out}) +
         ", sum " + text_of_list(form.inner, {left, right}) + ", batch " + text_of_list(form.batch, {left, right, out});
}

std::string why_no_tile(const general_tile& tile, const general_form& form) {
  constexpr int most_warps = 32, most_stages = 8, most_splits = most_parts_of_sum, most_boxes = 1 << 20;
  for (const std::string& fault : {fault_of_boxes(tile.rows, form.rows), fault_of_boxes(tile.cols, form.cols),
                                   fault_of_boxes(tile.inner, form.inner)})
    if (!fault.empty()) return fault;
  if (tile.warps_down < 1 || tile.warps_across < 1 || tile.warps_down > most_warps / tile.warps_across)
    return std::to_string(tile.warps_down) + "x" + std::to_string(tile.warps_across) + " warps, not 1 to " +
           std::to_string(most_warps);
  if (tile.stages < 1 || tile.stages > most_stages)
    return std::to_string(tile.stages) + " stages, not 1 to " + std::to_string(most_stages);
  if (tile.splits < 1 || tile.splits > most_splits)
    return std::to_string(tile.splits) + " splits, not 1 to " + std::to_string(most_splits);
  if (tile.panel < 0 || tile.panel > most_boxes)
    return "panels of " + std::to_string(tile.panel) + " boxes, not 0 (none) to " + std::to_string(most_boxes);
  return "";
}

double distance_between(const general_form& recorded, const general_form& wanted) {
  constexpr double different = std::numeric_limits<double>::infinity();
  const bool same_counts = recorded.rows.count == wanted.rows.count && recorded.cols.count == wanted.cols.count &&
                           recorded.inner.count == wanted.inner.count && recorded.batch.count == wanted.batch.count;
  if (!same_counts) return different;
  const std::vector<general_digit> a = digits_of(recorded), b = digits_of(wanted);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].extent < 1 || b[i].extent < 1) return different;
    sum += std::abs(std::log2(double(a[i].extent) / double(b[i].extent)));
  }
  return is_laid_out_alike(a, b) ? sum : different;
}

general_tile clipped(general_tile tile, const general_form& form) {
  clip(tile.rows, form.rows);
  clip(tile.cols, form.cols);
  clip(tile.inner, form.inner);
  return tile;
}

}  // namespace tessera::detail
