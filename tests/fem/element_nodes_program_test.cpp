// SPDX-License-Identifier: BSD-3-Clause
// The phases of the GPU's element kernels that compute D from the nodes, run on the host: every operator and dimension.
#include "element_nodes_case.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using enum operator_kind;
using sizes = nodes_sizes;

template <class T, operator_kind kind, int dim, nodes_sizes s>
void check() {
  using sample = nodes_case<T, kind, dim, s>;
  INFO(name_of(kind) << " " << dim << "-D p " << s.p << " q " << s.q << ", " << s.nodes << " nodes, last " << s.last
                     << ", " << s.elements << " elements a block");
  CHECK(sample::worst(7, {1, 2, 3, 4, 5}, false, false) <= 1);
  CHECK(sample::worst(7, {6, 0, 3}, true, true) <= 1);
}

template <class T, operator_kind kind>
void check_dimensions() {
  check<T, kind, 1, sizes{.p = 2, .q = 4, .nodes = 2, .last = 0, .elements = 3}>();
  check<T, kind, 1, sizes{.p = 1, .q = 3, .nodes = 3, .last = 0, .elements = 3, .staged = true}>();
  check<T, kind, 2, sizes{.p = 1, .q = 3, .nodes = 2, .last = 1, .elements = 2}>();
  check<T, kind, 2, sizes{.p = 2, .q = 4, .nodes = 3, .most = true, .last = 0, .elements = 3, .staged = true}>();
  check<T, kind, 3, sizes{.p = 1, .q = 2, .nodes = 2, .most = true, .last = 2, .elements = 4}>();
  check<T, kind, 3, sizes{.p = 2, .q = 4, .nodes = 2, .last = 1, .elements = 2, .staged = true}>();
  check<T, kind, 3, sizes{.p = 2, .q = 3, .nodes = 3, .last = 2, .elements = 2}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element nodes: mass and diffusion", "[fem][element]", float, double) {
  check_dimensions<TestType, mass>();
  check_dimensions<TestType, diffusion>();
}

TEST_CASE("gpu element nodes: other operators", "[fem][element]") {
  check_dimensions<double, helmholtz>();
  check_dimensions<double, convection>();
  check_dimensions<double, elasticity>();
  check_dimensions<double, advection_diffusion>();
}

TEST_CASE("gpu element nodes: derivatives taken directly", "[fem][element]") {
  check<double, diffusion, 3, sizes{.p = 2, .q = 4, .nodes = 2, .last = 2, .elements = 3, .direct = true}>();
  check<double, diffusion, 3,
        sizes{.p = 3, .q = 5, .nodes = 4, .most = true, .last = 1, .elements = 2, .direct = true}>();
  check<double, diffusion, 2, sizes{.p = 3, .q = 4, .nodes = 4, .last = 1, .elements = 3, .direct = true}>();
  check<double, helmholtz, 3,
        sizes{.p = 2, .q = 4, .nodes = 3, .mirrored = false, .last = 0, .elements = 2, .direct = true}>();
  check<double, convection, 3,
        sizes{.p = 3, .q = 4, .nodes = 3, .own_test = true, .last = 2, .direct = true, .staged = true}>();
}

TEST_CASE("gpu element nodes: orders of geometry", "[fem][element]") {
  check<double, mass, 3, sizes{.p = 3, .q = 5, .nodes = 4, .last = 1, .elements = 3}>();
  check<double, mass, 3, sizes{.p = 4, .q = 6, .nodes = 5, .last = 2, .elements = 2}>();
  check<double, diffusion, 3, sizes{.p = 5, .q = 6, .nodes = 6, .last = 2, .direct = true}>();
  check<double, diffusion, 3, sizes{.p = 2, .q = 7, .nodes = 7, .last = 0, .direct = true, .staged = true}>();
  check<double, mass, 2, sizes{.p = 6, .q = 8, .nodes = 7, .last = 0, .elements = 3}>();
}

