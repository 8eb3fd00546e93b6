// SPDX-License-Identifier: BSD-3-Clause
// The kernel of a general contraction: a block computes boxes of the output one after the other, boxes of the operands
// come through a pipeline in shared memory, in the layout that they have in memory.
#pragma once

#include <tessera/gpu/detail/general/arithmetic.cuh>
#include <tessera/gpu/detail/general/arithmetic_fma.cuh>
#include <tessera/gpu/detail/general/arithmetic_half.cuh>
#include <tessera/gpu/detail/general/mover.cuh>
#include <tessera/gpu/detail/general/parts.cuh>
#include <tessera/gpu/detail/general/result.cuh>
#include <tessera/gpu/detail/general/second_matrix.cuh>
#include <tessera/gpu/detail/stream_order.cuh>

namespace tessera::device {

/// Boxes of the operands on their way to shared memory: those of a block's tiles, one after the other.
template <class Work>
class incoming_boxes {
 public:
  using inner = typename Work::inner;
  using left = typename Work::left;
  using right = typename Work::right;

  /// Of each tile the boxes of the sum from `begin` up to `end`; tiles from `tile` on, `stride` apart.
  __device__ incoming_boxes(const general_arguments& a, unsigned base, index_t tile, index_t stride, index_t tiles,
                            int begin, int end)
      : a_(a), base_(base), tile_(tile), stride_(stride), tiles_(tiles), begin_(begin), end_(end), next_(begin) {
    if (tile_ < tiles_ && begin_ < end_) begin_tile(true);
  }

  /// Queues the next box, if there is one; one stage either way.
  __device__ __forceinline__ void move() {
    if (tile_ < tiles_ && begin_ < end_) {
      const sum_box<inner> box(next_);
      index_t at_left = 0, at_right = 0;
#pragma unroll
      for (int d = 0; d < inner::count; ++d) {
        at_left += box.first[d] * left::of_inner(d);
        at_right += box.first[d] * right::of_inner(d);
      }
      const unsigned to = base_ + unsigned(slot_) * Work::stage;
      rows_.move(left_ + at_left, to, box.first);
      cols_.move(right_ + at_right, to + left::size_in_bytes, box.first);
      slot_ = slot_ + 1 == Work::stages ? 0 : slot_ + 1;
      if (++next_ == end_) {
        next_ = begin_;
        tile_ += stride_;
        if (tile_ < tiles_) begin_tile(false);
      }
    }
    end_stage();
  }
  /// Applies functions to what this thread has copied of a box that has arrived.
  __device__ __forceinline__ void change(char* stage) const {
    if (Work::shares > Work::boxes && begin_ == end_) return;  // this block's share of the sum is empty
    using types = typename Work::types;
    using functions = typename types::functions;
    if constexpr (Work::changes_left)
      rows_.change(stage, [](const auto& x) {
        return converted<typename left::entry>(functions::left(converted<typename types::sum>(x)));
      });
    if constexpr (Work::changes_right)
      cols_.change(stage + left::size_in_bytes, [](const auto& x) {
        return converted<typename right::entry>(functions::right(converted<typename types::sum>(x)));
      });
  }

 private:
  using row_mover = mover<typename Work::rows, inner, left, Work::threads>;
  using col_mover = mover<typename Work::cols, inner, right, Work::threads>;

  __device__ __forceinline__ void begin_tile(bool first) {
    const tile_place<Work> at(a_, tile_);
    left_ = static_cast<const typename left::entry*>(a_.left) + at.left;
    right_ = static_cast<const typename right::entry*>(a_.right) + at.right;
    if (first || row_mover::depends_on_lines) rows_.begin(at.first_row);
    if (first || col_mover::depends_on_lines) cols_.begin(at.first_col);
  }

  const general_arguments& a_;
  unsigned base_;
  index_t tile_, stride_, tiles_;
  int begin_, end_, next_, slot_ = 0;
  const typename left::entry* left_ = nullptr;
  const typename right::entry* right_ = nullptr;
  row_mover rows_;
  col_mover cols_;
};

template <class Work>
class general_program {
 public:
  using inner = typename Work::inner;
  using arithmetic = typename arithmetic_of<Work, Work::by>::type;
  using sum_type = typename arithmetic::sum_type;

