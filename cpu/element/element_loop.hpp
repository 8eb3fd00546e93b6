// SPDX-License-Identifier: BSD-3-Clause
// Goes over the elements of an application block by block: gather x, get D, run the kernel, scatter y.
#pragma once

#include <algorithm>

#include <tessera/element/evaluation.hpp>

#include "block_source.hpp"
#include "cpu_operator.hpp"
#include "scratch.hpp"

namespace tessera::detail {

template <class T>
class element_loop {
 public:
  element_loop(const cpu_operator<T>& s, const element_set& which, const application<T>& a, const block_source<T>& D)
      : s_(s),
        which_(which),
        a_(a),
        D_(D),
        lanes_(s.lanes()),
        trial_(s.trial_size()),
        test_(s.test_size()),
        repeats_(s.repeats()) {
    first_block_ = which.listed ? 0 : which.first / lanes_;
    const index_t end = which.listed ? index_t(which.list.size()) : which.last;
    blocks_ = (end + lanes_ - 1) / lanes_ - first_block_;
    D_bytes_ = D.memory_bytes();
    x_bytes_ = trial_ * s.components * lanes_ * index_t(sizeof(T));
    x_together_ = a.sides == 1 && lies_together(a.x_layout, trial_, s.components);
    const bool y_together = lies_together(a.y_layout, test_, y_parts());
    const element_run run = s.runs.of(s.isa, bytes(), x_together_ && y_together && is_stored_as_x() && a.sides == 1);
    steps_ = s.steps() * repeats_ * a.sides;
    step_bytes_ = read_ahead::share_of((x_together_ ? x_bytes_ : 0) + D_bytes_, steps_);
    const bool close = run.near != 0 && !s.direct && !s.dense;
    near_ = close && run.near == 1;
    asks_ = run.asks;
    // Small blocks are done before memory answers.
    const index_t ahead = index_t(run.ahead) << 10;
    far_ = 1 + ahead / (D_bytes_ + x_bytes_);
    // Several applications read the same D, and take the first one's steps together.
    D_close_ = close && s.D_in_order && is_stored_as_x() && D_bytes_ > 0 && repeats_ * a.sides == 1;
    // By what the points use faster than it comes; where nothing is interpolated they take more of the time.
    D_far_ = ahead + D_bytes_ / (s.nodal && s.compiled_for_sizes ? 12 : 6);
    // Behind it D has no memory.
    ahead_end_ = which.listed || run.ahead == 0 ? 0 : D.elements() / lanes_ - first_block_;
    streams_ = y_together && !a.add && run.stream != 0;
    memory_ = places();
  }

  index_t blocks() const { return blocks_; }
  /// Entries of memory that run() takes.
  index_t scratch() const { return memory_.all; }

  void run(index_t first, index_t last, T* memory) const {
    T *const x = memory, *const y = x + memory_.y, *const kernel = x + memory_.kernel;
    T *const whole_y = x + memory_.whole_y, *const point = x + memory_.point;

    element_block<T> block{.x = x, .y = y, .scratch = kernel, .tables = &s_.tables, .function = s_.given_function()};
    for (index_t b = first; b < last; ++b) {
      const lane_elements lanes = lanes_of(b);
      block.D = D_.block(lanes, point);
      read_ahead ahead = ahead_of(b, std::min(last, ahead_end_));
      block.ahead = &ahead;
      const bool streams = streams_ && lanes.active == all_lanes();
      for (int side = 0; side < a_.sides; ++side) {
        T* const to = a_.y + side * a_.y_side;
        for (int c = 0; c < repeats_; ++c) {
          for (int i = 0; i < s_.trial_parts; ++i)
            s_.kernels->gather(starts(lanes, a_.x + side * a_.x_side, a_.x_layout, c * s_.trial_parts + i), trial_,
                               x + i * trial_ * lanes_);
          s_.function.run(block);
          for (int i = 0; i < s_.test_parts; ++i)
            s_.kernels->scatter(y + i * test_ * lanes_, test_,
                                streams ? starts_together(whole_y, c * s_.test_parts + i)
                                        : starts(lanes, to, a_.y_layout, c * s_.test_parts + i),
                                a_.add);
        }
        if (streams) s_.kernels->stream(whole_y, y_entries(), to + a_.y_layout.start(lanes.element[0]));
      }
    }
    if (streams_) s_.kernels->end_stream();
  }

