// SPDX-License-Identifier: BSD-3-Clause
// Options and nodes from the bytes of an input.
#include "element_case.hpp"

#include <cmath>

#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/fem/quadrature.hpp>
#include <tessera/fem/simplex.hpp>

namespace fuzz {

namespace {

constexpr const char* bases[] = {"gauss_lobatto", "gauss", "bernstein"};

int power(int n, int dim) { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }
int binomial(int order, int dim) {
  int all = 1;
  for (int a = 1; a <= dim; ++a) all = all * (order + a) / a;
  return all;
}
bool is_simplex(const element_case& c) {
  return c.options.shape != nullptr && c.options.shape == std::string("simplex");
}

int points_of(const element_case& c) {
  const tessera_element_options& o = c.options;
  if (o.tables != nullptr) return o.tables->points;
  return power(o.points != 0 ? o.points : o.order + (is_simplex(c) ? 1 : 2), o.dim);
}
int nodes_of(const element_case& c) {
  if (c.options.tables != nullptr) return c.options.tables->nodes;
  return is_simplex(c) ? binomial(c.nodes.order, c.options.dim) : power(c.nodes.order + 1, c.options.dim);
}

// Coordinate a of node i on the reference element.
double reference(const element_case& c, int i, int a) {
  const int dim = c.options.dim, order = c.nodes.order;
  if (c.options.tables != nullptr) return i == a + 1 ? 1 : 0;  // corners 0, e1, e2, e3
  if (is_simplex(c)) {
    const tessera::fem::simplex_basis nodes(tessera::fem::basis_kind::gauss_lobatto, dim, order);
    return nodes.nodes()[std::size_t(a + dim * i)];
  }
  for (int skip = 0; skip < a; ++skip) i /= order + 1;
  return tessera::fem::gauss_lobatto(order + 1).points[std::size_t(i % (order + 1))];
}

void put_coordinates(element_case& c, bytes& from) {
  vector_shape shape{nodes_of(c), c.options.dim, {}, 1, 0, conventional(nodes_of(c), c.options.dim)};
  if (from.one_in(4)) {
    c.nodes.layout = layout_from(from, shape.entries, shape.components, c.nodes.elements);
    if (!says_nothing(c.nodes.layout)) shape.layout = c.nodes.layout;
    c.ordinary = false;
  }
  for (std::int64_t e = 0; e < c.nodes.elements; ++e) shape.elements.push_back(e);
  c.coordinates.emplace(shape, c.in_float());
  if (!c.coordinates->exists()) {
    c.refused = c.nodes.elements > 0;
    return;
  }
  const bool inverted = from.one_in(32);
  if (inverted) c.ordinary = false;
  for (std::int64_t e = 0; e < c.nodes.elements; ++e)
    for (int a = 0; a < c.options.dim; ++a)
      for (int i = 0; i < nodes_of(c); ++i) {
        const double edge = (1 + double((e + a) % 3)) * (inverted && e % 2 == 1 && a == 0 ? -1 : 1);
        c.coordinates->set(i, a, e, 0, double(e) + edge * reference(c, i, a));
      }
  c.nodes.coordinates = c.coordinates->given();
}

void put_coefficients(element_case& c, bytes& from) {
  const std::vector<int> counts = coefficient_counts(c.options.kind, c.options.dim);
  const int way = from.below(4);
  if (way < 2 || counts.empty()) return;
  int count = counts[std::size_t(from.below(int(counts.size())))];
  if (from.one_in(32)) count = from.below(12), c.ordinary = false;
  // Symmetric matrices with ones on the diagonal, velocities, or numbers.
  for (int i = 0; i < count; ++i) c.coefficients.push_back(1 + i % 3);
  if (from.one_in(64)) {
    c.coefficients.assign(c.coefficients.size(), from.one_in(2) ? NAN : INFINITY);
    c.ordinary = false;
  }
  c.nodes.coefficient_count = count;
  if (way == 2 || c.options.tables != nullptr) {
    c.nodes.coefficients = c.coefficients.data();
    return;
  }
  const std::size_t all = std::size_t(c.nodes.elements) * std::size_t(points_of(c)) * std::size_t(count);
  c.at_points = std::make_unique<double[]>(all > 0 ? (c.in_float() ? (all + 1) / 2 : all) : 1);
  for (std::size_t i = 0; i < all; ++i) {
    if (c.in_float())
      reinterpret_cast<float*>(c.at_points.get())[i] = float(1 + i % 2);
    else
      c.at_points[i] = double(1 + i % 2);
  }
  c.nodes.coefficients_at_points = c.at_points.get();
}

std::vector<double> numbers(int count, unsigned seed) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(double((unsigned(i) * 2654435761u + seed * 77u) >> 16 & 7) - 3);
  return all;
}

// Tables of any numbers, but a geometry of corners.
void put_tables(element_case& c, bytes& from) {
  const int dim = c.options.dim, q = 1 + from.below(6), n = 1 + from.below(6),
            t = from.one_in(3) ? 1 + from.below(5) : 0;
  c.values = numbers(q * n, from.next());
  c.gradients = numbers(q * n * dim, from.next());
  c.weights.assign(std::size_t(q), 0.5);
  c.tables.points = q;
  c.tables.functions = n;
  c.tables.test_functions = t;
  c.tables.nodes = dim + 1;
  if (t > 0) {
    c.test_values = numbers(q * t, from.next());
    c.test_gradients = numbers(q * t * dim, from.next());
    c.tables.test_values = c.test_values.data();
    c.tables.test_gradients = c.test_gradients.data();
  }
  for (int a = 0; a < dim; ++a)
    for (int i = 0; i <= dim; ++i)
      for (int k = 0; k < q; ++k) c.node_gradients.push_back(i == 0 ? -1 : i == a + 1 ? 1 : 0);
  c.tables.values = c.values.data();
  c.tables.gradients = c.gradients.data();
  c.tables.node_gradients = c.node_gradients.data();
  c.tables.weights = c.weights.data();
  if (from.one_in(16)) {
    const double** const some[] = {&c.tables.values, &c.tables.gradients, &c.tables.node_gradients, &c.tables.weights};
    *some[from.below(4)] = nullptr;
    c.ordinary = false;
  }
  c.options.tables = &c.tables;
}

// Coordinates that no address space holds.
bool beyond_63_bits(const element_case& c) {
  const wide entries = wide(c.nodes.elements) * nodes_of(c) * c.options.dim;
  return says_nothing(c.nodes.layout) && entries > INT64_MAX / 4;
}

// What no memory goes with any more: the library has to refuse null pointers.
void forget_memory(element_case& c) {
  c.nodes.coordinates = nullptr;
  c.nodes.coefficients = nullptr;
  c.nodes.coefficients_at_points = nullptr;
  c.tables.values = c.tables.gradients = c.tables.test_values = c.tables.test_gradients = nullptr;
  c.tables.node_gradients = c.tables.weights = nullptr;
  c.refused = c.nodes.elements != 0;
}

// One thing that is absurd. Memory stays where its size does not depend on that, or where it has to be refused unread.
void distort(element_case& c, bytes& from) {
  static constexpr const char* words[] = {nullptr,     "",     "cube", "simplex",    "gauss",     "gauss_lobatto",
                                          "bernstein", "mass", "Mass", "elasticity", "hexahedron"};
  c.ordinary = false;
  tessera_element_options& o = c.options;
  bool memory_stays = c.nodes.coefficients_at_points == nullptr;
  switch (from.below(14)) {
    case 0: o.kind = from.one_of(words); break;
    case 1: o.basis = from.one_of(words); break;
    case 2: o.test_basis = from.one_of(words), o.test_order = from.absurd_int(); break;
    case 3: o.rule = from.one_of(words); break;
    case 4: o.target = from.one_of(words); break;
    case 5: o.components = from.absurd_int(); break;
    case 6: o.order = from.absurd_int(); break;
    case 7: o.points = from.absurd_int(); break;
    case 8: o.shape = from.one_of(words), memory_stays = false; break;
    case 9:
      o.dim = from.absurd_int();
      c.refused = memory_stays = o.dim < 1 || o.dim > 3;
      break;
    case 10:
      o.type = from.absurd_int();
      c.refused = memory_stays = o.type != TESSERA_F32 && o.type != TESSERA_F64;
      break;
    case 11: c.nodes.order = from.absurd_int(), memory_stays = false; break;
    case 12: c.nodes.coefficient_count = from.absurd_int(), memory_stays = false; break;
    default:
      c.nodes.elements = from.absurd();
      c.refused = memory_stays = c.nodes.elements < 0 || beyond_63_bits(c);
      break;
  }
  if (!memory_stays) forget_memory(c);
}

}  // namespace

