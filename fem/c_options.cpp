// SPDX-License-Identifier: BSD-3-Clause
// Converts names, tables, layouts and nodes of the C interface to those of the C++ interface.
#include "c_options.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>

namespace tessera::fem::detail {

namespace {

struct named_basis {
  const char* name;
  basis_kind kind;
};
constexpr named_basis bases[] = {
    {"gauss_lobatto", basis_kind::gauss_lobatto}, {"gauss", basis_kind::gauss}, {"bernstein", basis_kind::bernstein}};
struct named_rule {
  const char* name;
  points_kind kind;
};
constexpr named_rule rules[] = {{"gauss", points_kind::gauss}, {"gauss_lobatto", points_kind::gauss_lobatto}};

struct named_shape {
  const char* name;
  element_shape kind;
};
constexpr named_shape shapes[] = {{"cube", element_shape::cube}, {"simplex", element_shape::simplex}};

[[noreturn]] void refuse_unknown(const char* what, const char* name, const std::vector<std::string_view>& known) {
  std::string names;
  for (const std::string_view one : known) names += (names.empty() ? "" : ", ") + std::string(one);
  refuse(std::string("there is no ") + what + " '" + name + "'" + did_you_mean(name, known) + "; there are: " + names);
}

// The entry of that name; `what` is what it names.
template <class Table>
auto find_named(const Table& table, const char* what, const char* name) {
  if (name == nullptr) refuse(std::string("null ") + what, status::null_pointer);
  std::vector<std::string_view> names;
  for (const auto& entry : table) {
    if (name == std::string(entry.name)) return entry.kind;
    names.push_back(entry.name);
  }
  refuse_unknown(what, name, names);
}

operator_kind kind_from(const char* name) {
  if (name == nullptr) refuse("null kind", status::null_pointer);
  if (const auto kind = operator_from_name(name)) return *kind;
  refuse_unknown("operator", name, names_of_operators());
}

std::vector<double> copied(const double* from, int points, int functions, int directions) {
  if (from == nullptr || points <= 0 || functions <= 0) return {};
  return {from, from + tessera::detail::checked_product("element operator: tables", {points, functions, directions},
                                                        sizeof(double))};
}

// More than 40 points a direction have: a size beyond is a mistake, found before a table is read.
constexpr int most_in_tables = 1 << 16;

dense_element tables_from(const tessera_element_tables& from, int dim) {
  if (dim < 1 || dim > 3) refuse("tables in " + std::to_string(dim) + " dimensions, not 1, 2 or 3");
  for (const auto& [what, n] : {std::pair("points", from.points), std::pair("functions", from.functions),
                                std::pair("test functions", from.test_functions), std::pair("nodes", from.nodes)})
    if (n < 0 || n > most_in_tables)
      refuse("tables of " + std::to_string(n) + " " + what + ", not in 0.." + std::to_string(most_in_tables));
  const int q = from.points, directions = dim;
  const auto basis = [&](int functions, const double* values, const double* gradients) {
    return dense_basis{functions, copied(values, q, functions, 1), copied(gradients, q, functions, directions)};
  };
  dense_element element{.dim = dim,
                        .points = q,
                        .trial = basis(from.functions, from.values, from.gradients),
                        .geometry = basis(from.nodes, nullptr, from.node_gradients),
                        .weights = copied(from.weights, q, 1, 1)};
  if (from.test_functions != 0) element.test = basis(from.test_functions, from.test_values, from.test_gradients);
  return element;
}

// What means "conventional".
bool says_nothing(const tessera_element_layout& l) {
  return l.entry == 0 && l.component == 0 && l.element == 0 && l.lanes == 0 && l.block == 0 && l.first == 0;
}

}  // namespace

void refuse(const std::string& why, status code) { throw error("element operator: " + why, code); }

const char* first_basis() { return bases[0].name; }
const char* first_rule() { return rules[0].name; }

element_operator_options options_from(const tessera_element_options& from, bool own) {
  element_operator_options o{.kind = own ? operator_kind::mass : kind_from(from.kind),
                             .components = from.components,
                             .points = from.points,
                             .form = from.matrix_free ? element_form::matrix_free : element_form::partial_assembly,
                             .storage = from.in_float ? point_storage::in_float : point_storage::same};
  if (from.target != nullptr) o.on = target_from_name(from.target);
  if (from.tables != nullptr) {
    o.tables = tables_from(*from.tables, from.dim);
    return o;
  }
  o.trial = {find_named(bases, "basis", from.basis), from.order};
  o.rule = find_named(rules, "rule", from.rule);
  if (from.shape != nullptr) o.shape = find_named(shapes, "shape", from.shape);
  if (from.test_basis != nullptr)
    o.test = function_space{find_named(bases, "basis of y", from.test_basis), from.test_order};
  return o;
}

element_layout layout_from(const tessera_element_layout& l, const element_layout& conventional) {
  if (says_nothing(l)) return conventional;
  if (l.lanes < 1) refuse("layout: lanes " + std::to_string(l.lanes) + " is not positive");
  element_layout layout{l.entry, l.component, l.element, l.lanes, l.block, l.first};
  // One that a caller of C++ has left as it is would be conventional; with one lane `element` has no meaning.
  if (l.lanes == 1) layout.element = 1;
  return layout;
}

template <class T>
element_nodes<T> nodes_from(const tessera_element_nodes& from, const element_operator_options& o, int dim) {
  if (from.coefficients == nullptr && from.coefficients_at_points == nullptr && from.coefficient_count != 0)
    refuse(std::to_string(from.coefficient_count) + " coefficients, but null for them", status::null_pointer);
  if ((from.coefficients != nullptr || from.coefficients_at_points != nullptr) && from.coefficient_count == 0)
    refuse("coefficients are given, and coefficient_count is 0");
  // The operator's own check comes after they have been copied.
  const int most = dim < 1 || dim > 3 ? 0 : coefficients_of(o.kind, dim).most;
  if (from.coefficient_count < 0 || from.coefficient_count > most)
    refuse(std::to_string(from.coefficient_count) + " coefficients, where " + name_of(o.kind) + " in " +
           std::to_string(dim) + " dimensions takes at most " + std::to_string(most));
  if (from.coefficients != nullptr && from.coefficients_at_points != nullptr)
    refuse("coefficients are given twice: constant ones, and at each point");
  element_nodes<T> nodes{.dim = dim,
                         .order = from.order,
                         .elements = from.elements,
                         .coordinates = static_cast<const T*>(from.coordinates)};
  if (!says_nothing(from.layout)) nodes.layout = layout_from(from.layout, {});
  if (from.coefficients_at_points != nullptr) {
    nodes.coefficients_at_points = static_cast<const T*>(from.coefficients_at_points);
    nodes.coefficients_given = from.coefficient_count;
  } else if (from.coefficients != nullptr) {
    nodes.coefficients.assign(from.coefficients, from.coefficients + from.coefficient_count);
  }
  return nodes;
}

template element_nodes<float> nodes_from(const tessera_element_nodes&, const element_operator_options&, int);
template element_nodes<double> nodes_from(const tessera_element_nodes&, const element_operator_options&, int);

}  // namespace tessera::fem::detail
