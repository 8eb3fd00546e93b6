// SPDX-License-Identifier: BSD-3-Clause
// The GPU gemm kernel for packed products of static sizes: a block computes one group of products in one pass. Its
// whole parts of A and B are copied to shared memory, threads or warps compute tiles of C, and its part of C is stored.
#pragma once

#include <tessera/gpu/detail/block_part.cuh>
#include <tessera/gpu/detail/block_shape.cuh>
#include <tessera/gpu/detail/packed_tile.cuh>
#include <tessera/gpu/detail/packed_warp_tile.cuh>
#include <tessera/gpu/detail/stream_order.cuh>

namespace tessera::device {

/// Types: a scalar, or `elements`.
template <class Types>
struct packed_arguments {
  const typename elements_of<Types>::in* left;   // (m,k,products)
  const typename elements_of<Types>::in* right;  // (k,n,products)
  typename elements_of<Types>::out* out;         // (m,n,products)
  typename elements_of<Types>::sum alpha, beta;
  index_t products;
};

/// Whether the compiler reads adjacent entries along k in one access.
constexpr bool reads_pairs(int k) { return k % 2 == 0; }

/// A block of the kernel: its parts of the operands, their addresses in shared memory, and its steps in order.
template <class Types, class Form, class Tuning, bool Adds, bool Phased>
class packed_block {
  using types = elements_of<Types>;
  using In = typename types::in;
  using Out = typename types::out;
  using Sum = typename types::sum;
  using how = mover<Phased, Tuning::loads, Tuning::threads>;
  using place = place_of_tile<types, Form, Tuning>;
  using tile_sums = typename place::sums;
  static constexpr packed_words word{int(sizeof(In)), int(sizeof(Out))};
  static constexpr packed_plan at{Form::sizes, word, Tuning{}, {Adds, Phased}};
  static constexpr packed_tiles in_left = at.left_tiles, in_right = at.right_tiles, in_out = at.out_tiles;
  static constexpr bool over_input = takes_place_of_input(Tuning::over_a, Adds), stages_c = Adds && !over_input;
  // If threads copy everything, no bytes are counted.
  static constexpr bool brings_pieces = in_left.by == staging::chunk || in_right.by == staging::chunk || stages_c;
  static constexpr int vector = is_by_rows(Form::sizes.layouts.left) ? 1 : Tuning::row_vector;
  // Operands of which threads read adjacent entries in one access, so that they must be aligned to a piece.
  static constexpr bool moves_left =
      Phased && in_left.by == staging::chunk && (vector > 1 || (in_left.col == 1 && reads_pairs(Form::k)));
  static constexpr bool moves_right =
      Phased && in_right.by == staging::chunk && in_right.row == 1 && reads_pairs(Form::k);
  static_assert(Phased || starts_on_pieces(Form::sizes, word, Tuning::matrices));
  static_assert(!is_shared(Form::sizes.layouts.out), "products have results of their own");
  static_assert(!over_input || place::passes == 1, "C over an input: one pass must have read all of it");

 public:
  /// `products`: from the block's first one to the end of the batch. `at_edge`: less than a sector of an operand may be
  /// before or behind the block's parts.
  __device__ packed_block(const packed_arguments<Types>& a, index_t first, index_t products, bool at_edge,
                          unsigned char* memory)
      : a_(a),
        count_(products < Tuning::matrices ? int(products) : Tuning::matrices),
        left_in_(a.left + (in_left.copy == 0 ? 0 : first * in_left.each), count_ * in_left.each, at_edge),
        right_in_(a.right + (in_right.copy == 0 ? 0 : first * in_right.each), count_ * in_right.each, at_edge),
        c_(a.out + first * in_out.each, count_ * in_out.each, at_edge),
        left_(reinterpret_cast<In*>(memory + at.left) + offset_in_region<in_left, moves_left>(left_in_)),
        right_(reinterpret_cast<In*>(memory + at.right) + offset_in_region<in_right, moves_right>(right_in_)),
        out_(reinterpret_cast<Out*>(memory + at.out) + c_.phase),
        arrived_{reinterpret_cast<unsigned long long*>(memory + at.barrier)} {}

  __device__ void load() const {
    if (brings_pieces && how::by_engine() && threadIdx.x == 0) {
      arrived_.init();
      arrived_.expect(bytes_on_the_way<in_left>(left_in_) + bytes_on_the_way<in_right>(right_in_) +
                      (stages_c ? c_.bytes_on_the_way() : 0));
    }
    load_own<in_left, moves_left>(left_, left_in_);
    load_own<in_right, moves_right>(right_, right_in_);
    if constexpr (stages_c) c_.load(out_, arrived_);
    // Last: threads wait for these entries, while bulk copies are in flight.
    load_common<in_left>(left_, left_in_);
    load_common<in_right>(right_, right_in_);
  }

  __device__ void compute() const {
    if constexpr (over_input)
      compute_over_input();
    else
      compute_in_passes();
  }

  __device__ void store() const {
    c_.before_store();
    __syncthreads();
    c_.store(out_);
  }

