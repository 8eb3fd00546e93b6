// SPDX-License-Identifier: BSD-3-Clause
// An application to blocks of elements: load x, get D, run the kernel, store y; prefetch a later block meanwhile.
#pragma once

#include <algorithm>
#include <limits>

#include <tessera/cpu/detail/parallel.hpp>

#include "block_source.hpp"
#include "cpu_operator.hpp"
#include "e_vectors.hpp"
#include "element_dots.hpp"

namespace tessera::detail {

/// Which memory of later blocks is prefetched while a block is computed.
template <class T, class Loader>
class block_prefetch {
 public:
  block_prefetch(const cpu_operator<T>& s, const element_run& run, const element_blocks& blocks, int sides,
                 const Loader& x, const block_source<T>& D)
      : blocks_(blocks),
        x_(x),
        D_(D),
        D_bytes_(D.memory_bytes()),
        x_bytes_(sides == 1 && x.is_contiguous() ? x.bytes() : 0),
        steps_(s.steps() * s.repeats() * sides),
        step_bytes_(prefetcher::step_for(x_bytes_ + D_bytes_, steps_)),
        repeats_(run.prefetch_repeats) {
    const bool before_use = run.prefetch_level != 0 && !s.direct && !s.dense;
    to_l1_ = before_use && run.prefetch_level == 1;
    // Several blocks ahead if they are small: one small block is finished before the prefetch arrives.
    const index_t distance = index_t(run.prefetch_kib) << 10;
    blocks_ahead_ = 1 + distance / (D_bytes_ + x.bytes());
    // Not with several applications to an element: each reads all of D, and their steps share the prefetches.
    D_before_use_ = before_use && s.D_in_order && is_stored_as_x(s, D) && D_bytes_ > 0 && s.repeats() * sides == 1;
    // The points use D faster than memory delivers it, less so if collocated: hence a longer distance.
    D_distance_ = distance + D_bytes_ / (s.nodal && s.compiled_for_sizes ? 12 : 6);
    // The number of blocks up to the end of D.
    end_ = blocks.are_listed() || distance == 0 ? 0 : D.elements() / blocks.lanes() - blocks.number(0);
  }

  /// The prefetches while block b is computed by a thread whose last block is `last` - 1.
  prefetcher during(index_t b, index_t last) const {
    const index_t end = std::min(last, end_);
    const bool later = b + blocks_ahead_ < end;
    const index_t block = blocks_.number(b), x_bytes = later ? x_bytes_ : 0;
    const index_t D_bytes = D_before_use_ ? std::clamp((end - b) * D_bytes_ - D_distance_, index_t(0), D_bytes_)
                            : later       ? D_bytes_
                                          : 0;
    if (x_bytes + D_bytes == 0) return {};
    const T* const x = x_bytes > 0 ? x_.block(block + blocks_ahead_) : nullptr;
    const char* const D = D_bytes == 0    ? nullptr
                          : D_before_use_ ? D_.memory_of(block) + D_distance_
                                          : D_.memory_of(block + blocks_ahead_);
    const bool whole = later && D_bytes == D_bytes_;
    // x is needed first.
    return {reinterpret_cast<const char*>(x),
            x_bytes,
            D,
            D_bytes,
            whole ? step_bytes_ : prefetcher::step_for(x_bytes + D_bytes, steps_),
            to_l1_,
            repeats_};
  }

  /// Whether D is stored, in the type that the kernel computes with.
  static bool is_stored_as_x(const cpu_operator<T>& s, const block_source<T>& D) {
    return D.is_stored() && D.memory_bytes() == s.entries() * s.lanes() * index_t(sizeof(T));
  }

 private:
  const element_blocks& blocks_;
  const Loader& x_;
  const block_source<T>& D_;
  index_t D_bytes_, x_bytes_, steps_, step_bytes_;
  int repeats_;
  index_t blocks_ahead_, D_distance_, end_;
  bool to_l1_, D_before_use_;
};

template <class T, class Loader, class Storer>
class element_application {
 public:
  element_application(const cpu_operator<T>& s, const element_blocks& blocks, int sides, const Loader& x,
                      const Storer& y, const block_source<T>& D, const element_run* run = nullptr,
                      const element_dots<T>* dots = nullptr)
      : s_(s),
        dots_(dots),
        blocks_(blocks),
        sides_(sides),
        x_(x),
        y_(y),
        D_(D),
        run_(run != nullptr ? *run : run_for(s)),
        prefetch_(s, run_, blocks_, sides, x_, D) {
    y_.set_nontemporal(run_.nontemporal != 0);
    memory_ = places();
  }
  element_application(const element_application&) = delete;
  element_application& operator=(const element_application&) = delete;

