// SPDX-License-Identifier: BSD-3-Clause
// What the kernels have in common that make symmetric element matrices by products of warps.
#pragma once

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/element/places.cuh>
#include <tessera/gpu/detail/element/product_layout.hpp>

namespace tessera::device {

/// In 3-D, of one component. Of a symmetric matrix only pairs i >= j of functions of the last direction are computed.
/// What is left of D once that direction is contracted, for each pair of classes (see couplings), goes through two
/// products of tables, whose rows are pairs (i,j) of functions of a direction:
///
///     sums (q, q, classes) -> (q, d d, groups) -> staged (d d, d d) -> M, by a table of places
///
/// A warp's result of the first product lies in its lanes just as the second one wants its right operand, so it stays
/// in registers. Products: of a warp. Stores: how 16 bytes are written to M.
template <class Products, class Stored, class Function, class Form, class Shape, class Stores>
class product_program {
 public:
  using T = double;
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, factors = Function::factors;
  static constexpr matrix_tuning by = Shape::tuning;
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr product_layout layout{product_sizes_of<Function>(d, q, Shape::packed), by};
  using value_type = T;
  using arguments = matrix_arguments<T>;

  product_program(const arguments& a, T* shared, index_t block, int thread)
      : a_(a), shared_(shared), first_(block * elements), thread_(thread) {}

  /// The block's matrices to M.
  void store() const { store_matrices<T, Stores, threads>(a_, layout.written(), first_, 0, shared_, thread_); }

 protected:
  using slots = couplings<Function>;
  static constexpr int level = 1;  // directions 0 .. level remain once the last one is contracted
  static constexpr bool slopes = Function::trial.gradient;
  static constexpr int elements = by.elements, warps = threads / 32, pairs = layout.pairs();
  static constexpr int points = layout.points(), below = layout.points_below(), rows = layout.rows();
  static constexpr int row_tiles = layout.row_tiles(), row_pitch = layout.row_pitch();
  static constexpr int staged_of_pair = layout.staged_of_pair(), groups = layout.of.groups;
  static_assert(dim == 3 && Form::t == d && !Form::own_test && slots::parts == 1);

  struct alignas(16) fragment {
    T at[2];
  };
  /// A tile of 16 rows and 8 columns: entries (row, column) = (l / 4, 2 (l % 4)) and the one behind, and 8 rows below.
  struct tile {
    T upper[2] = {0, 0}, lower[2] = {0, 0};
    void add(const fragment& left, T right) { Products::multiply_both(upper, lower, left.at[0], left.at[1], right); }
  };

  /// f.operator()<out, in>() for all pairs of classes while directions 0 .. a remain.
  template <int a, class F>
  static void each_pair(const F& f) {
    pointwise::each_direction<(a + 2) * (a + 2)>([&](auto n) {
      constexpr int out = int(decltype(n)::value) % (a + 2), in = int(decltype(n)::value) / (a + 2);
      if constexpr (slots::present(a, out, in)) f.template operator()<out, in>();
    });
  }
  // Where M is symmetric in the directions that remain, (in,out) is (out,in): one of them is computed.
  static constexpr bool is_twin(int out, int in) { return out > in && out <= level; }
  static constexpr bool has_twin(int out, int in) { return out < in && in <= level; }

  int lane() const { return thread_ % 32; }
  int warp() const { return thread_ / 32; }
  fragment table_at(int number) const { return reinterpret_cast<const fragment*>(a_.tables)[number * 32 + lane()]; }
  /// The tile's columns from `column` on to what is staged of a pair.
  static void stage(const tile& from, T* to, int row, int column) {
#pragma unroll
    for (int s = 0; s < 2; ++s)
      if (column + s < rows) {
        if (row < rows) to[row + row_pitch * (column + s)] = from.upper[s];
        if (row + 8 < rows) to[row + 8 + row_pitch * (column + s)] = from.lower[s];
      }
  }
  static constexpr int least(int a, int b) { return a < b ? a : b; }

  const arguments& a_;
  T* shared_;
  index_t first_ = 0;
  int thread_;
};

}  // namespace tessera::device
