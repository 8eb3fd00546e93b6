// SPDX-License-Identifier: BSD-3-Clause
// Reads and checks what operators are made of.
#include "operator_arguments.hpp"

#include <nanobind/stl/string.h>

#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>

#include "new_array.hpp"

namespace tessera::python {

namespace {

constexpr std::pair<const char*, fem::points_kind> rules[] = {{"gauss", fem::points_kind::gauss},
                                                              {"gauss_lobatto", fem::points_kind::gauss_lobatto}};
constexpr std::pair<const char*, fem::element_form> forms[] = {{"stored", fem::element_form::partial_assembly},
                                                               {"matrix_free", fem::element_form::matrix_free}};
constexpr std::pair<const char*, point_storage> storages[] = {{"same", point_storage::same},
                                                              {"float", point_storage::in_float}};

operator_kind kind_from(const char* call, nb::handle kind) {
  const std::string name = text_from(kind, std::string(call) + ": kind");
  if (const auto known = operator_from_name(name)) return *known;
  refuse_value(std::string(call) + ": there is no operator \"" + name + "\"; there are: " + list_of_operators());
}

bool is_real(scalar_type type) { return type == scalar_type::f32 || type == scalar_type::f64; }

scalar_type real_type(const keywords& k, const char* name, const array& a) {
  if (!is_real(a.type()))
    refuse_object(std::string(k.call()) + ": " + name + " has entries of " + dtype_name(a.type()) +
                  "; operators are of float32 or float64");
  return a.type();
}

// Nodes of an element of an order: of a product of segments, or of a simplex.
index_t nodes_of_order(int order, int dim, fem::element_shape shape) {
  index_t count = 1;
  for (int a = 1; a <= dim; ++a)
    count = shape == fem::element_shape::cube ? count * (order + 1) : count * (order + a) / a;
  return count;
}

}  // namespace

const char* const text_of_options = R"(
order, basis : int, str
    Of the functions of x in each direction, or of total degree on simplices: "gauss_lobatto" (continuous elements),
    "gauss" (discontinuous), "bernstein".
test_order, test_basis : int, str, optional
    Of the functions of y; those of x where they are not given.
components : int, optional
    Of x and y; dim for elasticity, 1 where it is not given.
points, rule : int, str
    Points in each direction, and "gauss" or "gauss_lobatto". 0: order + 2, of simplices order + 1.
geometry_order : int, optional
    Of the nodes; it follows from their number where it is not given.
shape : str
    "cube": segments, squares, cubes; "simplex": segments, triangles, tetrahedra.
tables : dict, optional
    Functions and points of any element instead: "values" (functions, points), "gradients" (dim, functions, points),
    for y "test_values" and "test_gradients", of the geometry "node_gradients" (dim, nodes, points) and "weights".
    What an operator does not need may be left out. Then "dim" and "points" of the element are those of the tables.
)";

operator_arguments::operator_arguments(keywords& k, nb::handle kind, nb::handle given_nodes) {
  take_function(k);
  take_options(k, kind);
  const nb::handle given_data = k.take("D");
  const nb::handle given_coefficients = k.take("coefficients");
  if (given_nodes.is_valid() && !given_nodes.is_none())
    take_nodes(k, given_nodes);
  else if (k.take("geometry_order").is_valid())
    refuse_value(std::string(k.call()) + ": geometry_order is that of nodes, and nodes are not given");
  take_data(k, given_data);
  take_coefficients(k, given_coefficients);
  if (const nb::handle components = k.take("components"); components.is_valid())
    options.components = k.integer("components", 1);
  else if (own_function() != nullptr)
    options.components = own_function()->components();
  else
    options.components = coupled_components(options.kind, dim);
  if (!options.on && nodes && nodes->space() == space_kind::gpu) options.on = target::cuda;
  if (!options.on && D && D->space() == space_kind::gpu) options.on = target::cuda;
}

void operator_arguments::take_function(keywords& k) {
  const nb::handle given = k.take("function");
  if (!given.is_valid()) return;
  if (!nb::isinstance<point_function>(given))
    refuse_object(std::string(k.call()) + ": function is " + shown(given) + ", not a tessera_fem.PointFunction");
  function = nb::borrow(given);
}

