// SPDX-License-Identifier: BSD-3-Clause
// One operator between L-vectors as a case: a bent box of elements, its counts, its data, and the checks of results.
#pragma once

#include <memory>
#include <span>

#include <tessera/fem/global_operator.hpp>
#include <tessera/memory.hpp>

#include "box_numbers.hpp"
#include "definition/element_sizes.hpp"
#include "reference.hpp"

namespace tessera::bench {

/// On target::cuda the operator's vectors are in device memory.
template <class T>
struct global_case {
  element_sizes sizes;
  box_numbers numbers;
  std::span<T> x, y;                // L-vectors, components one after the other
  std::span<T> xE, yE;              // E-vectors of A->elements(), in its order; xE = G x
  std::span<T> D;                   // of the points, or the coordinates of the nodes; in the order of the list
  std::span<std::int32_t> offsets;  // the list, directly behind D
  std::unique_ptr<fem::global_operator<T>> A;

  /// `unknowns`: approximately as many numbers of x.
  global_case(const element_sizes& s, index_t unknowns, numbering how, target on);

  void run() { A->apply(in_, out_); }
  void run_elements() { A->elements().apply(in_E_, out_E_); }
  void fill_y();  // with NaN
  void fetch_y();
  void fetch_yE();

  /// Of one run after fill_y(): all numbers that the elements around three vertices alone have, against dense sums in
  /// long double.
  verdict check() const;
  /// The largest difference of y and another result, relative to the largest of y.
  verdict compared(std::span<const T> other) const;
  /// G^T yE.
  std::vector<T> summed_elements() const;

  index_t elements() const { return numbers.elements(); }
  /// x and y once, point data, and the list if wanted.
  double bytes(bool with_list) const;

 private:
  /// The address of memory of as many entries in device memory, filled if wanted.
  const T* send(int which, std::span<T> host, bool filled);

  restriction G_;
  buffer memory_[5];  // with the alignment and pages that the peers get, too
  buffer device_[5];
  const T *in_ = nullptr, *in_E_ = nullptr;
  T *out_ = nullptr, *out_E_ = nullptr;
};

extern template struct global_case<float>;
extern template struct global_case<double>;

}  // namespace tessera::bench
