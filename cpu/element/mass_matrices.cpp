// SPDX-License-Identifier: BSD-3-Clause
// Goes over elements block by block: get D, run the kernel that writes their matrices.
#include "mass_matrices.hpp"

#include <algorithm>

#include <tessera/device_facts.hpp>

#include "block_loop.hpp"

namespace tessera::detail {

namespace {

// Places that are looked up; more would not fit the L2 of most machines beside the numbers.
constexpr index_t most_places = 60000;

std::size_t at(index_t i) { return std::size_t(i); }

// Of these very sizes, else of any.
template <class T>
const mass_matrix_row<T>& row_for(const element_kernels<T>& kernels, int dim, const matrix_pairs<T>& p) {
  const auto serves = [&](const mass_matrix_row<T>& row) {
    const bool any = row.functions == 0;
    const bool alike = p.trial == p.test && p.count == p.trial * (p.trial + 1) / 2;
    return row.dim == dim && (any || (alike && row.functions == p.trial && row.points == p.points));
  };
  return *std::find_if(kernels.matrices.begin(), kernels.matrices.end(), serves);
}

}  // namespace

template <class T>
mass_matrices<T>::mass_matrices(const cpu_operator<T>& s, const evaluation_spec& spec)
    : kernels_(*s.kernels),
      components_(s.components),
      rows_(s.test_size() * s.components),
      columns_(s.trial_size() * s.components),
      pair_(at(s.t * s.d)) {
  const index_t d = s.d, q = s.q, t = s.t, width = s.kernels->table_width;
  std::vector<index_t> pairs;  // by their number, i + t j
  for (index_t j = 0; j < d; ++j)
    for (index_t i = 0; i < t; ++i) {
      const bool known = s.symmetric && i < j;
      pair_[at(i + t * j)] = known ? pair_[at(j + t * i)] : int(pairs.size());
      if (!known) pairs.push_back(i + t * j);
    }
  const index_t count = index_t(pairs.size()), entries = q * count * width;
  tables_ = buffer(space_kind::cpu, at(entries + q * t * d * width) * sizeof(T));
  T *const of_pairs = static_cast<T*>(tables_.data()), *const of_columns = of_pairs + entries;
  const auto put = [&](T* table, index_t place, index_t functions) {
    for (index_t k = 0; k < q; ++k) {
      const double product =
          spec.test_functions[at(k + q * (functions % t))] * spec.interpolate[at(k + q * (functions / t))];
      for (index_t w = 0; w < width; ++w) table[(k + q * place) * width + w] = T(product);
    }
  };
  for (index_t p = 0; p < count; ++p) put(of_pairs, p, pairs[at(p)]);
  for (index_t n = 0; n < t * d; ++n) put(of_columns, n, n);
  pairs_ = {of_pairs, of_columns, pair_.data(), nullptr, count, d, q, t};
  row_ = row_for(*s.kernels, s.dim, pairs_);
  const index_t rows = s.test_size(), columns = s.trial_size() / d;
  if (rows * columns > most_places) return;
  places_.resize(at(rows * columns));
  for (index_t c = 0; c < columns; ++c) row_.place_column(pairs_, c, places_.data() + rows * c);
  pairs_.places = places_.data();
}

template <class T>
void mass_matrices<T>::run(index_t first, index_t count, T* M, matrix_storage how, const block_source<T>& D) const {
  const index_t size = matrix_entries(rows_, columns_, how);
  const bool nontemporal = double(size) * double(count) * sizeof(T) > double(last_level_cache_bytes(kernels_.isa));
  const index_t a_step = prefetcher::step_for(D.memory_bytes(), row_.steps(pairs_) * components_);
  const bool serial = double(size) * double(count) < serial_flops;
  const element_blocks blocks(element_set::range(first, first + count), kernels_.lanes);
  const index_t work = aligned(row_.scratch(pairs_));
  for_block_chunks<T>(blocks, work + D.scratch(), serial, [&](const block_chunk<T>& chunk) {
    matrix_block<T> block{
        .scratch = chunk.scratch, .pairs = &pairs_, .components = components_, .how = how, .nontemporal = nontemporal};
    chunk.each([&](const lane_elements& which, index_t b) {
      block.D = D.block(which, chunk.scratch + work);
      block.M.active = which.active;
      for (index_t w = 0; w < blocks.lanes(); ++w) block.M.start[w] = M + size * (which.element[w] - first);
      prefetcher next;
      if (b + 1 < chunk.end) next = prefetcher(D.memory_of(blocks.number(b + 1)), D.memory_bytes(), nullptr, 0, a_step);
      block.prefetch = &next;
      row_.run(block);
    });
    if (nontemporal) kernels_.end_stream();
  });
}

template <class T>
std::string mass_matrices<T>::describe() const {
  return "each distinct number of a matrix once, " + std::to_string(kernels_.lanes) + " elements at a time" +
         (row_.functions > 0 ? ", compiled for these sizes" : "");
}

template class mass_matrices<float>;
template class mass_matrices<double>;

}  // namespace tessera::detail
