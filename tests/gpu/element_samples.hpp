// SPDX-License-Identifier: BSD-3-Clause
// The built-in functions with what their kernels depend on.
#pragma once

#include <tessera/element/element_tuning.hpp>
#include <tessera/element/pointwise.hpp>

#include <string>
#include <vector>

namespace tessera::testing {

struct sample {
  std::string function;
  element_kernel_facts facts;
};

template <template <int> class Function, int dim>
sample sample_of(const char* name, int p, int q, bool nodal, int bytes) {
  using F = Function<dim>;
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
  return {sample_of<pointwise::mass, dim>("mass", p, q, nodal, bytes),
          sample_of<pointwise::diffusion, dim>("diffusion", p, q, nodal, bytes),
          sample_of<pointwise::helmholtz, dim>("helmholtz", p, q, nodal, bytes),
          sample_of<pointwise::convection, dim>("convection", p, q, nodal, bytes),
          sample_of<pointwise::elasticity, dim>("elasticity", p, q, nodal, bytes)};
}

inline std::vector<sample> samples(int dim, int p, int q, bool nodal, int bytes) {
  return dim == 1   ? samples_in<1>(p, q, nodal, bytes)
         : dim == 2 ? samples_in<2>(p, q, nodal, bytes)
                    : samples_in<3>(p, q, nodal, bytes);
}

}  // namespace tessera::testing