const point_function* operator_facts::own_function() const {
  return function.is_valid() ? initialised<point_function>(function, "function") : nullptr;
}

void operator_arguments::take_options(keywords& k, nb::handle kind) {
  if (own_function() != nullptr && !kind.is_none())
    refuse_value(std::string(k.call()) + ": kind=" + shown(kind) +
                 " and a function, which is one of your own: give one of the two");
  options.kind = kind.is_none() ? operator_kind::mass : kind_from(k.call(), kind);
  options.trial.order = k.integer("order", 1);
  options.trial.kind = k.one_of("basis", names_of_bases, fem::basis_kind::gauss_lobatto);
  const nb::handle test_order = k.take("test_order"), test_basis = k.take("test_basis");
  if (test_order.is_valid() || test_basis.is_valid())
    options.test = fem::function_space{k.one_of("test_basis", names_of_bases, options.trial.kind),
                                       k.integer("test_order", options.trial.order)};
  options.points = k.integer("points", 0);
  options.rule = k.one_of("rule", rules, fem::points_kind::gauss);
  options.form = k.one_of("form", forms, fem::element_form::partial_assembly);
  options.storage = k.one_of("storage", storages, point_storage::same);
  options.shape = k.one_of("shape", names_of_shapes, fem::element_shape::cube);
  if (k.take("target").is_valid()) options.on = target_from_name(k.text("target", ""));
  if (const nb::handle tables = k.take("tables"); tables.is_valid()) {
    options.tables = tables_from(tables, k.call());
    check_dim(k, options.tables->dim, "tables");
  }
  if (const int given = k.integer("dim", 0); k.take("dim").is_valid()) check_dim(k, given, "dim");
  if (own_function() != nullptr) check_dim(k, own_function()->dim(), "function");
}

void operator_arguments::check_dim(const keywords& k, int found, const char* from) {
  if (found < 1 || found > 3)
    refuse_value(std::string(k.call()) + ": " + from + " has " + std::to_string(found) + " dimensions, not 1, 2 or 3");
  if (dim != 0 && dim != found)
    refuse_value(std::string(k.call()) + ": " + from + " has " + std::to_string(found) +
                 " dimensions, and other arguments " + std::to_string(dim));
  dim = found;
}

void operator_arguments::take_nodes(keywords& k, nb::handle given) {
  nodes.emplace(given, "nodes");
  const array& a = *nodes;
  type = real_type(k, "nodes", a);
  if (a.rank() < 2)
    refuse_value(std::string(k.call()) + ": nodes has the shape " + extents_text(a) + ", not (elements, dim, nodes)");
  elements = a.extent(0);
  const bool on_a_line = a.rank() == 2;
  if (const index_t found = on_a_line ? 1 : a.extent(1); found < 1 || found > 3) {
    const bool coordinates_last = a.rank() == 3 && a.extent(2) >= 1 && a.extent(2) <= 3;
    refuse_value(std::string(k.call()) + ": nodes has the shape " + extents_text(a) + ", not (elements, dim, nodes): " +
                 "dim, the second extent, is " + std::to_string(found) + ", not 1, 2 or 3" +
                 (coordinates_last ? "; nodes.swapaxes(1, 2) has the coordinates before the nodes" : ""));
  } else {
    check_dim(k, int(found), "nodes (elements, dim, nodes)");
  }
  index_t count = 1;
  for (int d = on_a_line ? 1 : 2; d < a.rank(); ++d) count *= a.extent(d);
  geometry_order = k.integer("geometry_order", 0);
  if (options.tables) {
    if (count != options.tables->geometry.functions)
      refuse_value(std::string(k.call()) + ": nodes has the shape " + extents_text(a) + ", and the tables have " +
                   std::to_string(options.tables->geometry.functions) + " functions of the geometry");
  } else if (geometry_order == 0) {
    for (int order = 1; order <= fem::max_order && geometry_order == 0; ++order)
      if (nodes_of_order(order, dim, options.shape) == count) geometry_order = order;
    if (geometry_order == 0)
      refuse_value(std::string(k.call()) + ": nodes has the shape " + extents_text(a) + ": no order has " +
                   std::to_string(count) + " nodes in " + std::to_string(dim) + "-D, orders 1 and 2 have " +
                   std::to_string(nodes_of_order(1, dim, options.shape)) + " and " +
                   std::to_string(nodes_of_order(2, dim, options.shape)));
  } else if (geometry_order < 1 || geometry_order > fem::max_order ||
             nodes_of_order(geometry_order, dim, options.shape) != count) {
    const bool known = geometry_order >= 1 && geometry_order <= fem::max_order;
    refuse_value(std::string(k.call()) + ": nodes has the shape " + extents_text(a) + ", and elements of order " +
                 std::to_string(geometry_order) +
                 (known ? " have " + std::to_string(nodes_of_order(geometry_order, dim, options.shape)) + " nodes"
                        : " there are none of"));
  }
  constexpr index_t nothing[1] = {0};
  like = new_array_like(given, type, nothing, 1);
}

