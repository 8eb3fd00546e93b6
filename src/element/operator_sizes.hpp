// SPDX-License-Identifier: BSD-3-Clause
// What an element operator is, wherever it runs: its name, its sizes, and what is known of its tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/element/operator_kind.hpp>

namespace tessera::detail {

struct operator_sizes {
  std::string name;                      // of the operator
  std::optional<operator_kind> kind;     // a built-in one
  int dim = 3, components = 1;           // components of x
  int trial_parts = 1, test_parts = 1;   // components of u and of v that the function couples
  int factors = 1;                       // numbers of D a point
  point_shape of_trial{}, of_test{};     // what the function takes and gives at a point
  bool dense = false;                    // tables of elements, not of directions
  index_t d = 1, q = 1, t = 1;           // a direction; of dense tables, an element
  bool symmetric = false;                // as far as is known
  bool nodal = false, mirrored = false;  // nodes are the points; tables mirror themselves
  bool own_slopes = false;               // derivatives are given, not C times the functions
  std::vector<double> slopes{};          // C as given, empty where it was not

  /// Times that the function applies to an element: to each component alike, or to all at once.
  int repeats() const { return components / trial_parts; }
  index_t power(index_t base) const {
    if (dense) return base;
    return dim == 3 ? base * base * base : dim == 2 ? base * base : base;
  }
  index_t trial_size() const { return power(d); }
  index_t test_size() const { return power(t); }
  index_t points() const { return power(q); }
  /// Numbers of D of one element.
  index_t entries() const { return points() * factors; }

  /// What kernels by lines are made for, one application to an element.
  element_kernel_facts kernel_facts(int entry_bytes) const {
    return {.dim = dim,
            .trial = int(d),
            .points = int(q),
            .test = int(t),
            .of_trial = of_trial,
            .of_test = of_test,
            .factors = factors,
            .nodal = nodal,
            .mirrors = mirrored,
            .entry_bytes = entry_bytes,
            .stored_bytes = entry_bytes,
            .own_slopes = own_slopes};
  }
};

}  // namespace tessera::detail
