// SPDX-License-Identifier: BSD-3-Clause
// The plain peer's shapes for the contractions (3a)-(3d) and (4a)-(4f), P nodes and Q points per direction, and for
// those that assemble matrices up to order 4.
#pragma once

#include "peers/plain.hpp"

namespace tessera::bench {
namespace {

template <class T, int P, int Q>
void append_order(std::vector<plain_row>& rows) {
  append<by_column, T, shape_of<P * P, Q, P, false, true>>(rows);   // (4a)
  append<by_column, T, shape_of<P, Q, P, false, true>>(rows);       // (3a), (4b) in a loop
  append<by_column, T, shape_of<Q, Q * Q, P, false, false>>(rows);  // (4c)
  append<by_column, T, shape_of<Q, Q, P, false, false>>(rows);      // (3b)
  append<by_column, T, shape_of<Q * Q, P, Q, false, false>>(rows);  // (4d)
  append<by_column, T, shape_of<Q, P, Q, false, false>>(rows);      // (3c), (4e) in a loop
  append<by_column, T, shape_of<P, P * P, Q, true, false>>(rows);   // (4f)
  append<by_column, T, shape_of<P, P, Q, true, false>>(rows);       // (3d)
  if constexpr (P <= 5) {
    append<by_column, T, shape_of<P, Q, Q, false, false>>(rows);      // (1a)
    append<by_column, T, shape_of<P, Q * Q, Q, false, false>>(rows);  // (2a)
    append<by_column, T, shape_of<P, P, Q, false, false>>(rows);      // (1b), (2b) in a loop
    append<by_column, T, shape_of<P * P, P, Q, false, false>>(rows);  // (2c) in a loop
  }
}

template <class T>
std::vector<plain_row> fem_rows() {
  std::vector<plain_row> all;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((append_order<T, I + 2, I + 2>(all), append_order<T, I + 2, I + 3>(all)), ...);
  }
  (std::make_integer_sequence<int, std::min(8, TESSERA_LARGEST_PEER / 4)>{});
  return all;
}

}  // namespace
}  // namespace tessera::bench
