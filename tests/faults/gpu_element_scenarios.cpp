// SPDX-License-Identifier: BSD-3-Clause
// Element operators on a GPU: made, and used in every way, D stored and computed.
#include <tessera/fem/tessera_fem.h>
#include <tessera/fem/element_operator.hpp>

#include "element_meshes.hpp"
#include "gpu_memory.hpp"

namespace tessera::faults {

namespace {

using fem::element_form;
using fem::element_operator;

constexpr int dim = 2;
constexpr index_t elements = 23, n = 9;

struct gpu_case {
  const char* name;
  operator_kind kind;
  element_form form = element_form::partial_assembly;
  fem::element_shape shape = fem::element_shape::cube;
  int components() const { return kind == operator_kind::elasticity ? dim : 1; }
};

struct element_memory {
  explicit element_memory(const gpu_case& of)
      : options{.kind = of.kind,
                .trial = {.order = 2},
                .components = of.components(),
                .form = of.form,
                .on = target::cuda,
                .shape = of.shape},
        coordinates(of.shape == fem::element_shape::cube ? box_corners<double>(dim, elements)
                                                         : simplex_corners<double>(dim, elements)) {}
  fem::element_nodes<double> nodes() { return {.dim = dim, .elements = elements, .coordinates = coordinates.data()}; }
  fem::element_operator_options options;
  on_gpu<double> coordinates;
  on_gpu<double> x{numbers<double>(n * dim * elements)};
  // A vector, a diagonal or matrices.
  on_gpu<double> y{std::vector<double>(std::size_t(n * n * dim * dim * elements))};
};

struct gpu_use {
  const char* name;
  void (*does)(const element_operator<double>& op, element_memory& m);
};
constexpr gpu_use uses[] = {
    {"apply", [](const auto& op, element_memory& m) { op.apply(m.x.data(), m.y.data()); }},
    {"assemble", [](const auto& op, element_memory& m) { op.assemble(0, elements, m.y.data()); }},
    {"diagonal", [](const auto& op, element_memory& m) { op.diagonal(m.y.data()); }},
};

void add(scenarios& all, const gpu_case& of) {
  all.push_back({std::string("gpu operator, ") + of.name, [=](int) {
                   const auto m = std::make_shared<element_memory>(of);
                   return with_output(
                       [=](said& words) {
                         const element_operator<double> op(m->nodes(), m->options);
                         words.add(op.describe());
                         op.apply(m->x.data(), m->y.data());
                         stream_view().synchronize();  // D goes
                       },
                       m->y, m);
                 }});
  for (const gpu_use& one : uses)
    all.push_back({std::string("gpu ") + one.name + ", " + of.name, [=](int) {
                     const auto m = std::make_shared<element_memory>(of);
                     const auto op = std::make_shared<const element_operator<double>>(m->nodes(), m->options);
                     return with_output([=](said&) { one.does(*op, *m); }, m->y, m);
                   }});
}

named_scenario through_c() {
  return {"gpu operator through C, from D", [](int) {
            const auto m = std::make_shared<element_memory>(gpu_case{"mass", operator_kind::mass});
            const auto D = std::make_shared<std::vector<double>>(numbers<double>(16 * elements));
            return with_output(
                [=](said& words) {
                  struct owned {
                    tessera_element_operator* made = nullptr;
                    ~owned() { tessera_element_destroy(made); }
                  } op;
                  tessera_element_options o = tessera_element_defaults("mass", dim, 2);
                  o.target = "cuda";
                  expect_ok(tessera_element_create_from_data(&op.made, &o, elements, D->data()));
                  expect_ok(tessera_element_set_data(op.made, 2, 3, D->data()));
                  words.add(tessera_element_describe(op.made));
                  expect_ok(tessera_element_apply(op.made, m->x.data(), m->y.data(), 1, nullptr));
                  expect_ok(tessera_element_diagonal(op.made, m->y.data()));
                  stream_view().synchronize();  // D goes
                },
                m->y, m);
          }};
}

}  // namespace

scenarios gpu_element_scenarios() {
  scenarios all{through_c()};
  add(all, {"mass, D stored", operator_kind::mass});
  add(all, {"diffusion, D computed", operator_kind::diffusion, element_form::matrix_free});
  add(all, {"elasticity, D stored", operator_kind::elasticity});
  add(all, {"helmholtz on simplices", operator_kind::helmholtz, element_form::partial_assembly,
            fem::element_shape::simplex});
  return all;
}

}  // namespace tessera::faults