TEST_CASE("gpu element nodes: fewer points than functions", "[fem][element]") {
  check<double, diffusion, 3, sizes{.p = 3, .q = 3, .nodes = 4, .last = 2, .elements = 2, .direct = true}>();
  check<double, diffusion, 3,
        sizes{.p = 3, .q = 2, .nodes = 2, .last = 1, .elements = 2, .direct = true, .staged = true}>();
  check<double, diffusion, 1, sizes{.p = 3, .q = 3, .nodes = 4, .elements = 2, .direct = true}>();
  check<double, mass, 3, sizes{.p = 1, .q = 2, .nodes = 3, .last = 1, .elements = 2}>();
  check<double, mass, 2, sizes{.p = 1, .q = 2, .nodes = 4, .last = 1, .elements = 2}>();
}

TEST_CASE("gpu element nodes: nodes of x that are the points", "[fem][element]") {
  check<double, mass, 3, sizes{.p = 2, .q = 3, .nodes = 3, .nodal = true, .last = 2}>();
  check<double, mass, 3, sizes{.p = 2, .q = 3, .nodes = 2, .nodal = true, .last = 1, .elements = 2, .staged = true}>();
  check<double, mass, 2, sizes{.p = 3, .q = 4, .nodes = 2, .nodal = true, .last = 1}>();
  check<double, helmholtz, 3, sizes{.p = 3, .q = 4, .nodes = 4, .nodal = true, .last = 2, .elements = 2}>();
  check<double, elasticity, 2, sizes{.p = 2, .q = 3, .nodes = 3, .nodal = true, .last = 0, .elements = 3}>();
}

TEST_CASE("gpu element nodes: sides, components, any layout, coefficients at points", "[fem][element]") {
  check<double, mass, 3,
        sizes{.p = 2, .q = 4, .nodes = 2, .at_points = true, .last = 2, .elements = 2, .several = true}>();
  check<double, diffusion, 3,
        sizes{.p = 2,
              .q = 3,
              .nodes = 3,
              .most = true,
              .at_points = true,
              .last = 1,
              .elements = 2,
              .several = true,
              .unit = false,
              .direct = true,
              .staged = true}>();
  check<double, helmholtz, 2,
        sizes{.p = 2,
              .q = 3,
              .nodes = 3,
              .most = true,
              .at_points = true,
              .last = 1,
              .elements = 3,
              .several = true,
              .unit = false}>();
  check<
      float, elasticity, 3,
      sizes{
          .p = 1, .q = 3, .nodes = 2, .at_points = true, .last = 2, .elements = 2, .several = true, .staged = true}>();
  check<double, convection, 1,
        sizes{.p = 2, .q = 4, .nodes = 2, .at_points = true, .elements = 3, .several = true, .unit = false}>();
}

namespace {

template <int dim, int nodes, int q, bool staged>
void check_layout() {
  using form = device::element_form<dim, 3, q, 3, false, false, true>;
  constexpr int entries = device::power_of(q, dim);
  using shape =
      device::element_shape<2, (2 * entries / q + 31) / 32 * 32, 1, dim - 1, 0, false, staged, q, q * q, entries>;
  using source = device::from_nodes<diffusion, nodes, 1, false>;
  using function = pointwise::diffusion<dim>;
  using data = device::computed_data<double, source, function, form, shape, false,
                                     device::e_vector_loader<double, true>, device::e_vector_storer<double, true>>;
  using program = device::program_with_nodes<device::collocated_program<data>>;
  element_kernel_facts facts = facts_of(diffusion, dim, 3, q, 8);
  facts.geometry = nodes;
  const element_tuning tuning{.elements = 2, .staged = staged, .pitch = {q, q * q}, .pitch_element = entries};
  CHECK(shared_bytes_of(facts, tuning) == 8 * program::shared_entries);
}

}  // namespace

TEST_CASE("gpu element nodes: shared memory is counted as the kernel lays it out", "[fem][element]") {
  check_layout<1, 2, 4, true>();
  check_layout<2, 3, 4, false>();
  check_layout<2, 2, 5, true>();
  check_layout<3, 2, 4, false>();
  check_layout<3, 2, 5, true>();
  check_layout<3, 3, 4, false>();
  check_layout<3, 5, 6, true>();
}
