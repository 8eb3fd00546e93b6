// SPDX-License-Identifier: BSD-3-Clause
// Which way to make matrices is tried first: decision 18.
#include "matrix_way.hpp"

#include <utility>

namespace tessera::detail {

template <class T>
matrix_way<T> matrix_way_for(const matrix_request& r) {
  for (const auto way : {&by_distinct_numbers<T>, &by_lines_in_halves<T>, &by_strips<T>, &by_parities<T>, &by_pairs<T>})
    if (auto found = way(r)) return std::move(*found);
  return *by_columns<T>(r);
}

template matrix_way<float> matrix_way_for(const matrix_request&);
template matrix_way<double> matrix_way_for(const matrix_request&);

}  // namespace tessera::detail