 private:
  // The offset of the first entry in its region of shared memory.
  template <packed_tiles Tiles, bool Moves, class Part>
  __device__ static int offset_in_region(const Part& from) {
    return Tiles.by != staging::chunk ? 0 : Moves ? from.phase - from.past_piece() : from.phase;
  }
  template <packed_tiles Tiles, class Part>
  __device__ int bytes_on_the_way(const Part& from) const {
    if constexpr (Tiles.by == staging::chunk) return from.bytes_on_the_way();
    return 0;
  }
  // The matrices of the block's own products.
  template <packed_tiles Tiles, bool Moves, class Part>
  __device__ void load_own(In* to, const Part& from) const {
    if constexpr (Tiles.by == staging::chunk)
      from.load(to + (Moves ? from.past_piece() : 0), arrived_);
    else if constexpr (Tiles.by == staging::lines)
      load_lines<Tiles.along, Tiles.pitch, how>(to, from.global, count_ * Tiles.lines);
  }
  // One matrix for all products.
  template <packed_tiles Tiles, class Part>
  __device__ void load_common(In* to, const Part& from) const {
    if constexpr (Tiles.by == staging::through_cache)
      load_through_cache<Tiles.along, Tiles.lines, Tiles.pitch, how>(to, from.global);
  }

  __device__ void wait() const {
    wait_for_pieces();
    __syncthreads();
    if (brings_pieces && how::by_engine()) arrived_.wait();
    if constexpr (moves_left) left_in_.move_to_start(left_);
    if constexpr (moves_right) right_in_.move_to_start(right_);
    if constexpr (moves_left || moves_right) __syncthreads();
  }

  // what(sum, offset of its entry in C)
  template <class What>
  __device__ static void for_entries(tile_sums& sums, const place& tile, What what) {
#pragma unroll
    for (int j = 0; j < Tuning::tile_cols; ++j)
#pragma unroll
      for (int i = 0; i < Tuning::tile_rows; ++i)
        if (tile.covers(i, j))
          what(place::entry(sums, i, j),
               tile.product * in_out.each + tile.row(i) * in_out.row + tile.col(j) * in_out.col);
  }

  __device__ void multiply(tile_sums& sums, const place& tile) const {
    tile.template multiply<in_left, in_right, vector>(sums, left_, right_);
  }

  __device__ static Sum old(const Out* c, int e) { return converted<Sum>(read_entry(c + e)); }
  __device__ void put(int e, Sum value) const { put_entry(out_ + e, converted<Out>(value)); }

  __device__ void compute_in_passes() const {
    wait();
#pragma unroll place::passes_together
    for (int pass = 0; pass < place::passes; ++pass) {
      const place tile(pass, int(threadIdx.x));
      if (tile.product >= count_) continue;
      tile_sums sums = {};
      multiply(sums, tile);
      for_entries(sums, tile,
                  [&](Sum sum, int e) { put(e, Adds ? a_.alpha * sum + a_.beta * old(out_, e) : a_.alpha * sum); });
    }
  }

  // An old C is loaded directly to the sums, at the same time as A and B. It is multiplied after all have arrived: a
  // multiplication next to the load would wait for each entry.
  __device__ void compute_over_input() const {
    const place tile(0, int(threadIdx.x));
    const bool active = tile.product < count_, on_top = Adds && a_.alpha == Sum(1);
    tile_sums sums = {};
    if (active && on_top) for_entries(sums, tile, [&](Sum& sum, int e) { sum = converted<Sum>(c_.global[e]); });
    wait();
    if (on_top && a_.beta != Sum(1)) for_entries(sums, tile, [&](Sum& sum, int) { sum *= a_.beta; });
    if (active) multiply(sums, tile);
    __syncthreads();
    if (!active) return;
    if (!Adds || on_top)
      for_entries(sums, tile, [&](Sum sum, int e) { put(e, a_.alpha * sum); });
    else
      for_entries(sums, tile, [&](Sum sum, int e) { put(e, a_.alpha * sum + a_.beta * converted<Sum>(c_.global[e])); });
  }

  const packed_arguments<Types>& a_;
  int count_;
  block_part<const In, Tuning::matrices * in_left.each, how> left_in_;
  block_part<const In, Tuning::matrices * in_right.each, how> right_in_;
  block_part<Out, in_out.entries, how> c_;
  In *left_, *right_;
  Out* out_;
  arrival arrived_;
};

/// The minimum of resident blocks per multiprocessor: leaves 128 registers per thread; if Phased, which needs more for
/// addresses, all registers.
constexpr int least_blocks(int threads, bool phased) {
  const int wanted = phased ? 256 : 512;
  return threads >= wanted ? 1 : wanted / threads;
}

/// out = alpha left right (+ beta out, if Adds) for every product. Phased: operands of any alignment.
template <class Types, class Form, class Tuning, bool Adds, bool Phased>
__global__ void __launch_bounds__(Tuning::threads, least_blocks(Tuning::threads, Phased))
    packed_gemm(const __grid_constant__ packed_arguments<Types> a) {
  extern __shared__ __align__(16) unsigned char memory[];
  const index_t first = (index_t(blockIdx.y) * gridDim.x + blockIdx.x) * Tuning::matrices;
  wait_for_earlier_kernels();
  if (first >= a.products) return;
  const index_t products = a.products - first;
  const bool at_edge = (Phased && first < most_in_a_sector) || products < Tuning::matrices + most_in_a_sector;
  const packed_block<Types, Form, Tuning, Adds, Phased> block(a, first, products, at_edge, memory);
  block.load();
  block.compute();
  block.store();
}

}  // namespace tessera::device
