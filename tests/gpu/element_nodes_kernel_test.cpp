// SPDX-License-Identifier: BSD-3-Clause
// Element kernels that compute D from the nodes, as they are set up and compiled, without a GPU.
#include <tessera/detail/element/geometry_factors.hpp>
#include <tessera/detail/element/operator_facts.hpp>

#include <string>

#include "compiled_kernel.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

element_kernel_facts facts_from_nodes(operator_kind kind, int dim, int p, int q, int nodes, int bytes = 8) {
  element_kernel_facts f = facts_of(kind, dim, p + 1, q, bytes);
  f.geometry = nodes;
  return f;
}

device::element_kernel kernel_of(operator_kind kind, const element_kernel_facts& f, bool most = false,
                                 bool at_points = false) {
  const scalar_type type = f.entry_bytes == 8 ? scalar_type::f64 : scalar_type::f32;
  return {.type = type,
          .function = pointwise_name(name_of(kind), f.dim),
          .text = "",
          .facts = f,
          .tuning = default_element_tuning(f),
          .variant = {.stored = type, .several = f.several, .unit = f.unit},
          .computed = {.kind = kind,
                       .given = most ? coefficients_of(kind, f.dim).most : coefficients_of(kind, f.dim).fewest,
                       .at_points = at_points}};
}

}  // namespace

TEST_CASE("gpu element kernel from nodes: the rules' tunings fit, on the smallest and the largest", "[element]") {
  for (const int architecture : {75, 90})
    for (const int dim : {1, 2, 3})
      for (int p = 1; p <= (dim == 3 ? 10 : 16); ++p)
        for (const int nodes : {2, p + 1})
          for (const int bytes : {4, 8})
            for (const bool several : {false, true})
              for (const operator_kind kind : all_operator_kinds) {
                const gpu_limits limits = gpu_limits_of(architecture);
                element_kernel_facts f = facts_from_nodes(kind, dim, p, p + 2, nodes, bytes);
                f.several = several;
                const element_tuning t = ruled_element_tuning(f, limits);
                INFO(name_of(kind) << " p " << p << ", " << nodes << " nodes, " << bytes << " bytes, sm_"
                                   << architecture);
                const std::string why = why_unfit(f, t, limits);
                CHECK((shared_bytes_of(f, t) > limits.shared_bytes ? why == "an element does not fit shared memory"
                                                                   : why.empty()));
              }
}

TEST_CASE("gpu element kernel from nodes: D is kept for several applications, and no record is taken", "[element]") {
  for (const operator_kind kind : all_operator_kinds) {
    element_kernel_facts f = facts_from_nodes(kind, 3, 3, 5, 2);
    CHECK(choose_element_tuning(f).from.name == "default");
    f.several = true;
    CHECK(ruled_element_tuning(f).staged);
    CHECK_FALSE(can_be_by_warp(f));
    CHECK(std::string(why_unfit(f, {.threads = 32, .by_warp = true})) == "a warp cannot hold an element");
  }
  const element_kernel_facts large = facts_from_nodes(operator_kind::elasticity, 3, 12, 14, 13);
  CHECK(std::string(why_unfit(large, ruled_element_tuning(large))) == "an element does not fit shared memory");
}

TEST_CASE("gpu element kernel from nodes: NVRTC takes every operator, dimension and variant", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const operator_kind kind : all_operator_kinds) {
    for (const int dim : {1, 2, 3}) check_compiles(kernel_of(kind, facts_from_nodes(kind, dim, 2, 4, 2)), 90);
    element_kernel_facts f = facts_from_nodes(kind, 3, 2, 4, 3, 4);
    f.several = true;
    f.unit = false;
    check_compiles(kernel_of(kind, f, true, true), 80);
  }
  // Nodes of x that are the points, y of other functions, more numbers of a line than stay in registers.
  element_kernel_facts nodal = facts_from_nodes(operator_kind::mass, 3, 2, 3, 3);
  nodal.nodal = true;
  check_compiles(kernel_of(operator_kind::mass, nodal), 90);
  device::element_kernel own =
      kernel_of(operator_kind::convection, facts_from_nodes(operator_kind::convection, 2, 3, 5, 4));
  own.facts.test = 3;
  own.own_test = true;
  check_compiles(own, 90);
  check_compiles(kernel_of(operator_kind::diffusion, facts_from_nodes(operator_kind::diffusion, 3, 6, 7, 7)), 90);
}

TEST_CASE("gpu element kernel from nodes: NVRTC leaves nothing in local memory", "[element][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check = [](operator_kind kind, int p, int q, int nodes) {
    const device::element_kernel kernel = kernel_of(kind, facts_from_nodes(kind, 3, p, q, nodes));
    INFO(name_of(kind) << " p " << p << " q " << q << ", " << nodes << " nodes");
    check_compiles(kernel, 90, 0);
  };
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
    for (const int more : {1, 2}) {
      for (int p = 1; p <= 8; ++p) check(kind, p, p + more, 2);
      for (int p = 2; p <= 4; ++p) check(kind, p, p + more, p + 1);
    }
}
