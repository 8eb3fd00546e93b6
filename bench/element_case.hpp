// SPDX-License-Identifier: BSD-3-Clause
// One element operator as a case: its counts, its data, and the check of its result against the definition.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/fem/element_operator.hpp>
#include <tessera/memory.hpp>

#include "definition/element_sizes.hpp"
#include "reference.hpp"

namespace tessera::bench {

/// The operator of such elements.
fem::element_operator_options options_of(const element_sizes& s, target on);

/// Roundings on the longest path of an element, per unit of the magnitudes, which count every product on it.
index_t roundings_of(const element_sizes& s);

/// Its name in tables: "diffusion 3-D p=4 q=6".
std::string label_of(const element_sizes& s, bool add);

/// Elements with their operator and E-vectors; on target::cuda the operator's are in device memory.
template <class T>
struct element_case {
  element_sizes sizes;
  bool add;
  index_t elements;
  std::span<T> x, y, D;  // D: of the element's points, or the coordinates of its nodes
  std::unique_ptr<fem::element_operator<T>> A;

  element_case(const element_sizes& s, bool add, index_t elements, target on);
  void fill_y();
  void run() { add ? A->add(in_, out_) : A->apply(in_, out_); }
  /// Brings y to the host.
  void fetch_y();
  /// Of one run after fill_y(): some elements against dense sums in long double.
  verdict check() const;

 private:
  buffer memory_[3];  // aligned as the peers need them
  buffer device_[3];
  const T* in_ = nullptr;  // operands of the kernels
  T* out_ = nullptr;
};

extern template struct element_case<float>;
extern template struct element_case<double>;

}  // namespace tessera::bench