void operator_arguments::take_data(keywords& k, nb::handle given) {
  const int count = k.integer("elements", -1);
  const bool has_count = k.take("elements").is_valid();
  const std::string named = k.dtype("dtype", "");
  const scalar_type wanted = named.empty() ? type : type_of_dtype(named.c_str());
  if (!is_real(wanted))
    refuse_value(std::string(k.call()) + ": dtype=" + named + "; operators are of float32 or float64");
  const auto check_same = [&](const char* name) {
    if (has_count && count != elements)
      refuse_value(std::string(k.call()) + ": elements=" + std::to_string(count) + ", and " + name + " of " +
                   std::to_string(elements) + " elements");
    if (!named.empty() && wanted != type)
      refuse_value(std::string(k.call()) + ": dtype=" + named + ", and " + name + " has entries of " +
                   dtype_name(type));
  };
  if (!given.is_valid()) {
    if (nodes) {
      check_same("nodes");
      if (own_function() != nullptr)
        refuse_value(std::string(k.call()) + ": a function takes D, not nodes: ElementPoints has what D is made of");
      return;
    }
    if (has_count && count < 0)
      refuse_value(std::string(k.call()) + ": elements=" + std::to_string(count) + " is negative");
    if (!has_count)
      refuse_value(std::string(k.call()) + ": nodes or D are to be given, or elements= for a D that is set later");
    elements = count;
    type = wanted;
    constexpr index_t nothing[1] = {0};
    like = new_array_like(as_numpy(nb::make_tuple(), "float64", ""), type, nothing, 1);
  } else {
    if (nodes) refuse_value(std::string(k.call()) + ": nodes and D: D is computed from the nodes, or given");
    D.emplace(given, "D");
    type = real_type(k, "D", *D);
    if (D->rank() < 2)
      refuse_value(std::string(k.call()) + ": D has the shape " + extents_text(*D) +
                   ", not (elements, points, factors)");
    elements = D->extent(0);
    check_same("D");
    constexpr index_t nothing[1] = {0};
    like = new_array_like(given, type, nothing, 1);
  }
  if (dim == 0) refuse_value(std::string(k.call()) + ": dim= is to be given with D, or with elements");
}

void operator_arguments::take_coefficients(keywords& k, nb::handle given) {
  if (!given.is_valid()) return;
  if (!nodes) refuse_value(std::string(k.call()) + ": coefficients are for D that is computed from nodes");
  if (PyCallable_Check(given.ptr()) != 0 && !nb::hasattr(given, "ndim"))
    refuse_object(std::string(k.call()) + ": coefficients is " + shown(given) +
                  ", a function; numbers are taken, or an array of those at the points: "
                  "ElementPoints(nodes, ...).evaluate(f) has the numbers of a function f of the coordinates there");
  if (PyUnicode_Check(given.ptr()) || PyBytes_Check(given.ptr()) || PyDict_Check(given.ptr()))
    refuse_object(std::string(k.call()) + ": coefficients is " + shown(given) +
                  ", neither a number, a list of numbers nor an array (elements, points, numbers)");
  nb::object a = nb::borrow(given);
  if (!nb::hasattr(a, "ndim")) a = nb::module_::import_("numpy").attr("asarray")(a, dtype_name(type));
  if (nb::cast<int>(a.attr("ndim")) < 2) {
    coefficients = numbers_of(given, "coefficients");
    return;
  }
  at_points.emplace(a, "coefficients");
  check_kind(*at_points, "coefficients", type, at_points->space(), false);
}