  // A block with whole sums goes on with the tile so many blocks further; others have one.
  __device__ static void run(const general_arguments& a, char* shared) {
    const index_t number = a.first_block + index_t(blockIdx.x);
    constexpr int shares = Work::shares;
    const int share = int(number % shares);
    const index_t stride = shares > 1 ? a.tiles : index_t(gridDim.x);
    const int begin = int(index_t(Work::boxes) * share / shares),
              end = int(index_t(Work::boxes) * (share + 1) / shares);
    general_program program(a, shared, number / shares, stride, begin, end);
    if constexpr (shares > 1) {
      program.make_tile(a, number / shares, share, begin, end);
    } else {
      for (index_t tile = number; tile < a.tiles; tile += stride) {
        program.make_tile(a, tile, share, begin, end);
        program.numbers_.clear();
        if constexpr (stores_first) program.next_box(sum_box<inner>(begin));
      }
    }
  }

 private:
  using fragments = typename arithmetic::fragments;
  static constexpr int steps = arithmetic::steps, stages = Work::stages;
  // Steps that the compiler lines up; a loop runs over groups of them where all would be too much code.
  __host__ __device__ static constexpr int steps_of_group() {
    return Work::by == way::fma && !Work::shares_sum && steps * arithmetic::row_count * arithmetic::col_count > 1024
               ? Work::depth
               : steps;
  }
  static constexpr int group = steps_of_group();
  // A tile of one box is written before the next one is waited for.
  static constexpr bool changes = Work::changes_left || Work::changes_right;
  static constexpr bool has_second = Work::second::extent > 0;
  static constexpr bool stores_first = stages > 1 && Work::shares == 1 && Work::boxes == 1;
  static_assert(steps % group == 0 && (group == steps || group % 2 == 0));

  __device__ general_program(const general_arguments& a, char* shared, index_t tile, index_t stride, int begin, int end)
      : shared_(shared),
        base_(shared_address(shared)),
        boxes_(a, base_, tile, stride, a.tiles, begin, end),
        numbers_(shared) {
    if constexpr (stages > 1) {
#pragma unroll 1  // or there would be code of it for each stage
      for (int s = 0; s < stages - 1; ++s) boxes_.move();
    }
    if constexpr (has_second) second_in_shared<Work>(shared).bring(a);
    if constexpr (stages > 1) {
      wait_for_stages<stages - 2>();
      boxes_.change(shared_);
      __syncthreads();
      numbers_.read(0, 0, 0, sum_box<inner>(begin), even_);
    } else if constexpr (has_second) {
      __syncthreads();
    }
  }

  __device__ __forceinline__ void make_tile(const general_arguments& a, index_t tile, int share, int begin, int end) {
    if constexpr (stages > 1)
      sum_in_pipeline(begin, end);
    else
      sum_box_by_box(begin, end);
    if constexpr (Work::shares_sum) numbers_.add_up_lanes();
    if constexpr (has_second) times_second<Work>(numbers_, second_in_shared<Work>(shared_));
    store(a, tile, share);
  }

  // Multiplies the fragments of a step while those of the next one are read, in the next box after the last.
  __device__ __forceinline__ void sum_in_pipeline(int begin, int end) {
#pragma unroll 1
    for (int box = begin; box < end; ++box) {
      const sum_box<inner> now(box), then(box + 1 < end ? box + 1 : begin);
      boxes_.move();
      for_steps([&](int first, int s, const fragments& of, fragments& next) {
        if constexpr (changes)
          if (first + s == steps / 2) change_next();
        if (first + s == steps - 1) {
          if constexpr (!stores_first) next_box(then, next);
        } else if (s + 1 < group) {
          numbers_.read(stage_, first, s + 1, now, next);
        } else {
          numbers_.read(stage_, first + group, 0, now, next);
        }
        numbers_.multiply(of);
      });
    }
  }
  // Applies functions to the next box, while other warps multiply.
  __device__ __forceinline__ void change_next() {
    wait_for_stages<stages - 2>();
    boxes_.change(shared_ + unsigned(reading_ + 1 == stages ? 0 : reading_ + 1) * Work::stage);
  }
  // Waits for the next box and reads the fragments of its first step.
  __device__ __forceinline__ void next_box(const sum_box<inner>& box, fragments& first) {
    if constexpr (!changes) wait_for_stages<stages - 2>();
    reading_ = reading_ + 1 == stages ? 0 : reading_ + 1;
    stage_ = unsigned(reading_) * Work::stage;
    __syncthreads();
    numbers_.read(stage_, 0, 0, box, first);
  }
  __device__ __forceinline__ void next_box(const sum_box<inner>& box) { next_box(box, even_); }

