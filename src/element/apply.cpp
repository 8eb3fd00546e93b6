// SPDX-License-Identifier: BSD-3-Clause
// Goes over the elements of an application block by block: gather x, get D, run the kernel, scatter y.
#include <tessera/cpu/parallel.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>

#include "device_points.hpp"
#include "point_source.hpp"
#include "scratch.hpp"
#include "state.hpp"

namespace tessera {

namespace {

using detail::block_source;
using detail::evaluation_state;
using detail::lane_elements;
using detail::point_source;

// A rough count, for the question whether threads are worth waking.
constexpr double flops_a_point = 50;

// Rounded up so that what follows is aligned.
constexpr index_t aligned(index_t entries) { return (entries + 15) / 16 * 16; }

template <class T>
class element_loop {
 public:
  element_loop(const evaluation_state<T>& s, const element_set& which, const application<T>& a,
               const block_source<T>& D)
      : s_(s), which_(which), a_(a), D_(D), lanes_(s.lanes()) {
    first_block_ = which.listed ? 0 : which.first / lanes_;
    const index_t end = which.listed ? index_t(which.list.size()) : which.last;
    blocks_ = (end + lanes_ - 1) / lanes_ - first_block_;
    const index_t steps = s.function.steps(s.q) * s.repeats() * a.sides;
    lines_a_step_ = int((D.memory_bytes() + 64 * steps - 1) / (64 * steps));
  }

  index_t blocks() const { return blocks_; }

  void run(index_t first, index_t last) const {
    const index_t x_room = aligned(s_.trial_size() * s_.trial_parts * lanes_);
    const index_t y_room = aligned(s_.test_size() * s_.test_parts * lanes_);
    const index_t work = aligned(s_.function.scratch(s_.d, s_.q, s_.t) * lanes_);
    T* const memory =
        static_cast<T*>(detail::thread_scratch::of(std::size_t(x_room + y_room + work + D_.scratch()) * sizeof(T)));
    T *const x = memory, *const y = x + x_room, *const kernel = y + y_room, *const point = kernel + work;

    const char none = 0;  // built-in functions have no state
    element_block<T> block{.x = x,
                           .y = y,
                           .scratch = kernel,
                           .tables = &s_.tables,
                           .function = s_.pointwise != nullptr ? s_.pointwise.get() : &none};
    for (index_t b = first; b < last; ++b) {
      const lane_elements lanes = lanes_of(b);
      block.D = D_.block(lanes, point);
      block.ahead = read_ahead{b + 1 < last ? next_memory(b) : nullptr, 0};
      if (block.ahead.next != nullptr) block.ahead.lines = lines_a_step_;
      for (int side = 0; side < a_.sides; ++side)
        for (int c = 0; c < s_.repeats(); ++c) {
          for (int i = 0; i < s_.trial_parts; ++i)
            s_.kernels->gather(starts(lanes, a_.x + side * a_.x_side, a_.x_layout, c * s_.trial_parts + i),
                               s_.trial_size(), x + i * s_.trial_size() * lanes_);
          s_.function.run(block);
          if (block.ahead.next != nullptr) block.ahead.next += 64 * lines_a_step_ * s_.function.steps(s_.q);
          for (int i = 0; i < s_.test_parts; ++i)
            s_.kernels->scatter(y + i * s_.test_size() * lanes_, s_.test_size(),
                                starts(lanes, a_.y + side * a_.y_side, a_.y_layout, c * s_.test_parts + i), a_.add);
        }
    }
  }

 private:
  const char* next_memory(index_t b) const {
    return which_.listed || (first_block_ + b + 2) * lanes_ > D_.elements() ? nullptr
                                                                            : D_.memory_of(first_block_ + b + 1);
  }

  lane_elements lanes_of(index_t b) const {
    lane_elements lanes;
    index_t some = -1;
    for (index_t w = 0; w < lanes_; ++w) {
      index_t e = (first_block_ + b) * lanes_ + w;
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
    result.adjacent = true;
    for (index_t w = 0; w < lanes_; ++w) {
      result.start[w] = data + layout.start(lanes.element[w], c);
      result.adjacent = result.adjacent && result.start[w] == result.start[0] + w;
    }
    return result;
  }

  const evaluation_state<T>& s_;
  const element_set& which_;
  const application<T>& a_;
  const block_source<T>& D_;
  index_t lanes_, first_block_, blocks_;
  int lines_a_step_;
};

template <class T>
void check(const evaluation_state<T>& s, const element_set& which, const application<T>& a, const point_source<T>& D) {
  const auto refuse = [](const std::string& why, status code) { throw error("evaluation::apply: " + why, code); };
  const index_t elements = D.elements();
  const auto named = [&](index_t e) {
    if (e < 0 || e >= elements)
      refuse("element " + std::to_string(e) + " of " + std::to_string(elements), status::invalid_argument);
  };
  if (which.listed && s.device != nullptr) {
    // A list in device memory is the device's to read.
  } else if (which.listed)
    for (const index_t e : which.list) named(e);
  else if (which.first < 0 || which.last < which.first || which.last > elements)
    refuse("elements " + std::to_string(which.first) + " to " + std::to_string(which.last) + " of " +
               std::to_string(elements),
           status::invalid_argument);
  if (a.sides < 0) refuse(std::to_string(a.sides) + " right hand sides", status::invalid_argument);
  if (which.size() > 0 && a.sides > 0 && (a.x == nullptr || a.y == nullptr))
    refuse(std::string(a.x == nullptr ? "x" : "y") + " is a null pointer", status::null_pointer);
  for (const auto* layout : {&a.x_layout, &a.y_layout})
    if (layout->lanes < 1)
      refuse("a layout with " + std::to_string(layout->lanes) + " lanes", status::invalid_argument);
  if ((s.device != nullptr) != (D.space() == space_kind::gpu))
    refuse(std::string("D is in ") + name_of(D.space()) + " memory, and the operator is not", status::wrong_space);
  if (D.block_entries() != s.entries() || D.lanes() != s.lanes())
    refuse("D is of another operator: " + std::to_string(D.block_entries()) + " numbers an element in blocks of " +
               std::to_string(D.lanes()) + " elements, not " + std::to_string(s.entries()) + " in blocks of " +
               std::to_string(s.lanes()),
           status::shape_mismatch);
}

}  // namespace

template <class T>
void evaluation<T>::apply(const element_set& which, const application<T>& a, const point_data<T>& D) const {
  check(*state_, which, a, *D.source_);
  if (which.size() == 0 || a.sides == 0) return;
  if (state_->device != nullptr) {
    const auto& source = static_cast<const detail::device_source<T>&>(*D.source_);
    return source.apply(*state_->device, which, a, state_->repeats());
  }
  const element_loop<T> loop(*state_, which, a, static_cast<const block_source<T>&>(*D.source_));
  const double flops = double(loop.blocks()) * double(state_->lanes() * state_->points()) * flops_a_point * a.sides;
  if (flops < serial_flops) return loop.run(0, loop.blocks());
  for_batch_chunks(
      loop.blocks(),
      [](const void* context, index_t first, index_t last) {
        static_cast<const element_loop<T>*>(context)->run(first, last);
      },
      &loop);
}

template void evaluation<float>::apply(const element_set&, const application<float>&, const point_data<float>&) const;
template void evaluation<double>::apply(const element_set&, const application<double>&,
                                        const point_data<double>&) const;

}  // namespace tessera
