// SPDX-License-Identifier: BSD-3-Clause
// Fields at points in device memory are those of a CPU; a function that reads them gives the same on both.
#include "element_both_sides.hpp"
#include "element_checks.hpp"
#include "own_functions.hpp"
#include "own_source.hpp"

#include <tessera/cpu/element/own_function.hpp>
#include <tessera/fem/point_fields.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator;
using fem::element_operator_options;
using fem::point_fields;

}  // namespace

TEST_CASE("gpu fields at points: a state of cubes and of tetrahedra is that of a CPU", "[fem][fields][gpu][sanitize]") {
  if (absent()) return;
  const index_t elements = 37;
  for (const auto shape : {fem::element_shape::cube, fem::element_shape::simplex}) {
    const element_operator_options o{.trial = {.order = 2}, .points = 3, .shape = shape};
    element_operator_options there = o;
    there.on = target::cuda;
    const point_fields<double> on_cpu(3, at_state::state, o), on_gpu(3, at_state::state, there);
    const index_t of_D = at_state::factors * on_cpu.points();
    const std::vector<double> u0 = seeded<double>(on_cpu.trial_size() * elements, 1),
                              x = seeded<double>(on_cpu.trial_size() * elements, 2);
    std::vector<double> D(entry(of_D * elements), 0.5), y(x.size());
    const placed<double> gu0(u0, true), gx(x, true), gy(y, true), gD(D, true);
    const auto numbers = [](double* to) {
      return fem::field_numbers<double>{.D = to, .factors = at_state::factors, .first = at_state::of_state};
    };
    on_cpu.evaluate(elements, u0.data(), numbers(D.data()));
    on_gpu.evaluate(elements, gu0.data(), numbers(gD.data()));
    INFO(on_gpu.describe());
    CHECK(near(gD.read(), D));

    // Of an L-vector with its restriction.
    std::vector<std::int32_t> offsets(u0.size());
    for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = std::int32_t(offsets.size() - 1 - k / 2);
    const restriction G({.elements = elements,
                         .entries = on_cpu.trial_size(),
                         .size = index_t(offsets.size()),
                         .offsets = offsets.data()});
    on_cpu.evaluate(G, u0.data(), numbers(D.data()));
    on_gpu.evaluate(G, gu0.data(), numbers(gD.data()));
    CHECK(near(gD.read(), D));

    compiled_function<double> function = own_function<double>(at_state{}, "at_state");
    function.source = own_source("at_state");
    element_operator<double> A(function, elements, D.data(), o), B(function, elements, D.data(), there);
    B.data().set(0, elements, gD.data());
    A.apply(x.data(), y.data());
    B.apply(gx.data(), gy.data());
    INFO(B.describe());
    CHECK(near(gy.read(), y));
  }
}
