// SPDX-License-Identifier: BSD-3-Clause
// Goes over elements block by block: get D, run the kernel of diagonals, scatter them.
#include "diagonals.hpp"

#include <vector>

#include <tessera/error.hpp>

#include "block_loop.hpp"
#include "src/element/line_tables.hpp"

namespace tessera::detail {

namespace {

std::size_t at(index_t i) { return std::size_t(i); }

// A rough count, for the question whether threads are worth waking.
constexpr double flops_a_point = 100;

}  // namespace

template <class T>
element_diagonals<T>::element_diagonals(const cpu_operator<T>& s, index_t scratch)
    : kernels_(*s.kernels),
      row_(row_of(s.kernels->diagonals, *s.kind, s.dim)),
      parts_(s.trial_parts),
      repeats_(s.repeats()),
      size_(s.trial_size()),
      scratch_(scratch) {
  if (row_.run == nullptr || row_.scratch == nullptr)
    throw error("evaluation: " + s.name + ": no kernel of diagonals was compiled for it", status::internal);
  products_.functions = s.d;
  products_.points = s.q;
}

template <class T>
element_diagonals<T>::element_diagonals(const cpu_operator<T>& s, const evaluation_spec& spec)
    : element_diagonals(s, 0) {
  scratch_ = row_.scratch(s.d, s.q);
  const index_t d = s.d, q = s.q, width = s.kernels->table_width;
  const auto slopes = [&](const std::vector<double>& given, const std::vector<double>& values) {
    if (!given.empty() || spec.differentiate.empty()) return given;
    return slopes_of(spec.differentiate, values, q, d);
  };
  const std::vector<double> test[2] = {spec.test_functions, slopes(spec.test_gradients, spec.test_functions)};
  const std::vector<double> trial[2] = {spec.interpolate, slopes(spec.gradients, spec.interpolate)};
  tables_ = buffer(space_kind::cpu, at(4 * q * d * width) * sizeof(T));
  T* table = static_cast<T*>(tables_.data());
  for (int o = 0; o < 2; ++o)
    for (int i = 0; i < 2; ++i, table += q * d * width) {
      if (test[o].empty() || trial[i].empty()) continue;  // of an operator without derivatives
      products_.of[o][i] = table;
      for (index_t n = 0; n < q * d; ++n)
        for (index_t w = 0; w < width; ++w) table[n * width + w] = T(test[o][at(n)] * trial[i][at(n)]);
    }
}

template <class T>
element_diagonals<T>::element_diagonals(const cpu_operator<T>& s) : element_diagonals(s, s.q) {
  products_.dense = &s.dense_tables->function.tables;
}

template <class T>
void element_diagonals<T>::run(index_t first, index_t count, T* y, const block_source<T>& D) const {
  const element_blocks blocks(element_set::range(first, first + count), kernels_.lanes);
  const index_t lanes = blocks.lanes(), work = aligned(scratch_ * lanes), own = aligned(work + size_ * parts_ * lanes);
  const bool serial = double(blocks.count() * lanes) * double(products_.points * size_) * flops_a_point < serial_flops;
  for_block_chunks<T>(blocks, own + D.scratch(), serial, [&](const block_chunk<T>& chunk) {
    diagonal_block<T> block{.y = chunk.scratch + work, .scratch = chunk.scratch, .products = &products_};
    chunk.each([&](const lane_elements& which, index_t) {
      block.D = D.block(which, chunk.scratch + own);
      row_.run(block);
      for (int c = 0; c < repeats_ * parts_; ++c) {
        lane_starts<T> to;
        to.active = which.active;
        for (index_t w = 0; w < lanes; ++w)
          to.start[w] = y + size_ * (c + index_t(repeats_) * parts_ * (which.element[w] - first));
        kernels_.scatter(block.y + size_ * (c % parts_) * lanes, size_, to, false);
      }
    });
  });
}

template class element_diagonals<float>;
template class element_diagonals<double>;

}  // namespace tessera::detail
