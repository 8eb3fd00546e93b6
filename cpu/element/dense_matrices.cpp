// SPDX-License-Identifier: BSD-3-Clause
// Goes over elements block by block: get D, run the kernel of columns, scatter them.
#include "dense_matrices.hpp"

#include <algorithm>

#include "block_loop.hpp"

namespace tessera::detail {

template <class T>
dense_matrices<T>::dense_matrices(const cpu_operator<T>& s)
    : kernels_(*s.kernels),
      dense_(s.dense_tables),
      repeats_(s.repeats()),
      rows_(s.test_size() * s.test_parts),
      columns_(s.trial_size() * s.trial_parts),
      all_rows_(rows_ * repeats_),
      all_columns_(columns_ * repeats_) {}

template <class T>
void dense_matrices<T>::put(const T* y, index_t column, const lane_elements& which, const matrices& to_all) const {
  const matrix_storage how = to_all.how;
  const bool lower = how == matrix_storage::lower_packed;
  const index_t size = matrix_entries(all_rows_, all_columns_, how), top = lower ? column : 0;
  for (int r = 0; r < repeats_; ++r) {
    const index_t first = rows_ * r + top, all = columns_ * r + column;
    lane_starts<T> to;
    to.active = which.active;
    for (index_t w = 0; w < kernels_.lanes; ++w) {
      T* const matrix = to_all.M + size * (which.element[w] - to_all.first);
      to.start[w] = matrix + matrix_place(first, all, all_rows_, how);
      if (!to.is_active(int(w))) continue;
      T* const before = lower ? to.start[w] : to.start[w] - first;
      std::fill(before, to.start[w], T(0));
      std::fill(to.start[w] + (rows_ - top), to.start[w] + (all_rows_ - first), T(0));
    }
    kernels_.scatter(y + top * kernels_.lanes, rows_ - top, to, false);
  }
}

template <class T>
void dense_matrices<T>::run(index_t first, index_t count, T* M, matrix_storage how, const block_source<T>& D) const {
  const element_blocks blocks(element_set::range(first, first + count), kernels_.lanes);
  const index_t lanes = blocks.lanes(), work = aligned(dense_->function.scratch() * lanes),
                own = aligned(work + rows_ * lanes);
  const double flops =
      2.0 * double(blocks.count() * lanes) * double(columns_) * double(rows_ * dense_->function.tables.q);
  for_block_chunks<T>(blocks, own + D.scratch(), flops < serial_flops, [&](const block_chunk<T>& chunk) {
    element_block<T> block{.y = chunk.scratch + work, .scratch = chunk.scratch, .function = &dense_->function};
    chunk.each([&](const lane_elements& which, index_t) {
      block.D = D.block(which, chunk.scratch + own);
      for (index_t j = 0; j < columns_; ++j) {
        kernels_.dense.column(block, j, how == matrix_storage::lower_packed);
        put(block.y, j, which, {M, first, how});
      }
    });
  });
}

template <class T>
std::string dense_matrices<T>::describe() const {
  return "by columns of dense tables, " + std::to_string(kernels_.lanes) + " elements at a time";
}

template class dense_matrices<float>;
template class dense_matrices<double>;

}  // namespace tessera::detail
