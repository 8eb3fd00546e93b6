// SPDX-License-Identifier: BSD-3-Clause
// The sources of element kernels: which instantiation an operator needs.
#pragma once

#include <string>

#include <tessera/core/scalar_type.hpp>
#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/element/matrix_choice.hpp>
#include <tessera/element/operator_kind.hpp>
#include <tessera/gpu/detail/element/dense_layout.hpp>
#include <tessera/gpu/detail/element/diagonal_layout.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

namespace tessera::device {

/// Properties of a launch that are compiled in.
struct element_variant {
  scalar_type stored = scalar_type::f64;  // D in memory
  bool several = false;                   // the function applies more than once to an element
  int repeats = 1;                        // to its components, where there is one right hand side
  bool unit = true;                       // entries of x and y lie side by side
  bool adjacent = true;                   // components and elements, too, and none is left out
  bool l_vectors = false;                 // x and y are L-vectors, and the rest says how (l_vector_call.hpp)
  bool wide = false, atomic = false;
  bool dots = false;  // x.y of each element, too

  friend constexpr bool operator==(const element_variant&, const element_variant&) = default;
};

/// From and to L-vectors.
constexpr element_variant l_vector_variant(scalar_type stored, int repeats, bool wide, bool atomic, bool dots = false) {
  return {.stored = stored,
          .several = repeats > 1,
          .repeats = repeats,
          .unit = false,
          .adjacent = false,
          .l_vectors = true,
          .wide = wide,
          .atomic = atomic,
          .dots = dots};
}

/// What the kernel computes D of, from facts.geometry nodes a direction.
struct computed_data_of {
  operator_kind kind = operator_kind::mass;
  int given = 1;           // coefficients
  bool at_points = false;  // of their own for each point
};

struct element_kernel {
  scalar_type type = scalar_type::f64;
  std::string function;  // the pointwise function's type, in C++
  std::string text;      // what declares it; empty for those of <tessera/element/pointwise.hpp>
  element_kernel_facts facts;
  bool own_test = false;  // y's functions are not x's
  element_tuning tuning;
  element_variant variant;
  computed_data_of computed{};  // where facts.geometry says that D is
};

jit_source source_of(const element_kernel& what);

/// A kernel of dense tables.
struct dense_kernel {
  scalar_type type = scalar_type::f64;
  std::string function;  // as of an element_kernel
  std::string text;
  int dim = 3;
  dense_sizes sizes;
  dense_tuning tuning;
  element_variant variant;
};

jit_source source_of(const dense_kernel& what);

/// A kernel of element matrices, of a built-in function.
struct matrix_kernel {
  scalar_type type = scalar_type::f64, stored = scalar_type::f64;
  std::string function;
  matrix_facts facts;
  matrix_tuning tuning;
};

jit_source source_of(const matrix_kernel& what);

/// A kernel of diagonals, of a built-in function.
struct diagonal_kernel {
  scalar_type type = scalar_type::f64, stored = scalar_type::f64;
  std::string function;
  diagonal_sizes sizes;
  bool dense = false;
  diagonal_tuning tuning;
};

jit_source source_of(const diagonal_kernel& what);

}  // namespace tessera::device
