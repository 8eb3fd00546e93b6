// SPDX-License-Identifier: BSD-3-Clause
// With non-temporal stores whole lines of y are written from scratch memory, and y may stand in the place of x: results
// are those of plain applications, to the last bit.
#include "own_functions.hpp"
#include "seeded.hpp"
#include "testing/catch.hpp"
#include "testing/targets.hpp"

#include <tessera/cpu/element/own_function.hpp>
#include <tessera/element/evaluation.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;

constexpr index_t elements = 37;
constexpr element_run plain{0, 0, 0}, streams{8, 1, 1, 3};

// (m,n), mirrored with that sign to the last bit.
std::vector<double> table(int m, int n, int sign) {
  const std::vector<double> some = seeded<double>(m * n, 5 + m);
  std::vector<double> all(some.size());
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      all[std::size_t(k + m * i)] =
          some[std::size_t(k + m * i)] + sign * some[std::size_t(m - 1 - k + m * (n - 1 - i))];
  return all;
}

evaluation_spec spec_of(operator_kind kind, int dim, int d, int q, target on) {
  evaluation_spec s{.kind = kind, .dim = dim, .components = coupled_components(kind, dim), .trial = d, .points = q};
  s.interpolate = table(q, d, 1);
  s.differentiate = table(q, q, -1);
  s.on = on;
  if (q < d) s.gradients = table(q, d, -1);
  return s;
}

evaluation_spec with_nodes_as_points(evaluation_spec s) {
  std::fill(s.interpolate.begin(), s.interpolate.end(), 0.0);
  for (int i = 0; i < s.trial; ++i) s.interpolate[std::size_t(i * (s.points + 1))] = 1;
  return s;
}

evaluation_spec with_test(evaluation_spec s, int t) {
  s.test = t;
  s.test_functions = table(s.points, t, 1);
  return s;
}

// make(spec) is the evaluation.
template <class Make>
void check(evaluation_spec spec, const Make& make, point_storage how = point_storage::same, int sides = 1) {
  spec.run = plain;
  const evaluation<double> wanted = make(spec);
  spec.run = streams;
  const evaluation<double> tried = make(spec);
  const index_t entries = wanted.trial_size() * wanted.components() * elements;
  const index_t results = wanted.test_size() * wanted.test_components() * elements;
  const std::vector<double> x = seeded<double>(entries * sides, 1);
  const std::vector<double> numbers = seeded<double>(wanted.points() * wanted.factors() * elements, 2);
  auto D = point_data<double>::stored(wanted, elements, how);
  D.set(0, elements, numbers.data());
  const auto applied = [&](const evaluation<double>& e) {
    std::vector<double> y(std::size_t(results * sides), 0.25);
    e.apply(element_set::range(0, elements),
            {.x = x.data(),
             .x_layout = element_layout::conventional(e.trial_size(), e.components()),
             .y = y.data(),
             .y_layout = element_layout::conventional(e.test_size(), e.test_components()),
             .sides = sides,
             .x_side = entries,
             .y_side = results},
            D);
    return y;
  };
  INFO(tried.describe() << ", " << sides << " sides");
  CHECK(applied(tried) == applied(wanted));
}
void check(const evaluation_spec& spec, point_storage how = point_storage::same, int sides = 1) {
  check(
      spec, [](const evaluation_spec& s) { return evaluation<double>(s); }, how, sides);
}

}  // namespace

TEST_CASE("element streams: every operator, in every dimension", "[fem][element]") {
  for (const target on : cpu_targets())
    for (int dim = 1; dim <= 3; ++dim)
      for (const operator_kind kind : all_operator_kinds)
        for (const auto& [d, q] : {std::pair{3, 5}, {4, 4}, {5, 3}}) {
          evaluation_spec s = spec_of(kind, dim, d, q, on);
          check(s);
          if (d == q) check(with_nodes_as_points(s));
          if (coupled_components(kind, dim) > 1) continue;
          s.components = 2;
          check(s);
          if (d == q) check(with_nodes_as_points(s));
        }
}

TEST_CASE("element streams: compiled sizes, nodes that are the points, D in float, right hand sides",
          "[fem][element]") {
  for (const target on : cpu_targets())
    for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
      for (const int d : {2, 3, 4, 6}) {
        check(spec_of(kind, 3, d, d + 1, on));
        check(spec_of(kind, 3, d, d + 1, on), point_storage::in_float, 3);
        check(with_nodes_as_points(spec_of(kind, 3, d, d, on)), point_storage::same, 3);
      }
}

TEST_CASE("element streams: y of other functions than x", "[fem][element]") {
  for (const target on : cpu_targets())
    for (const operator_kind kind : all_operator_kinds)
      for (const auto& [d, t] : {std::pair{2, 4}, {4, 2}}) check(with_test(spec_of(kind, 3, d, 4, on), t));
}

TEST_CASE("element streams: y of other components than x", "[fem][element]") {
  const auto spec = [](int components, int d, int t) {
    evaluation_spec s = with_test(spec_of(operator_kind::mass, 3, d, 5, target::reference), t);
    s.components = components;
    s.on = {};
    return s;
  };
  for (const auto& [d, t] : {std::pair{2, 4}, {4, 2}}) {
    check(spec(1, d, t),
          [](const evaluation_spec& s) { return evaluation<double>(s, own_function<double>(force{}, "force")); });
    check(spec(3, d, t),
          [](const evaluation_spec& s) { return evaluation<double>(s, own_function<double>(work{}, "work")); });
  }
}