  /// Runs on all threads, unless there is too little work.
  void run() const {
    const double flops = double(blocks_.count()) * double(blocks_.lanes()) * s_.flops() * sides_;
    for_block_chunks<T>(blocks_, memory_.all, flops < serial_flops,
                        [&](const block_chunk<T>& chunk) { run(chunk, chunk.end); });
  }
  /// In the calling thread, with scratch() numbers of memory; D of what follows the blocks is prefetched, too.
  void run_here(T* scratch) const { run({blocks_, 0, blocks_.count(), scratch}, std::numeric_limits<index_t>::max()); }
  index_t scratch() const { return memory_.all; }

 private:
  // Positions in the scratch memory of a chunk; x is at the start.
  struct memory_places {
    index_t y, kernel, staging, D, all;
  };

  void run(const block_chunk<T>& chunk, index_t prefetched_end) const {
    T *const x = chunk.scratch, *const y = x + memory_.y, *const staging = x + memory_.staging;
    const index_t lanes = blocks_.lanes(), of_x = s_.trial_size() * lanes, of_y = s_.test_size() * lanes;
    const int repeats = s_.repeats();
    element_block<T> block{
        .x = x, .y = y, .scratch = x + memory_.kernel, .tables = &s_.tables, .function = s_.given_function()};
    chunk.each([&](const lane_elements& which, index_t b) __attribute__((always_inline)) {
      block.D = D_.block(which, x + memory_.D);
      prefetcher prefetch = prefetch_.during(b, prefetched_end);
      block.prefetch = &prefetch;
      for (int side = 0; side < sides_; ++side) {
        double sums[most_lanes];
        if (dots_ != nullptr) std::fill_n(sums, blocks_.lanes(), 0.0);
        for (int r = 0; r < repeats; ++r) {
          for (int i = 0; i < s_.trial_parts; ++i) x_.load(which, side, r * s_.trial_parts + i, x + i * of_x);
          s_.function.run(block);
          if (dots_ != nullptr) dots_->add(x, y, s_.trial_size() * s_.trial_parts, sums);
          for (int i = 0; i < s_.test_parts; ++i) y_.store(which, side, r * s_.test_parts + i, y + i * of_y, staging);
        }
        if (dots_ != nullptr) dots_->put(which, sums);
        y_.finish(which, side, staging);
      }
    });
    y_.end_chunk();
  }

  element_run run_for(const cpu_operator<T>& s) const {
    const bool is_usual =
        sides_ == 1 && x_.is_contiguous() && y_.is_contiguous() && block_prefetch<T, Loader>::is_stored_as_x(s, D_);
    const index_t moved = blocks_.count() * (sides_ * (x_.bytes() + y_.bytes()) + D_.memory_bytes());
    return s.runs.of(s.isa, moved, is_usual);
  }

  // The less memory a block uses, the more of it stays in L1. Sum-factorised kernels have read all of x before they
  // write y, so that y may overwrite x. With one application to an element, no kernel runs after y is put into the
  // staging buffer, so that the buffer may overlap the kernels' scratch memory.
  memory_places places() const {
    const bool y_replaces_x = !s_.direct && !s_.dense && dots_ == nullptr, staging_replaces_work = s_.repeats() == 1;
    const index_t lanes = blocks_.lanes(), staging = aligned(y_.staging());
    const index_t x = aligned(s_.trial_size() * s_.trial_parts * lanes),
                  y = aligned(s_.test_size() * s_.test_parts * lanes);
    const index_t kernel = y_replaces_x ? std::max(x, y) : x + y;
    const index_t work = std::max(aligned(s_.scratch * lanes), staging_replaces_work ? staging : 0);
    const index_t D = kernel + work + (staging_replaces_work ? 0 : staging);
    return {y_replaces_x ? 0 : x, kernel, staging_replaces_work ? kernel : kernel + work, D, D + D_.scratch()};
  }

  const cpu_operator<T>& s_;
  const element_dots<T>* dots_;
  const element_blocks& blocks_;
  int sides_;
  Loader x_;
  Storer y_;
  const block_source<T>& D_;
  element_run run_;
  block_prefetch<T, Loader> prefetch_;
  memory_places memory_;
};

}  // namespace tessera::detail
