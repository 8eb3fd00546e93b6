// SPDX-License-Identifier: BSD-3-Clause
// One element operator as a case: its counts, its data, and the check of its result against the definition.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tessera/fem/element_operator.hpp>
#include <tessera/memory.hpp>

#include "reference.hpp"

namespace tessera::bench {

/// d functions and q points a direction.
struct element_sizes {
  operator_kind kind = operator_kind::mass;
  int dim = 3, components = 1;
  int p = 1, q = 3;
  bool nodal = false;  // the points are the Gauss-Lobatto nodes
  int geometry = 0;    // nodes a direction that D is computed from at each application; 0: it is stored
  bool simplex = false;
  bool own = false;  // the operator is given as a function of a user's own

  index_t power(index_t n) const { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }
  index_t functions() const {
    if (!simplex) return power(p + 1);
    return index_t(p + 1) * (p + 2) / 2 * (dim == 3 ? p + 3 : 3) / 3;
  }
  index_t points() const { return power(q); }
  /// Of one element, by sum factorisation without use of symmetry: values to the points, derivatives there, and back.
  /// Of simplices by dense tables.
  double flops() const;
  double flops_with_data() const;  ///< once D is there
  double flops_of_simplex() const;
  index_t geometry_nodes() const { return geometry > 0 ? power(geometry) : 0; }
  /// Of one element: x, D or the nodes and, written or updated, y.
  double bytes(bool add, std::size_t entry) const;
};

/// The operator of such elements.
fem::element_operator_options options_of(const element_sizes& s, target on);

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
  buffer memory_[3];  // aligned, as what they are compared with needs them
  buffer device_[3];
  const T* in_ = nullptr;  // where kernels work
  T* out_ = nullptr;
};

extern template struct element_case<float>;
extern template struct element_case<double>;

}  // namespace tessera::bench
