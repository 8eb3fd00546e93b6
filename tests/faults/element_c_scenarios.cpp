// SPDX-License-Identifier: BSD-3-Clause
// Element operators through C: from nodes, from D, of dense tables and simplices, in every use.
#include <tessera/fem/tessera_fem.h>

#include "element_meshes.hpp"

namespace tessera::faults {

namespace {

struct c_operator {
  tessera_element_operator* made = nullptr;
  c_operator() = default;
  c_operator(const c_operator&) = delete;
  ~c_operator() { tessera_element_destroy(made); }
};

struct c_case {
  const char* kind = "mass";
  int dim = 3;
  tessera_type type = TESSERA_F64;
  bool matrix_free = false, in_float = false, simplices = false, tables = false;

  std::string name() const {
    return std::string("through C, ") + kind + " " + std::to_string(dim) + "-D" + (type == TESSERA_F32 ? ", f32" : "") +
           (matrix_free ? ", D computed" : "") + (in_float ? ", D in float" : "") + (simplices ? ", simplices" : "") +
           (tables ? ", tables" : "");
  }
};

// Functions 1 and x at two points of a segment.
struct dense_tables {
  double values[4] = {1, 1, 0.25, 0.75}, gradients[4] = {0, 0, 1, 1}, node_gradients[4] = {-1, -1, 1, 1};
  double weights[2] = {0.5, 0.5};
  tessera_element_tables all() const {
    tessera_element_tables t{};
    t.points = t.functions = t.nodes = 2;
    t.values = values;
    t.gradients = gradients;
    t.node_gradients = node_gradients;
    t.weights = weights;
    return t;
  }
};

struct c_memory {
  explicit c_memory(const c_case& of) : elements(elements_in(of.dim)), tables(dense.all()) {
    options = tessera_element_defaults(of.kind, of.dim, 2);
    options.type = of.type;
    options.matrix_free = of.matrix_free;
    options.in_float = of.in_float;
    if (of.simplices) options.shape = "simplex";
    if (of.tables) options.tables = &tables;
    coordinates = of.simplices ? simplex_corners<double>(of.dim, elements) : box_corners<double>(of.dim, elements);
    in_float = std::vector<float>(coordinates.begin(), coordinates.end());
    nodes.order = 1;
    nodes.elements = elements;
    nodes.coordinates = of.type == TESSERA_F64 ? static_cast<const void*>(coordinates.data()) : in_float.data();
    c_operator op;
    expect_ok(tessera_element_create(&op.made, &options, &nodes));
    const tessera_element_sizes s = tessera_element_sizes_of(op.made);
    const index_t in = s.trial_entries * s.components, out = s.test_entries * s.test_components;
    x.resize(std::size_t(2 * in * elements), 0.25);
    y.resize(std::size_t(2 * out * elements));
    M.resize(std::size_t(in * out * elements));
    D = numbers<double>(s.points * s.factors * elements);
    x_side = in * elements, y_side = out * elements;
  }
  c_memory(const c_memory&) = delete;
  index_t elements, x_side, y_side;
  dense_tables dense;
  tessera_element_tables tables;
  tessera_element_options options;
  tessera_element_nodes nodes{};
  std::vector<double> coordinates, x, y, M, D;
  std::vector<float> in_float;
};

// A block of a size that fits no other one before it.
void run_listed(const tessera_element_operator* of, c_memory& m) {
  const std::vector<std::int64_t> list{5, 3, 8};
  tessera_element_application a = tessera_element_application_of(of, m.x.data(), m.y.data());
  a.list = list.data();
  a.count = 3;
  a.sides = 2;
  a.x_side = m.x_side, a.y_side = m.y_side;
  expect_ok(tessera_element_run(of, &a));
}

void describe(const tessera_element_operator* of, said& words) {
  words.add(tessera_element_describe(of));
  words.add(tessera_element_describe_brief(of));
}

struct c_use {
  const char* name;
  tessera_status (*does)(tessera_element_operator* of, c_memory& m);
};
constexpr c_use uses[] = {
    {"apply", [](auto* of, c_memory& m) { return tessera_element_apply(of, m.x.data(), m.y.data(), 0, nullptr); }},
    {"add", [](auto* of, c_memory& m) { return tessera_element_apply(of, m.x.data(), m.y.data(), 1, nullptr); }},
    {"listed", [](auto* of, c_memory& m) { return run_listed(of, m), TESSERA_OK; }},
    {"assemble", [](auto* of, c_memory& m) { return tessera_element_assemble(of, 0, m.elements, m.M.data()); }},
    {"assemble_lower",
     [](auto* of, c_memory& m) { return tessera_element_assemble_lower(of, 0, m.elements, m.M.data()); }},
    {"diagonal", [](auto* of, c_memory& m) { return tessera_element_diagonal(of, m.y.data()); }},
};

void add(scenarios& all, const c_case& of) {
  all.push_back({"operator " + of.name(), [=](int) {
                   const auto m = std::make_shared<c_memory>(of);
                   return scenario{[=](said& words) {
                                     c_operator op;
                                     expect_ok(tessera_element_create(&op.made, &m->options, &m->nodes));
                                     describe(op.made, words);
                                     expect_ok(tessera_element_apply(op.made, m->x.data(), m->y.data(), 0, nullptr));
                                   },
                                   {bytes_of(m->y)}};
                 }});
  for (const c_use& one : uses) {
    if (of.kind == std::string("convection") && one.name == std::string("assemble_lower")) continue;
    all.push_back({std::string(one.name) + " " + of.name(), [=](int) {
                     const auto m = std::make_shared<c_memory>(of);
                     const auto op = std::make_shared<c_operator>();
                     expect_ok(tessera_element_create(&op->made, &m->options, &m->nodes));
                     return scenario{[=](said& words) {
                                       words.add(std::string(100, '.'));
                                       expect_ok(one.does(op->made, *m));
                                     },
                                     {bytes_of(m->y), bytes_of(m->M)}};
                   }});
  }
}

// D of the caller's own, at once and later.
named_scenario from_data() {
  return {"operator through C, from D", [](int) {
            const auto m = std::make_shared<c_memory>(c_case{.in_float = true});
            return scenario{
                [=](said& words) {
                  c_operator op;
                  expect_ok(tessera_element_create_from_data(&op.made, &m->options, m->elements, m->D.data()));
                  expect_ok(tessera_element_set_data(op.made, 2, 3, m->D.data()));
                  describe(op.made, words);
                  expect_ok(tessera_element_apply(op.made, m->x.data(), m->y.data(), 0, nullptr));
                },
                {bytes_of(m->y)}};
          }};
}

}  // namespace

scenarios element_c_scenarios() {
  scenarios all{from_data()};
  for (const char* kind : {"mass", "diffusion", "helmholtz", "convection", "elasticity"}) add(all, {.kind = kind});
  add(all, {.kind = "diffusion", .dim = 2, .type = TESSERA_F32, .matrix_free = true});
  add(all, {.kind = "mass", .dim = 1, .in_float = true});
  add(all, {.kind = "helmholtz", .dim = 2, .simplices = true});
  add(all, {.kind = "helmholtz", .dim = 1, .tables = true});
  return all;
}

}  // namespace tessera::faults
