// SPDX-License-Identifier: BSD-3-Clause
// The built-in functions with what their kernels depend on.
#pragma once

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/element/operators.hpp>

#include <string>
#include <vector>

namespace tessera::testing {

struct sample {
  std::string function;
  element_kernel_facts facts;
};

template <class F>
sample sample_of(const char* name, int p, int q, bool nodal, int bytes) {
  constexpr int dim = F::dim;
  return {std::string("tessera::pointwise::") + name + "<" + std::to_string(dim) + ">",
          {.dim = dim,
           .trial = p + 1,
           .points = q,
           .test = p + 1,
           .of_trial = F::trial,
           .of_test = F::test,
           .factors = F::factors,
           .nodal = nodal,
           .entry_bytes = bytes,
           .stored_bytes = bytes}};
}

template <int dim>
std::vector<sample> samples_in(int p, int q, bool nodal, int bytes) {
  std::vector<sample> samples;
  for_each_kind([&]<operator_kind kind>(known_kind<kind>) {
    samples.push_back(sample_of<operator_function<kind, dim>>(name_of(kind), p, q, nodal, bytes));
  });
  return samples;
}

inline std::vector<sample> samples(int dim, int p, int q, bool nodal, int bytes) {
  return dim == 1   ? samples_in<1>(p, q, nodal, bytes)
         : dim == 2 ? samples_in<2>(p, q, nodal, bytes)
                    : samples_in<3>(p, q, nodal, bytes);
}

}  // namespace tessera::testing
