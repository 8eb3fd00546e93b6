// SPDX-License-Identifier: BSD-3-Clause
// The pointwise function that an evaluation is of, whoever wrote it: a built-in one or the user's.
#pragma once

#include <string>

#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/element/evaluation.hpp>

#include "operator_sizes.hpp"

namespace tessera::detail {

struct function_facts {
  std::string name;
  int trial_parts, test_parts, factors;
  bool slopes;
  point_shape trial, test;
  function_source source;
};

/// Throws where it is none of the built-in ones.
void check_kind(operator_kind kind);

/// Throws where it is none that kernels could call: as much as can be known of a struct that a user has filled in.
template <class T>
void check_function(const compiled_function<T>& f);

/// Whether an element has fewer than 2^31 entries, so that those of its matrix can be counted.
bool element_fits(index_t functions, index_t components);

/// Of the dimensions 1, 2 and 3; others are taken for 3.
function_facts facts_of(operator_kind kind, int dim);

/// With what the function says of itself filled in.
operator_sizes sizes_of(const function_facts& f, int dim, int components);

template <class T>
function_facts facts_of(const compiled_function<T>& f) {
  return {f.name, f.trial_components, f.test_components, f.factors, f.slopes, f.trial, f.test, f.source};
}

}  // namespace tessera::detail
