// SPDX-License-Identifier: BSD-3-Clause
// The matrices of elements as a case: their counts, their data, and the check of some columns against the definition.
#pragma once

#include <memory>
#include <vector>

#include "element_case.hpp"

namespace tessera::bench {

/// Matrices of `elements` elements; on target::cuda in device memory.
template <class T>
struct matrix_case {
  element_sizes sizes;
  matrix_storage how;
  index_t elements;
  std::vector<T> D;
  std::unique_ptr<fem::element_operator<T>> A;

  matrix_case(const element_sizes& s, matrix_storage how, index_t elements, target on);

  double read_bytes() const { return double(D.size()) * sizeof(T); }
  double written_bytes() const { return double(A->matrix_entries(how)) * double(elements) * sizeof(T); }
  /// By sum factorisation of all columns, each pair of derivatives by itself, without symmetry.
  double flops() const;

  /// NaN everywhere.
  void poison();
  void run() { A->assemble(0, elements, M(), how); }
  /// Of one run after poison().
  verdict check() const;
  T* M() const { return static_cast<T*>(memory_.data()); }

 private:
  buffer memory_;
};

extern template struct matrix_case<float>;
extern template struct matrix_case<double>;

}  // namespace tessera::bench