  // Other blocks of the multiprocessor work while one waits.
  __device__ __forceinline__ void sum_box_by_box(int begin, int end) {
#pragma unroll 1
    for (int box = begin; box < end; ++box) {
      const sum_box<inner> now(box);
      boxes_.move();
      wait_for_stages<0>();
      boxes_.change(shared_);
      __syncthreads();
      numbers_.read(0, 0, 0, now, even_);
      for_steps([&](int first, int s, const fragments& of, fragments& next) {
        if (s + 1 < group)
          numbers_.read(0, first, s + 1, now, next);
        else if (first + group < steps)
          numbers_.read(0, first + group, 0, now, next);
        numbers_.multiply(of);
      });
      __syncthreads();
    }
  }
  // body(first, s, of, next) of step first + s; its fragments are `of`, those of the next one `next`.
  template <class Body>
  __device__ __forceinline__ void for_steps(const Body& body) {
#pragma unroll 1
    for (int first = 0; first < steps; first += group)
#pragma unroll
      for (int s = 0; s < group; ++s)
        if (s % 2 == 0)
          body(first, s, even_, odd_);
        else
          body(first, s, odd_, even_);
    if constexpr (group % 2 == 1) even_ = odd_;
  }

  __device__ __forceinline__ void store(const general_arguments& a, index_t number, int share) {
    const tile_place<Work> tile(a, number);
    const result_of_tile<Work, arithmetic> result(a, tile, thread_found_again());
    const auto sums = [&](int i, int j) { return numbers_.sum(i, j); };
    if constexpr (Work::splits > 1) {
      store_shared(result, share);
    } else if (is_owner()) {
      if constexpr (Work::parts > 1)
        result.store_part(sums, static_cast<sum_type*>(a.parts) + (number * Work::parts + share) * result.part);
      else
        result.store(sums);
    }
  }
  // Of its sums: where all lanes have the same ones the first lane writes them.
  __device__ static bool is_owner() { return !Work::shares_sum || threadIdx.x == 0; }

  // The blocks of a cluster have parts of the sums: each adds up a share of the tile in the order of the blocks.
  template <class Result>
  __device__ __forceinline__ void store_shared(const Result& result, int share) {
    constexpr int rows = arithmetic::row_count, cols = arithmetic::col_count;
    wait_for_stages<0>();
    __syncthreads();
    auto* const parts = reinterpret_cast<sum_type*>(shared_);
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < cols; ++j)
        put_entry(parts + (i * cols + j) * Work::threads + int(threadIdx.x), numbers_.sum(i, j));
    cluster_barrier();
    const auto all_parts = [&](int i, int j) {
      sum_type all = Work::types::functions::template neutral<sum_type>();
      for (int s = 0; s < Work::splits; ++s)
        all = Work::types::functions::add(
            all, read_entry(of_block(parts, s) + (i * cols + j) * Work::threads + int(threadIdx.x)));
      return all;
    };
    if (is_owner()) result.store(all_parts, rows * share / Work::splits, rows * (share + 1) / Work::splits);
    cluster_barrier();  // a block's memory stays until all have read
  }

  char* shared_;
  unsigned base_;
  incoming_boxes<Work> boxes_;
  arithmetic numbers_;
  fragments even_, odd_;
  unsigned stage_ = 0;
  int reading_ = 0;
};

template <class Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks) contract_general(general_arguments a) {
  extern __shared__ __align__(128) char shared[];
  wait_for_earlier_kernels();
  general_program<Work>::run(a, shared);
}

/// Adds up the parts of sums in the workspace, in a fixed order, and writes the results.
template <class Work>
__global__ void __launch_bounds__(parts_program<Work>::threads) add_general_parts(general_arguments a) {
  extern __shared__ __align__(128) char shared[];
  wait_for_earlier_kernels();
  parts_program<Work>::run(a, shared);
}

/// Of blocks in clusters.
template <class Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks) __cluster_dims__(Work::splits, 1, 1)
    contract_general_in_parts(general_arguments a) {
  extern __shared__ __align__(128) char shared[];
  wait_for_earlier_kernels();
  general_program<Work>::run(a, shared);
}

}  // namespace tessera::device