std::vector<int> coefficient_counts(const std::string& kind, int dim) {
  const auto counts = tessera::coefficients_of(tessera::operator_from_name(kind).value(), dim);
  if (counts.most == counts.fewest) return {counts.fewest};
  return {counts.fewest, counts.most};
}

std::unique_ptr<element_case> element_case_from(bytes& from) {
  auto made = std::make_unique<element_case>();
  element_case& c = *made;
  const char* const kind = from.one_of(tessera::operator_names);
  const int dim = 1 + from.below(3), most = dim == 3 ? 2 : 4;
  c.options = tessera_element_defaults(kind, dim, 1 + from.below(most));
  tessera_element_options& o = c.options;
  o.type = from.one_in(3) ? TESSERA_F32 : TESSERA_F64;
  o.basis = from.one_of(bases);
  if (o.components == 1) o.components = from.one_in(4) ? 1 + from.below(3) : 1;
  if (from.one_in(4)) {
    o.test_basis = from.one_of(bases);
    o.test_order = 1 + from.below(most);
  }
  if (from.one_in(2)) o.points = 1 + from.below(most + 2);
  if (from.one_in(4)) o.rule = "gauss_lobatto";
  if (from.one_in(4)) o.shape = "simplex";
  o.matrix_free = from.one_in(3) ? 1 : 0;
  o.in_float = from.one_in(4) ? 1 : 0;
  static constexpr const char* targets[] = {nullptr, nullptr, "sse2", "avx2", "best", "reference"};
  o.target = from.one_of(targets);
  // Not all of these go together: Gauss bases on simplices, two points of a rule that has end points, and the like.
  c.ordinary = !(o.matrix_free != 0 && o.in_float != 0) && o.points == 0 && o.rule != std::string("gauss_lobatto") &&
               !is_simplex(c) && o.test_basis == nullptr && o.target == nullptr;
  c.nodes.order = from.one_in(4) ? 1 + from.below(2) : 1;
  c.nodes.elements = from.one_in(8) ? from.below(40) : 1 + from.below(9);
  if (from.one_in(8)) put_tables(c, from);
  put_coordinates(c, from);
  put_coefficients(c, from);
  if (from.one_in(8)) distort(c, from);
  return made;
}

