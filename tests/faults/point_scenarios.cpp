// SPDX-License-Identifier: BSD-3-Clause
// What is at points of elements and faces, in every way, and D read back.
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/norms.hpp>

#include "element_meshes.hpp"

namespace tessera::faults {

namespace {

using fem::boundary_face;
using fem::element_operator_options;
using fem::element_points;
using fem::element_shape;

struct point_memory {
  explicit point_memory(element_shape shape)
      : elements(elements_in(2)),
        coordinates(shape == element_shape::cube ? box_corners<double>(2, elements)
                                                 : simplex_corners<double>(2, elements)),
        options{.trial = {.order = 2}, .shape = shape},
        nodes{.dim = 2, .elements = elements, .coordinates = coordinates.data()} {
    for (index_t e = 0; e < elements; ++e) faces.push_back({e, int(e % 3)});
    const element_points<double> at(nodes, options);
    offsets.resize(std::size_t(elements * at.functions()));
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = std::int32_t(i * 7 % 101);
    u = numbers<double>(101, 3);
    b.resize(u.size());
    f = numbers<double>(elements * at.points() * 2, 4);
    out.resize(f.size());
    D.resize(std::size_t(elements * at.points()));
  }
  restriction unknowns() const {
    return restriction(
        {.elements = elements, .entries = index_t(offsets.size()) / elements, .size = 101, .offsets = offsets.data()});
  }
  index_t elements;
  std::vector<double> coordinates;
  element_operator_options options;
  fem::element_nodes<double> nodes;
  std::vector<boundary_face> faces{};
  std::vector<std::int32_t> offsets{};
  std::vector<double> u{}, b{}, f{}, out{}, D{};
};

struct named_use_of_points {
  const char* name;
  void (*does)(const element_points<double>& at, const restriction& r, point_memory& m);
};

constexpr named_use_of_points uses_of_points[] = {
    {"coordinates",
     [](const element_points<double>& at, const restriction&, point_memory& m) { at.coordinates(m.out.data()); }},
    {"values",
     [](const element_points<double>& at, const restriction& r, point_memory& m) {
       at.values({m.u.data(), r}, m.out.data());
     }},
    {"gradients",
     [](const element_points<double>& at, const restriction& r, point_memory& m) {
       at.gradients({m.u.data(), r}, m.out.data());
     }},
    {"a load",
     [](const element_points<double>& at, const restriction& r, point_memory& m) {
       at.load(m.f.data(), {m.b.data(), r});
     }},
    {"a load of gradients",
     [](const element_points<double>& at, const restriction& r, point_memory& m) {
       at.add_gradient_load(m.f.data(), {m.b.data(), r});
     }},
    {"a norm",
     [](const element_points<double>& at, const restriction& r, point_memory& m) {
       fem::h1_seminorm(at, {m.u.data(), r});
     }},
    {"unknowns on faces", [](const element_points<double>&, const restriction& r,
                             point_memory& m) { fem::numbers_on(r, m.faces, 2, m.options.trial, m.options.shape); }},
};

}  // namespace

scenarios point_scenarios() {
  scenarios all;
  for (const element_shape shape : {element_shape::cube, element_shape::simplex})
    for (const bool on_faces : {false, true}) {
      const std::string where = std::string(on_faces ? " on faces" : " in elements") +
                                (shape == element_shape::simplex ? " of simplices" : "");
      const auto made = [=](const point_memory& m) {
        return on_faces ? element_points<double>(m.nodes, m.faces, m.options)
                        : element_points<double>(m.nodes, m.options);
      };
      all.push_back({"points" + where, [=](int) {
                       const auto m = std::make_shared<point_memory>(shape);
                       return scenario{[=](said& words) { words.add(made(*m).describe()); }};
                     }});
      for (const named_use_of_points& one : uses_of_points)
        all.push_back({std::string(one.name) + where, [=](int) {
                         const auto m = std::make_shared<point_memory>(shape);
                         const auto at = std::make_shared<const element_points<double>>(made(*m));
                         const auto r = std::make_shared<const restriction>(m->unknowns());
                         return scenario{[=](said& words) {
                                           words.add(std::string(100, '.'));
                                           one.does(*at, *r, *m);
                                         },
                                         {bytes_of(m->out), bytes_of(m->b)}};
                       }});
    }
  for (const fem::element_form form : {fem::element_form::partial_assembly, fem::element_form::matrix_free})
    all.push_back({"D read", [=](int) {
                     const auto m = std::make_shared<point_memory>(element_shape::cube);
                     m->options.form = form;
                     const auto op =
                         std::make_shared<const fem::global_operator<double>>(m->nodes, m->unknowns(), m->options);
                     return scenario{[=](said& words) {
                                       words.add(std::string(100, '.'));
                                       op->get_data(m->D.data());
                                     },
                                     {bytes_of(m->D)}};
                   }});
  return all;
}

}  // namespace tessera::faults
