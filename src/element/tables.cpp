// SPDX-License-Identifier: BSD-3-Clause
// Brings 1-D tables into the form that element kernels take.
#include "state.hpp"

namespace tessera::detail {

namespace {

constexpr index_t rows_at_once = 4;  // as in kernels of any size

std::size_t at(index_t i) { return std::size_t(i); }

index_t padded_rows(index_t rows) { return (rows + rows_at_once - 1) / rows_at_once * rows_at_once; }

bool mirrors(const std::vector<double>& entries, index_t m, index_t n, int sign) {
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < m; ++k)
      if (entries[at((m - 1 - k) + m * (n - 1 - i))] != sign * entries[at(k + m * i)]) return false;
  return true;
}

}  // namespace

std::vector<double> transposed(const std::vector<double>& entries, index_t m, index_t n) {
  std::vector<double> result(entries.size());
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < m; ++k) result[at(i + n * k)] = entries[at(k + m * i)];
  return result;
}

template <class T>
owned_table<T>::owned_table(const std::vector<double>& entries, index_t m, index_t n, int sign)
    : m_(m), n_(n), mirrored_(mirrors(entries, m, n, sign)) {
  const index_t rows = padded_rows(m);
  whole_.assign(at(rows * n), T(0));
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < m; ++k) whole_[at(k + rows * i)] = T(entries[at(k + m * i)]);
  if (!mirrored_) return;

  const auto halves = [&](index_t stride, std::vector<T>& even, std::vector<T>& odd) {
    even.assign(at(stride * ((n + 1) / 2)), T(0));
    odd.assign(at(stride * (n / 2)), T(0));
    for (index_t k = 0; k < (m + 1) / 2; ++k) {
      for (index_t i = 0; i < n / 2; ++i) {
        const double left = entries[at(k + m * i)], right = entries[at(k + m * (n - 1 - i))];
        even[at(k + stride * i)] = T((left + right) / 2);
        odd[at(k + stride * i)] = T((left - right) / 2);
      }
      if (n % 2 == 1) even[at(k + stride * (n / 2))] = T(entries[at(k + m * (n / 2))]);
    }
  };
  halves((m + 1) / 2, even_, odd_);
  halves(padded_rows((m + 1) / 2), even_padded_, odd_padded_);
}

template <class T>
line_table<T> owned_table<T>::view(bool padded) const {
  return {.whole = whole_.data(),
          .even = padded ? even_padded_.data() : even_.data(),
          .odd = padded ? odd_padded_.data() : odd_.data(),
          .m = m_,
          .n = n_};
}

template class owned_table<float>;
template class owned_table<double>;

}  // namespace tessera::detail
