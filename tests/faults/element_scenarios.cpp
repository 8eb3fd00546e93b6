// SPDX-License-Identifier: BSD-3-Clause
// Element operators through C++: made and used in every way, all kinds, D stored, in float and computed.
#include <tessera/fem/element_operator.hpp>

#include "element_meshes.hpp"

namespace tessera::faults {

namespace {

using fem::element_form;
using fem::element_nodes;
using fem::element_operator;
using fem::element_operator_options;
using fem::element_shape;

struct operator_case {
  operator_kind kind = operator_kind::mass;
  int dim = 3;
  element_form form = element_form::partial_assembly;
  point_storage storage = point_storage::same;
  element_shape shape = element_shape::cube;
  bool own_test = false;  // functions of y are others

  std::string name() const {
    return std::string(name_of(kind)) + " " + std::to_string(dim) + "-D, D " +
           (form == element_form::matrix_free    ? "computed"
            : storage == point_storage::in_float ? "in float"
                                                 : "stored") +
           (shape == element_shape::simplex ? ", simplices" : "") + (own_test ? ", other functions of y" : "");
  }
};

template <class T>
struct operator_memory {
  explicit operator_memory(const operator_case& of)
      : options{.kind = of.kind,
                .trial = {.order = 2},
                .components = of.kind == operator_kind::elasticity ? of.dim : 1,
                .form = of.form,
                .storage = of.storage,
                .shape = of.shape},
        elements(elements_in(of.dim)),
        coordinates(of.shape == element_shape::cube ? box_corners<T>(of.dim, elements)
                                                    : simplex_corners<T>(of.dim, elements)),
        nodes{.dim = of.dim, .elements = elements, .coordinates = coordinates.data()} {
    if (of.own_test) options.test = fem::function_space{.order = 1};
    const element_operator<T> op(nodes, options);
    x = numbers<T>(2 * op.trial_size() * op.components() * elements, 4);
    y.resize(std::size_t(2 * op.test_size() * op.test_components() * elements));
    M.resize(std::size_t(op.matrix_entries() * elements));
  }
  element_operator_options options;
  index_t elements;
  std::vector<T> coordinates;
  element_nodes<T> nodes;
  std::vector<T> x, y, M;
};

template <class T>
using use = void (*)(const element_operator<T>& op, operator_memory<T>& m);

template <class T>
struct named_use {
  const char* name;
  use<T> does;
};

template <class T>
constexpr named_use<T> uses[] = {
    {"apply", [](const element_operator<T>& op, operator_memory<T>& m) { op.apply(m.x.data(), m.y.data()); }},
    {"add", [](const element_operator<T>& op, operator_memory<T>& m) { op.add(m.x.data(), m.y.data()); }},
    {"apply to two sides of listed elements",
     [](const element_operator<T>& op, operator_memory<T>& m) {
       std::vector<index_t> list;
       for (index_t e = m.elements; e-- > 0;) list.push_back(e);
       op.apply(element_set::of(list), {.x = m.x.data(),
                                        .x_layout = op.x_layout(),
                                        .y = m.y.data(),
                                        .y_layout = op.y_layout(),
                                        .sides = 2,
                                        .x_side = index_t(m.x.size() / 2),
                                        .y_side = index_t(m.y.size() / 2)});
     }},
    {"assemble", [](const element_operator<T>& op, operator_memory<T>& m) { op.assemble(0, m.elements, m.M.data()); }},
    {"assemble a triangle",
     [](const element_operator<T>& op, operator_memory<T>& m) {
       if (op.kernel().symmetric()) op.assemble(1, m.elements - 1, m.M.data(), matrix_storage::lower_packed);
     }},
    {"diagonal",
     [](const element_operator<T>& op, operator_memory<T>& m) {
       if (op.trial_size() == op.test_size()) op.diagonal(m.y.data());
     }},
};

template <class T>
void add_made(scenarios& all, const operator_case& of) {
  all.push_back({"operator, " + of.name(), [=](int) {
                   const auto m = std::make_shared<operator_memory<T>>(of);
                   return scenario{[=](said& words) {
                                     const element_operator<T> op(m->nodes, m->options);
                                     words.add(op.describe());
                                     words.add(op.describe(detail_level::brief));
                                     words.add(op.describe_assembly());
                                     op.apply(m->x.data(), m->y.data());
                                   },
                                   {bytes_of(m->y)}};
                 }});
}

template <class T>
void add_uses(scenarios& all, const operator_case& of) {
  for (const named_use<T>& one : uses<T>) {
    all.push_back({std::string(one.name) + ", " + of.name(), [=](int) {
                     const auto m = std::make_shared<operator_memory<T>>(of);
                     const auto op = std::make_shared<const element_operator<T>>(m->nodes, m->options);
                     return scenario{[=](said& words) {
                                       words.add(std::string(100, '.'));
                                       one.does(*op, *m);
                                     },
                                     {bytes_of(m->y), bytes_of(m->M)}};
                   }});
  }
}

}  // namespace

scenarios element_scenarios() {
  scenarios all;
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3}) {
      add_made<double>(all, {.kind = kind, .dim = dim});
      add_uses<double>(all, {.kind = kind, .dim = dim});
    }
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion, operator_kind::elasticity}) {
    const operator_case computed{.kind = kind, .dim = 2, .form = element_form::matrix_free};
    const operator_case in_float{.kind = kind, .storage = point_storage::in_float};
    const operator_case on_simplices{.kind = kind, .dim = 2, .shape = element_shape::simplex};
    for (const operator_case& of : {computed, in_float, on_simplices}) {
      add_made<double>(all, of);
      add_uses<double>(all, of);
    }
    add_made<float>(all, {.kind = kind, .dim = 3, .form = element_form::matrix_free});
  }
  add_made<float>(all, {.kind = operator_kind::helmholtz, .dim = 3, .shape = element_shape::simplex});
  add_made<double>(all, {.kind = operator_kind::diffusion, .dim = 2, .own_test = true});
  add_uses<double>(all, {.kind = operator_kind::diffusion, .dim = 2, .own_test = true});
  return all;
}

}  // namespace tessera::faults
