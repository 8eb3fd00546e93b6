// SPDX-License-Identifier: BSD-3-Clause
// Address functors: the on-the-fly reshape. Each maps (row, column, loop step) of the lowered form to an offset.
#pragma once

#include <tessera/core/lower.hpp>

namespace tessera {

/// Affine, known at compile time: an empty type of integers. Loop digits come as extent, stride pairs.
template <index_t RowStride, index_t ColStride, index_t... LoopExtentStride>
struct static_map {
  static constexpr index_t row_stride() { return RowStride; }
  static constexpr index_t col_stride() { return ColStride; }
  constexpr index_t loop(index_t l) const {
    if constexpr (sizeof...(LoopExtentStride) == 0) {
      return 0;
    } else {
      constexpr index_t pair[] = {LoopExtentStride...};
      index_t sum = 0;
      for (int i = 0; i < int(sizeof...(LoopExtentStride)); i += 2) {
        sum += l % pair[i] * pair[i + 1];
        l /= pair[i];
      }
      return sum;
    }
  }
  constexpr index_t offset(index_t r, index_t c, index_t l) const { return r * RowStride + c * ColStride + loop(l); }
};

/// The summed index of an operand where its letters do not merge: several digits, the fastest first.
struct split_index {
  int count = 0;
  index_t extent[max_rank]{};
  index_t stride[max_rank]{};

  constexpr index_t offset(index_t i) const {
    index_t sum = 0;
    for (int d = 0; d + 1 < count; ++d) {
      sum += i % extent[d] * stride[d];
      i /= extent[d];
    }
    return count > 0 ? sum + i * stride[count - 1] : 0;
  }
};

/// Affine with run-time numbers; or a table of offsets where the layout is not affine (table[(l cols + c) rows + r]).
/// `split_rows` (`split_cols`) takes the place of `row` (`col`) where these are several digits: on CPUs only.
struct run_time_map {
  index_t row = 0, col = 0;
  int loop_rank = 0;
  index_t loop_extent[max_rank]{};
  index_t loop_stride[max_rank]{};
  const index_t* table = nullptr;
  index_t rows = 1, cols = 1;
  const split_index *split_rows = nullptr, *split_cols = nullptr;

  /// Rows and columns, each at a constant distance. Inlined, so that no object of an instruction set has a copy of it.
  [[gnu::always_inline]] constexpr bool is_strided() const {
    return table == nullptr && split_rows == nullptr && split_cols == nullptr;
  }
  /// 0 if the distance of rows (columns) is not constant.
  constexpr index_t row_stride() const { return is_strided() ? row : 0; }
  constexpr index_t col_stride() const { return is_strided() ? col : 0; }
  constexpr index_t row_offset(index_t r) const { return split_rows ? split_rows->offset(r) : r * row; }
  constexpr index_t col_offset(index_t c) const { return split_cols ? split_cols->offset(c) : c * col; }
  constexpr index_t loop(index_t l) const {
    index_t sum = 0;
    for (int i = 0; i < loop_rank; ++i) {
      sum += l % loop_extent[i] * loop_stride[i];
      l /= loop_extent[i];
    }
    return sum;
  }
  constexpr index_t offset(index_t r, index_t c, index_t l) const {
    return table ? table[(l * cols + c) * rows + r] : row_offset(r) + col_offset(c) + loop(l);
  }
};

/// Any layout, a user's own included: splits the indices by letter and calls its offset(). A `part` says, for each
/// letter of a role, its extent and the dimension of this operand that it indexes (-1: none).
struct part {
  int count = 0;
  index_t extent[max_rank]{};
  int dimension[max_rank]{};

  constexpr void unravel_into(index_t linear, index_t* index) const {
    for (int i = 0; i < count; ++i) {
      if (dimension[i] >= 0) index[dimension[i]] = linear % extent[i];
      linear /= extent[i];
    }
  }
};

template <layout_type Layout>
struct layout_map {
  Layout layout;
  part row_part, col_part, loop_part;

  static constexpr index_t row_stride() { return 0; }
  static constexpr index_t col_stride() { return 0; }
  constexpr index_t offset(index_t r, index_t c, index_t l) const {
    index_t index[max_rank]{};
    row_part.unravel_into(r, index);
    col_part.unravel_into(c, index);
    loop_part.unravel_into(l, index);
    return offset_at(layout, index);
  }
};

/// The role of a group of letters for one operand.
constexpr part part_of(const digits& group, const modes& operand, const detail::lowering& in) {
  part result;
  for (int i = 0; i < group.letters.rank; ++i) {
    const char c = group.letters.letter[i];
    result.extent[result.count] = in.extent(c);
    result.dimension[result.count++] = operand.find(c);
  }
  return result;
}

/// Which roles index an operand's rows and columns: left is (row, inner), right (inner, col), the output (row, col).
/// `pointwise` has only rows, the same for every operand.
struct roles {
  const digits& rows;
  const digits& cols;
  const digits& loop;
};

constexpr roles roles_of(const lowered& form, int operand) {
  if (operand == output || form.form == canonical::pointwise) return {form.rows, form.cols, form.loop};
  if (operand == form.left[0] || operand == form.left[1]) return {form.rows, form.inner, form.loop};
  return {form.inner, form.cols, form.loop};
}

/// True where strides describe operand o completely: it is affine and its roles are at most one digit each.
constexpr bool is_strided(const lowered& form, const operand_facts& facts, int operand) {
  const roles role = roles_of(form, operand);
  return facts.affine && role.rows.count <= 1 && role.cols.count <= 1;
}

/// The strided functor of one operand. Precondition: is_strided.
constexpr run_time_map strided_map_of(const lowered& form, int operand) {
  const roles role = roles_of(form, operand);
  run_time_map map{.row = role.rows.count > 0 ? role.rows.at[0].stride[operand] : 0,
                   .col = role.cols.count > 0 ? role.cols.at[0].stride[operand] : 0,
                   .loop_rank = role.loop.count,
                   .rows = role.rows.size(),
                   .cols = role.cols.size()};
  for (int i = 0; i < map.loop_rank; ++i) {
    map.loop_extent[i] = role.loop.at[i].extent;
    map.loop_stride[i] = role.loop.at[i].stride[operand];
  }
  return map;
}

/// The digits of a role that did not merge.
constexpr split_index split_index_of(const digits& role, int operand) {
  split_index result{.count = role.count};
  for (int d = 0; d < role.count; ++d) {
    result.extent[d] = role.at[d].extent;
    result.stride[d] = role.at[d].stride[operand];
  }
  return result;
}

/// The functor of one operand whose layout is not affine, or whose roles did not merge.
template <layout_type Layout>
constexpr layout_map<Layout> layout_map_of(const Layout& layout, const lowered& form, const detail::lowering& in,
                                           int operand) {
  const roles role = roles_of(form, operand);
  const modes& letters = in.e.operand[operand];
  return {layout, part_of(role.rows, letters, in), part_of(role.cols, letters, in), part_of(role.loop, letters, in)};
}

}  // namespace tessera
