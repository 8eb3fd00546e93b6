// SPDX-License-Identifier: BSD-3-Clause
// Makes element operators from orders and nodes: tables, weights, D.
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/element_operator.hpp>

#include "element_columns.hpp"
#include "line_rule.hpp"

namespace tessera::fem {

namespace detail {

quadrature_rule line_rule(const element_operator_options& o) {
  // The order is checked by its basis: what is added to it cannot overflow.
  const int points = o.points != 0 ? o.points : basis(o.trial.kind, o.trial.order).order() + 2;
  return o.rule == points_kind::gauss ? gauss(points) : gauss_lobatto(points);
}

}  // namespace detail

namespace {

[[noreturn]] void refuse(const std::string& why, status code = status::invalid_argument) {
  throw error("element_operator: " + why, code);
}

// An enumerator that was made from a number.
template <class Enum>
void check_one_of(const char* what, Enum value, int count, const char* names) {
  if (int(value) < 0 || int(value) >= count)
    refuse(std::string(what) + " " + std::to_string(int(value)) + " is none of " + names);
}

void check_enumerators(const element_operator_options& o) {
  const auto check_basis = [](const char* what, basis_kind kind) {
    check_one_of(what, kind, 3, "gauss_lobatto, gauss and bernstein");
  };
  check_basis("basis", o.trial.kind);
  if (o.test) check_basis("basis of y", o.test->kind);
  check_one_of("rule", o.rule, 2, "gauss and gauss_lobatto");
  check_one_of("shape", o.shape, 2, "cube and simplex");
  check_one_of("form", o.form, 2, "partial_assembly and matrix_free");
  check_one_of("storage", o.storage, 2, "same and in_float");
}

evaluation_spec spec_of(const element_operator_options& o, int dim) {
  const quadrature_rule rule = detail::line_rule(o);
  const basis_tables trial = tabulate(basis(o.trial.kind, o.trial.order), rule);
  evaluation_spec spec{.kind = o.kind,
                       .dim = dim,
                       .components = o.components,
                       .trial = trial.d,
                       .points = trial.q,
                       .interpolate = trial.B,
                       .differentiate = differentiation_matrix(rule.points),
                       .on = o.on};
  if (trial.q < trial.d) spec.gradients = trial.G;
  if (o.test) {
    const basis_tables test = tabulate(basis(o.test->kind, o.test->order), rule);
    spec.test = test.d;
    spec.test_functions = test.B;
    if (trial.q < test.d) spec.test_gradients = test.G;
  }
  return spec;
}

bool is_dense(const element_operator_options& o) { return o.tables || o.shape == element_shape::simplex; }

// Without a geometry where its order is 0.
dense_element dense_of(const element_operator_options& o, int dim, int geometry_order) {
  if (!o.tables) return simplex_element(dim, geometry_order, o);
  if (o.tables->dim != dim)
    refuse("tables in " + std::to_string(o.tables->dim) + " dimensions, elements in " + std::to_string(dim));
  return *o.tables;
}

dense_evaluation_spec spec_of(const dense_element& element, const element_operator_options& o) {
  return {.kind = o.kind,
          .dim = element.dim,
          .components = o.components,
          .points = element.points,
          .trial = element.trial,
          .test = element.test,
          .on = o.on};
}

// Function is nothing, or the user's.
template <class T, class... Function>
evaluation<T> evaluation_of(const element_operator_options& o, int dim, const Function&... function) {
  check_enumerators(o);
  if (is_dense(o)) return evaluation<T>(spec_of(dense_of(o, dim, 0), o), function...);
  return evaluation<T>(spec_of(o, dim), function...);
}

template <class T>
geometry_spec<T> geometry_in(const element_nodes<T>& nodes) {
  return {.elements = nodes.elements,
          .coordinates = nodes.coordinates,
          .layout = nodes.layout,
          .coefficients = nodes.coefficients,
          .at_points = nodes.coefficients_at_points,
          .given = nodes.coefficients_given};
}

template <class T>
geometry_spec<T> dense_geometry_of(const element_nodes<T>& nodes, const element_operator_options& o) {
  if (!o.tables && nodes.order < 1) refuse("nodes of order " + std::to_string(nodes.order) + "; at least 1");
  dense_element element = dense_of(o, nodes.dim, nodes.order);
  geometry_spec<T> spec = geometry_in(nodes);
  spec.nodes = element.geometry.functions;
  spec.gradients = std::move(element.geometry.gradients);
  spec.weights = std::move(element.weights);
  return spec;
}

template <class T>
geometry_spec<T> geometry_of(const element_nodes<T>& nodes, const element_operator_options& o) {
  if (is_dense(o)) return dense_geometry_of(nodes, o);
  const quadrature_rule rule = detail::line_rule(o);
  const basis_tables geometry = tabulate(basis(basis_kind::gauss_lobatto, nodes.order), rule);
  geometry_spec<T> spec = geometry_in(nodes);
  spec.nodes = geometry.d;
  spec.interpolate = geometry.B;
  spec.weights = rule.weights;
  if (geometry.q < geometry.d) spec.gradients = geometry.G;
  return spec;
}

template <class T>
point_data<T> data_of(const evaluation<T>& e, const element_nodes<T>& nodes, const element_operator_options& o) {
  if (o.form == element_form::matrix_free && o.storage == point_storage::in_float)
    refuse("D in float is of partial assembly; matrix_free stores none");
  if (o.form == element_form::matrix_free) return point_data<T>::computed(e, geometry_of(nodes, o));
  return point_data<T>::stored(e, geometry_of(nodes, o), o.storage);
}

template <class T>
point_data<T> data_of(const evaluation<T>& e, index_t elements, const T* D, const element_operator_options& o) {
  if (o.form == element_form::matrix_free) refuse("matrix_free computes D from nodes, and here D is given");
  point_data<T> data = point_data<T>::stored(e, elements, o.storage);
  data.set(0, elements, D);
  return data;
}

}  // namespace

template <class T>
element_operator<T>::element_operator(const evaluation<T>& by, const element_nodes<T>& nodes,
                                      const element_operator_options& options)
    : evaluation_(by), data_(data_of(evaluation_, nodes, options)) {}

template <class T>
element_operator<T>::element_operator(const evaluation<T>& by, index_t elements, const T* D,
                                      const element_operator_options& options)
    : evaluation_(by), data_(data_of(evaluation_, elements, D, options)) {}

template <class T>
element_operator<T>::element_operator(const element_nodes<T>& nodes, const element_operator_options& options)
    : element_operator(evaluation_of<T>(options, nodes.dim), nodes, options) {}

template <class T>
element_operator<T>::element_operator(int dim, index_t elements, const T* D, const element_operator_options& options)
    : element_operator(evaluation_of<T>(options, dim), elements, D, options) {}

template <class T>
element_operator<T>::element_operator(const compiled_function<T>& function, index_t elements, const T* D,
                                      const element_operator_options& options)
    : element_operator(evaluation_of<T>(options, function.dim, function), elements, D, options) {}

template <class T>
index_t element_operator<T>::matrix_entries(matrix_storage how) const {
  return tessera::matrix_entries(test_size() * test_components(), trial_size() * components(), how);
}

template <class T>
bool element_operator<T>::has_kernel_of_matrices(matrix_storage how) const {
  return evaluation_.has_matrices(how) && (data_.is_stored() || evaluation_.space() == space_kind::cpu);
}

template <class T>
std::string element_operator<T>::describe_assembly(matrix_storage how) const {
  return has_kernel_of_matrices(how) ? evaluation_.describe_matrices(how) : "by columns";
}

template <class T>
void element_operator<T>::assemble(index_t first, index_t count, T* M, matrix_storage how, stream_view in) const {
  const auto refuse = [](const std::string& why, status code = status::invalid_argument) {
    throw error("element_operator::assemble: " + why, code);
  };
  check_one_of("matrix storage", how, 2, "full and lower_packed");
  if (first < 0 || count < 0 || first > elements() || count > elements() - first)
    refuse(std::to_string(count) + " elements from " + std::to_string(first) + " on, of " + std::to_string(elements()));
  const index_t nx = trial_size() * components(), ny = test_size() * test_components();
  if (how == matrix_storage::lower_packed && !evaluation_.symmetric())
    refuse("the lower triangle of " + evaluation_.describe() + ", whose matrices of " + std::to_string(ny) + " x " +
           std::to_string(nx) + " are not known to be symmetric");
  if (count == 0) return;
  if (M == nullptr) refuse("M is a null pointer", status::null_pointer);
  tessera::detail::checked_product("element_operator::assemble: matrices", {count, matrix_entries(how)}, sizeof(T));
  data_.check_output("element_operator::assemble: M", M, count * matrix_entries(how));
  detail::check_linear("element_operator::assemble", *this, first, count);
  if (has_kernel_of_matrices(how)) return evaluation_.matrices(first, count, M, how, data_, in);
  if (evaluation_.space() == space_kind::gpu) in.synchronize();  // M may still be in use there
  detail::assemble_columns(*this, first, count, M, how);
}

template <class T>
void element_operator<T>::diagonal(T* diagonal) const {
  if (trial_size() != test_size() || components() != test_components())
    throw error("element_operator::diagonal: x has " + std::to_string(trial_size() * components()) +
                    " entries an element, y " + std::to_string(test_size() * test_components()),
                status::shape_mismatch);
  if (diagonal == nullptr && elements() > 0)
    throw error("element_operator::diagonal: y is a null pointer", status::null_pointer);
  if (elements() == 0) return;
  data_.check_output("element_operator::diagonal: y", diagonal, elements() * trial_size() * components());
  detail::check_linear("element_operator::diagonal", *this, 0, elements());
  if (evaluation_.has_diagonal() && (data_.is_stored() || evaluation_.space() == space_kind::cpu))
    return evaluation_.diagonal(0, elements(), diagonal, data_);
  detail::diagonal_of_columns(*this, diagonal);
}

template class element_operator<float>;
template class element_operator<double>;

dense_element simplex_element(int dim, int geometry_order, const element_operator_options& o) {
  check_enumerators(o);
  if (o.rule != points_kind::gauss) refuse("on simplices there are gauss points, no gauss_lobatto");
  // The order is checked by its basis: what is added to it cannot overflow.
  const int points = o.points != 0 ? o.points : simplex_basis(o.trial.kind, dim, o.trial.order).order() + 1;
  const point_rule rule = simplex_rule(dim, points);
  const auto tables = [&](const function_space& space) {
    return tabulate(simplex_basis(space.kind, dim, space.order), rule);
  };
  dense_element element{.dim = dim, .points = rule.size(), .trial = tables(o.trial), .weights = rule.weights};
  if (o.test) element.test = tables(*o.test);
  if (geometry_order > 0) element.geometry = tables({basis_kind::gauss_lobatto, geometry_order});
  return element;
}

element_nodes<double> nodes_of(const mesh& domain) {
  return {.dim = domain.dim(),
          .order = domain.order(),
          .elements = domain.elements(),
          .coordinates = domain.coordinates().data()};
}

}  // namespace tessera::fem