int operator_facts::points_a_direction() const {
  if (options.points != 0 || options.tables) return options.points;
  return options.trial.order + (options.shape == fem::element_shape::cube ? 2 : 1);
}

template <class T>
fem::element_operator<T> operator_facts::empty() const {
  fem::element_operator_options o = options;
  o.form = fem::element_form::partial_assembly;
  if (own_function() != nullptr) return {own_function()->of<T>(on_gpu()), 0, nullptr, o};
  return {dim, 0, nullptr, o};
}

template <class T>
fem::element_nodes<T> operator_arguments::nodes_alone(const array& a) const {
  index_t count = 1;
  for (int d = a.rank() == 2 ? 1 : 2; d < a.rank(); ++d) count *= a.extent(d);
  const bool is_product = !options.tables && options.shape == fem::element_shape::cube;
  const e_vector_shape shape{elements, dim, count, dim, is_product ? geometry_order + 1 : 0};
  return {.dim = dim,
          .order = geometry_order,
          .elements = elements,
          .coordinates = static_cast<const T*>(a.data()),
          .layout = view_of(a, shape, "nodes").layout};
}

template <class T>
fem::element_nodes<T> operator_arguments::checked_nodes() const {
  fem::element_nodes<T> all = nodes_alone<T>(*nodes);
  all.coefficients = coefficients;
  if (!at_points) return all;
  const array& a = *at_points;
  const index_t points = empty<T>().kernel().points(), given = a.rank() > 2 ? a.extent(a.rank() - 1) : 1;
  if (a.extent(0) != elements || a.size() != elements * points * given)
    refuse_value("coefficients has the shape " + extents_text(a) + ", not (" + std::to_string(elements) + ", " +
                 std::to_string(points) + ", coefficients): elements, points of each");
  if (!a.is_contiguous()) refuse_value("coefficients is not contiguous; numpy.ascontiguousarray makes a copy that is");
  all.coefficients_at_points = static_cast<const T*>(a.data());
  all.coefficients_given = int(given);
  return all;
}

template <class T>
const T* operator_arguments::checked_D(std::vector<T>& zero) const {
  const fem::element_operator<T> of = empty<T>();
  if (D) return checked_data<T>(*D, "D", elements, of.kernel());
  zero.resize(std::size_t(elements * of.kernel().points() * of.kernel().factors()));
  return zero.data();
}

void arrays_read_later::take(operator_arguments& from) {
  if (from.options.form != fem::element_form::matrix_free) return;
  if (from.nodes) nodes.emplace(std::move(*from.nodes));
  if (from.at_points) at_points.emplace(std::move(*from.at_points));
}

template <class T>
const T* checked_data(const array& D, const char* name, index_t elements, const evaluation<T>& by) {
  const index_t factors = D.rank() > 2 ? D.extent(D.rank() - 1) : 1;
  if (D.rank() < 2 || D.extent(0) != elements || factors != by.factors() ||
      D.size() != elements * by.points() * factors)
    refuse_value(std::string(name) + " has the shape " + extents_text(D) + ", not (" + std::to_string(elements) + ", " +
                 std::to_string(by.points()) + ", " + std::to_string(by.factors()) +
                 "): elements, points of each, numbers of a point");
  if (!D.is_contiguous())
    refuse_value(std::string(name) + " is not contiguous; numpy.ascontiguousarray makes a copy that is");
  return static_cast<const T*>(D.data());
}

template fem::element_operator<float> operator_facts::empty() const;
template fem::element_operator<double> operator_facts::empty() const;
template fem::element_nodes<float> operator_arguments::nodes_alone(const array&) const;
template fem::element_nodes<double> operator_arguments::nodes_alone(const array&) const;
template fem::element_nodes<float> operator_arguments::checked_nodes() const;
template fem::element_nodes<double> operator_arguments::checked_nodes() const;
template const float* operator_arguments::checked_D(std::vector<float>&) const;
template const double* operator_arguments::checked_D(std::vector<double>&) const;
template const float* checked_data(const array&, const char*, index_t, const evaluation<float>&);
template const double* checked_data(const array&, const char*, index_t, const evaluation<double>&);

}  // namespace tessera::python