std::string text_of(const tessera_element_layout& l) {
  return "entry " + std::to_string(l.entry) + " component " + std::to_string(l.component) + " element " +
         std::to_string(l.element) + " lanes " + std::to_string(l.lanes) + " block " + std::to_string(l.block) +
         " first " + std::to_string(l.first);
}

std::string text_of(const element_case& c) {
  const tessera_element_options& o = c.options;
  const auto word = [](const char* text) { return std::string(text == nullptr ? "null" : text); };
  std::string text = "  " + word(o.kind) + " " + std::to_string(o.dim) + "-D, type " + std::to_string(o.type) + ", " +
                     word(o.basis) + " of order " + std::to_string(o.order) + ", tests " + word(o.test_basis) + " " +
                     std::to_string(o.test_order) + ", " + std::to_string(o.components) + " components, points " +
                     std::to_string(o.points) + " " + word(o.rule) + ", shape " + word(o.shape) + ", target " +
                     word(o.target) + (o.matrix_free ? ", matrix-free" : "") + (o.in_float ? ", in float" : "");
  if (o.tables != nullptr)
    text += "\n  tables: points " + std::to_string(c.tables.points) + ", functions " +
            std::to_string(c.tables.functions) + ", tests " + std::to_string(c.tables.test_functions);
  text += "\n  " + std::to_string(c.nodes.elements) + " elements of order " + std::to_string(c.nodes.order) +
          (c.nodes.coordinates == nullptr ? ", nowhere" : "") + ", layout " + text_of(c.nodes.layout) + ", " +
          std::to_string(c.nodes.coefficient_count) + " coefficients" +
          (c.nodes.coefficients_at_points != nullptr ? " a point" : "");
  return text + (c.ordinary ? ", ordinary\n" : "\n");
}

}  // namespace fuzz
