// SPDX-License-Identifier: BSD-3-Clause
// Strided boxes: differences of addresses are sums of strides, searched from the largest stride down.
#include "strided_boxes.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::detail {

namespace {

// Sums up to this can be added and subtracted without overflow of 63 bits.
constexpr index_t far = index_t{1} << 61;

// Bytes from the first entry's start to the last one's. False where they, or an entry's, are 2^61 or more.
bool reach_of(const strided_box& a, index_t* reach) {
  *reach = 0;
  for (int d = 0; d < a.rank; ++d) {
    index_t along = 0;
    if (__builtin_mul_overflow(a.stride[d], a.extent[d] - 1, &along) || along >= far || (*reach += along) >= far)
      return false;
  }
  return a.width < far;
}

}  // namespace

bool strided_box::is_empty() const {
  return width <= 0 || std::any_of(extent, extent + rank, [](index_t e) { return e <= 0; });
}

void strided_sums::add(index_t stride, index_t extent) {
  if (stride > 0 && extent > 1) terms_[count_++] = {stride, extent};
}

void strided_sums::prepare(index_t window) {
  window_ = window;
  std::sort(terms_, terms_ + count_, [](const term& a, const term& b) { return a.stride > b.stride; });
  index_t reach = window_;
  for (int i = 0; i < count_; ++i) {
    index_t along = 0;
    too_far_ = too_far_ || __builtin_mul_overflow(terms_[i].stride, terms_[i].extent - 1, &along) || along >= far ||
               (reach += along) >= far;
  }
  if (too_far_) return;
  merge();
  absorb();
  reach_[count_] = divisor_[count_] = 0;
  for (int i = count_ - 1; i >= 0; --i) {
    reach_[i] = reach_[i + 1] + terms_[i].stride * (terms_[i].extent - 1);
    divisor_[i] = std::gcd(divisor_[i + 1], terms_[i].stride);
  }
}

// Two terms are merged if the larger stride is a multiple of the smaller, with no gap between its steps.
void strided_sums::merge() {
  for (int small = count_ - 1; small > 0; --small)
    for (int large = small - 1; large >= 0; --large) {
      term &a = terms_[small], &b = terms_[large];
      if (b.stride % a.stride != 0 || b.stride / a.stride > a.extent) continue;
      a.extent += b.stride / a.stride * (b.extent - 1);
      std::copy(terms_ + large + 1, terms_ + count_, terms_ + large);
      --count_, --small;
    }
}

// Steps no longer than the window make it a longer window.
void strided_sums::absorb() {
  for (; count_ > 0 && terms_[count_ - 1].stride <= window_; --count_) {
    const index_t along = terms_[count_ - 1].stride * (terms_[count_ - 1].extent - 1);
    window_ += along;
    absorbed_ += along;
  }
}

bool strided_sums::meet(index_t low) const {
  if (too_far_) return true;
  if (low >= far || low <= -far) return false;  // no sum is that large, none is negative, and no window is that long
  int steps = 0;
  return search(0, low - absorbed_, low - absorbed_ + window_ - 1, steps);
}

bool strided_sums::search(int from, index_t low, index_t high, int& steps) const {
  const index_t reach = reach_[from];
  if (high < 0 || low > reach) return false;
  if (low <= 0 || high >= reach) return true;  // 0 is a sum, and so is the largest
  if (high / divisor_[from] * divisor_[from] < low) return false;
  if (from + 1 == count_) return true;  // the window has a multiple of the only stride left
  const auto [stride, extent] = terms_[from];
  const index_t rest = reach_[from + 1];
  const index_t first = low <= rest ? 0 : (low - rest + stride - 1) / stride;
  const index_t last = std::min(high / stride, extent - 1);
  for (index_t z = last; z >= first; --z)
    if (++steps > most_steps || search(from + 1, low - z * stride, high - z * stride, steps)) return true;
  return false;
}

box_pair::box_pair(const strided_box& a, const strided_box& b)
    : is_empty_(a.is_empty() || b.is_empty()), width_of_a_(a.width), width_of_b_(b.width) {
  if (is_empty_) return;
  too_far_ = !reach_of(a, &reach_of_a_) || !reach_of(b, &reach_of_b_);
  if (too_far_) return;
  // An entry of a less one of b is a sum of a's strides and, counted back from b's last entry, of b's.
  for (int d = 0; d < a.rank; ++d) sums_.add(a.stride[d], a.extent[d]);
  for (int d = 0; d < b.rank; ++d) sums_.add(b.stride[d], b.extent[d]);
  sums_.prepare(width_of_a_ + width_of_b_ - 1);
}

bool box_pair::meet(index_t distance) const {
  if (is_empty_ || too_far_) return too_far_;
  if (distance >= reach_of_a_ + width_of_a_ || distance <= -(reach_of_b_ + width_of_b_)) return false;
  return sums_.meet(distance + reach_of_b_ - (width_of_a_ - 1));
}

bool meet(const strided_box& a, const strided_box& b) { return box_pair(a, b).meet(index_t(b.start - a.start)); }

bool hits_itself(const strided_box& a) {
  if (a.is_empty()) return false;
  strided_box by_stride = a;  // the largest first; those of extent 1 left out
  by_stride.rank = 0;
  index_t entries = 1;
  bool many = false;
  for (int d = 0; d < a.rank; ++d) {
    if (a.extent[d] == 1) continue;
    if (a.stride[d] == 0) return true;
    many = many || __builtin_mul_overflow(entries, a.extent[d], &entries);
    int at = by_stride.rank++;
    for (; at > 0 && by_stride.stride[at - 1] < a.stride[d]; --at) {
      by_stride.stride[at] = by_stride.stride[at - 1];
      by_stride.extent[at] = by_stride.extent[at - 1];
    }
    by_stride.stride[at] = a.stride[d];
    by_stride.extent[at] = a.extent[d];
  }
  // Nested strides: each is larger than all smaller terms reach.
  index_t below = a.width;
  bool nested = true;
  for (int d = by_stride.rank - 1; d >= 0 && nested; --d) {
    index_t along = 0;
    nested = by_stride.stride[d] >= below &&
             !__builtin_mul_overflow(by_stride.stride[d], by_stride.extent[d] - 1, &along) &&
             !__builtin_add_overflow(below, along, &below);
  }
  if (nested) return false;
  index_t reach = 0, bytes = 0;
  if (!reach_of(a, &reach)) return true;
  if (many || __builtin_mul_overflow(entries, a.width, &bytes) || bytes > reach + a.width) return true;
  // Two entries less than a width apart differ first in some d, by 1 or more: the rest differs by anything.
  for (int d = 0; d < by_stride.rank; ++d) {
    reach -= by_stride.stride[d] * (by_stride.extent[d] - 1);
    if (by_stride.stride[d] > reach + a.width - 1) continue;
    strided_sums sums;
    sums.add(by_stride.stride[d], by_stride.extent[d] - 1);
    for (int rest = d + 1; rest < by_stride.rank; ++rest)
      sums.add(by_stride.stride[rest], 2 * by_stride.extent[rest] - 1);
    sums.prepare(2 * a.width - 1);
    if (sums.meet(reach - by_stride.stride[d] - (a.width - 1))) return true;
  }
  return false;
}

}  // namespace tessera::detail