 private:
  /// Where in the memory of a chunk what lies; x comes first.
  struct memory_places {
    index_t y, kernel, whole_y, point, all;
  };
  // The less memory a block has, the more of it stays in the first cache. The kernels of sums over lines need x no more
  // where y begins, and none needs its scratch memory when y is brought into the order of whole lines.
  memory_places places() const {
    const bool y_takes_place = !s_.direct && !s_.dense, lines_take_place = repeats_ == 1;
    const index_t x = aligned(trial_ * s_.trial_parts * lanes_), y = aligned(test_ * s_.test_parts * lanes_);
    const index_t room = y_takes_place ? std::max(x, y) : x + y;
    const index_t lines = streams_ ? aligned(y_entries()) : 0;
    const index_t work = std::max(aligned(s_.scratch * lanes_), lines_take_place ? lines : 0);
    const index_t point = room + work + (lines_take_place ? 0 : lines);
    return {y_takes_place ? 0 : x, room, lines_take_place ? room : room + work, point, point + D_.scratch()};
  }
  /// Whether elements one after the other, with all their components, are one piece of memory.
  bool lies_together(const element_layout& layout, index_t size, index_t parts) const {
    return !which_.listed && layout.entry == 1 && layout.lanes == 1 && layout.block == size * parts &&
           (parts == 1 || layout.component == size);
  }
  bool is_stored_as_x() const { return D_.is_stored() && D_bytes_ == s_.entries() * lanes_ * index_t(sizeof(T)); }
  index_t y_parts() const { return index_t(repeats_) * s_.test_parts; }
  index_t y_entries() const { return test_ * y_parts() * lanes_; }
  unsigned all_lanes() const { return unsigned((1ull << lanes_) - 1); }
  /// What an application moves.
  index_t bytes() const { return blocks_ * (a_.sides * (x_bytes_ + y_entries() * index_t(sizeof(T))) + D_bytes_); }

  // While block b is worked on. Nothing of what lies behind block `end` - 1.
  read_ahead ahead_of(index_t b, index_t end) const {
    const bool later = b + far_ < end;
    const index_t block = first_block_ + b, x_bytes = x_together_ && later ? x_bytes_ : 0;
    const index_t D_bytes = D_close_ ? std::clamp((end - b) * D_bytes_ - D_far_, index_t(0), D_bytes_)
                            : later  ? D_bytes_
                                     : 0;
    if (x_bytes + D_bytes == 0) return {};
    const T* const x = x_bytes > 0 ? a_.x + a_.x_layout.start((block + far_) * lanes_) : nullptr;
    const char* const D = D_bytes == 0 ? nullptr : D_close_ ? D_.memory_of(block) + D_far_ : D_.memory_of(block + far_);
    const bool whole = later && D_bytes == D_bytes_;
    // x is needed first.
    return {reinterpret_cast<const char*>(x),
            x_bytes,
            D,
            D_bytes,
            whole ? step_bytes_ : read_ahead::share_of(x_bytes + D_bytes, steps_),
            near_,
            asks_};
  }

  lane_elements lanes_of(index_t b) const {
    lane_elements lanes;
    const index_t e0 = (first_block_ + b) * lanes_;
    if (!which_.listed && e0 >= which_.first && e0 + lanes_ <= which_.last) {
      for (index_t w = 0; w < lanes_; ++w) lanes.element[w] = e0 + w;
      lanes.active = all_lanes();
      lanes.block = first_block_ + b;
      return lanes;
    }
    index_t some = -1;
    for (index_t w = 0; w < lanes_; ++w) {
      index_t e = e0 + w;
      bool active = e >= which_.first && e < which_.last;
      if (which_.listed) {
        active = e < index_t(which_.list.size());
        if (active) e = which_.list[std::size_t(e)];
      }
      if (active) {
        lanes.active |= 1u << w;
        if (some < 0) some = e;
      }
      lanes.element[w] = active ? e : -1;
    }
    lanes.block = which_.listed ? -1 : first_block_ + b;
    for (index_t w = 0; w < lanes_; ++w)
      if (lanes.element[w] < 0) lanes.element[w] = some;
    return lanes;
  }

  template <class P>
  lane_starts<P> starts(const lane_elements& lanes, P* data, const element_layout& layout, int c) const {
    lane_starts<P> result;
    result.step = layout.entry;
    result.active = lanes.active;
    if (layout.lanes == 1) {
      P* const from = data + layout.start(0, c);
      for (index_t w = 0; w < lanes_; ++w) result.start[w] = from + layout.block * lanes.element[w];
      result.adjacent = layout.block == 1 && lanes.block >= 0 && lanes.active == all_lanes();
      return result;
    }
    result.adjacent = true;
    for (index_t w = 0; w < lanes_; ++w) {
      result.start[w] = data + layout.start(lanes.element[w], c);
      result.adjacent = result.adjacent && result.start[w] == result.start[0] + w;
    }
    return result;
  }

  // Component c of the elements of a block that lies in one piece from `data` on.
  lane_starts<T> starts_together(T* data, int c) const {
    lane_starts<T> result;
    result.active = all_lanes();
    for (index_t w = 0; w < lanes_; ++w) result.start[w] = data + test_ * (c + y_parts() * w);
    return result;
  }

  const cpu_operator<T>& s_;
  const element_set& which_;
  const application<T>& a_;
  const block_source<T>& D_;
  // What the state works out anew each time it is asked.
  index_t lanes_, trial_, test_;
  int repeats_;
  index_t first_block_, blocks_;
  index_t D_bytes_, x_bytes_, steps_, step_bytes_, far_, D_far_, ahead_end_;
  int asks_;
  bool x_together_, streams_, near_, D_close_;
  memory_places memory_;
};

}  // namespace tessera::detail
