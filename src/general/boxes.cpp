// SPDX-License-Identifier: BSD-3-Clause
// Boxes of one list of digits: all of them, and those that are worth a try.
#include "boxes.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace tessera::detail {

namespace {

constexpr int box_sizes[] = {1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 32, 36, 48, 64, 72, 80, 96, 104, 128, 144, 160, 192};

// Calls f with each size of a digit's box, at most `most`: those of the list, and the whole extent.
template <class F>
void for_each_size(index_t extent, int most, F f) {
  for (const int size : box_sizes)
    if (size < extent && size <= most) f(size);
  if (extent <= most) f(int(std::max<index_t>(1, extent)));
}

struct box_list {
  const general_digits& of;
  bool is_cut[max_rank];  // digits of which every size is tried
  std::size_t limit;
  std::vector<digit_box> boxes{};

  void append(int from, int most, const digit_box& box) {
    if (boxes.size() > limit) return;
    if (from == of.count) {
      boxes.push_back(box);
      return;
    }
    const index_t extent = of.at[from].extent;
    for_each_size(extent, most / box.size, [&](int size) {
      if (!is_cut[from] && size > 1 && size < extent) return;
      digit_box next = box;
      next.at[from] = size;
      next.size *= size;
      next.count *= (extent + size - 1) / size;
      append(from + 1, most, next);
    });
  }
};

int nearest_in(const general_digits& of, index_t general_digit::*tensor) {
  int nearest = 0;
  for (int i = 1; i < of.count; ++i)
    if (std::abs(of.at[i].*tensor) < std::abs(of.at[nearest].*tensor)) nearest = i;
  return nearest;
}

}  // namespace

std::vector<int> box_sizes_of(index_t extent) {
  std::vector<int> sizes;
  for_each_size(extent, std::numeric_limits<int>::max(), [&](int size) { sizes.push_back(size); });
  return sizes;
}

double number_of_boxes(const general_digits& of) {
  double product = 1;
  for (int i = 0; i < of.count; ++i) product *= double(box_sizes_of(of.at[i].extent).size());
  return product;
}

std::vector<digit_box> boxes_up_to(const general_digits& of, int most, index_t general_digit::*input) {
  constexpr std::size_t most_boxes = 4000;
  box_list list{.of = of, .is_cut = {}, .limit = most_boxes};
  std::fill_n(list.is_cut, of.count, true);
  const int kept = nearest_in(of, input);
  for (int farthest = of.count - 1;; --farthest) {
    list.boxes.clear();
    list.append(0, most, {});
    if (list.boxes.size() <= list.limit || farthest < 0) return list.boxes;
    list.is_cut[farthest] = farthest == kept;
  }
}

std::vector<digit_box> useful_boxes(const std::vector<digit_box>& boxes, const std::vector<box_worth>& worth,
                                    int instruction) {
  constexpr double nearly = 1.02;
  std::vector<std::size_t> order(boxes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto sum = [&](std::size_t i) { return worth[i].covered + worth[i].first + worth[i].second; };
  const auto filled = [&](std::size_t i) { return (boxes[i].size + instruction - 1) / instruction; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return filled(a) != filled(b) ? filled(a) < filled(b) : sum(a) < sum(b);
  });
  std::vector<digit_box> kept;
  std::vector<std::size_t> alike;
  for (const std::size_t i : order) {
    if (!alike.empty() && filled(alike.front()) != filled(i)) alike.clear();
    const bool beaten = std::any_of(alike.begin(), alike.end(), [&](std::size_t other) {
      return worth[other].covered <= nearly * worth[i].covered && worth[other].first <= nearly * worth[i].first &&
             worth[other].second <= nearly * worth[i].second;
    });
    if (beaten) continue;
    alike.push_back(i);
    kept.push_back(boxes[i]);
  }
  return kept;
}

}  // namespace tessera::detail
