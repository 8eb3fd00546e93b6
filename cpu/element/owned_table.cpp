// SPDX-License-Identifier: BSD-3-Clause
// Brings 1-D tables into the form that element kernels take.
#include "owned_table.hpp"

#include "src/element/line_tables.hpp"

namespace tessera::detail {

namespace {

std::size_t at(index_t i) { return std::size_t(i); }

index_t padded_rows(index_t rows) { return (rows + rows_at_once - 1) / rows_at_once * rows_at_once; }

}  // namespace

template <class T>
owned_table<T>::owned_table(const std::vector<double>& entries, index_t m, index_t n, int sign)
    : m_(m), n_(n), mirrored_(mirrors(entries, m, n, sign)), entries_(entries) {}

template <class T>
line_table<T> owned_table<T>::lay_out(bool any_sizes, int width) {
  const auto rows_of = [&](index_t rows) { return any_sizes ? padded_rows(rows) : rows; };
  const index_t rows = rows_of(m_), half = rows_of((m_ + 1) / 2), pairs = n_ / 2, evens = (n_ + 1) / 2;
  const index_t whole_entries = rows * n_ * width, even_entries = half * evens * width,
                odd_entries = half * pairs * width;
  memory_ = buffer(space_kind::cpu, at(whole_entries + even_entries + odd_entries) * sizeof(T));
  T* const whole = static_cast<T*>(memory_.data());
  T *const even = whole + whole_entries, *const odd = even + even_entries;
  const auto put = [&](T* table, index_t i, double value) {
    for (index_t w = 0; w < width; ++w) table[i * width + w] = T(value);
  };
  const auto entry = [&](index_t k, index_t i) { return entries_[at(k + m_ * i)]; };

  for (index_t i = 0; i < n_; ++i)
    for (index_t k = 0; k < m_; ++k) put(whole, k + rows * i, entry(k, i));
  for (index_t k = 0; k < (m_ + 1) / 2; ++k) {
    for (index_t i = 0; i < pairs; ++i) {
      put(even, k + half * i, (entry(k, i) + entry(k, n_ - 1 - i)) / 2);
      put(odd, k + half * i, (entry(k, i) - entry(k, n_ - 1 - i)) / 2);
    }
    if (n_ % 2 == 1) put(even, k + half * pairs, entry(k, pairs));
  }
  return {.whole = whole, .even = even, .odd = odd, .m = m_, .n = n_};
}

template class owned_table<float>;
template class owned_table<double>;

}  // namespace tessera::detail
