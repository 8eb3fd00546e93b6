// SPDX-License-Identifier: BSD-3-Clause
// Evaluates fields at points by element operators whose test functions are 1 at one point and 0 at the others.
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/point_fields.hpp>
#include <tessera/memory.hpp>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace tessera::fem {

namespace {

[[noreturn]] void refuse_fields(const std::string& why, status code = status::invalid_argument) {
  throw error("point_fields: " + why, code);
}

const point_shape& checked_parts(int dim, const point_shape& parts) {
  constexpr int most_components = 1024;
  if (dim < 1 || dim > 3) refuse_fields("dimension " + std::to_string(dim) + " is not 1, 2 or 3");
  if (parts.components < 1 || parts.components > most_components)
    refuse_fields(std::to_string(parts.components) + " components, not 1.." + std::to_string(most_components));
  if (!parts.value && !parts.gradient) refuse_fields("neither the value nor the gradient is asked for");
  return parts;
}

struct copied_parts {
  point_shape parts;
  int dim;

  // Values and derivatives are in the order of the numbers already.
  template <class T>
  static void at_points(const points_block<T>& b, const void* state) {
    const auto& [parts, dim] = *static_cast<const copied_parts*>(state);
    T* to = b.value_out;
    if (parts.value) to = std::copy_n(b.value, b.count * parts.components, to);
    if (parts.gradient) std::copy_n(b.gradient, b.count * parts.components * dim, to);
  }
};

function_source source_of(int dim, const point_shape& parts) {
  const auto word = [](bool is) { return is ? "true" : "false"; };
  return {"tessera::detail::numbers_of_field<" + std::to_string(dim) + ", " + std::to_string(parts.components) + ", " +
              word(parts.value) + ", " + word(parts.gradient) + ">",
          "#include <tessera/element/point_field.hpp>\n"};
}

template <class T>
compiled_function<T> function_of(int dim, const point_shape& parts) {
  const int size = field_size(parts, dim);
  return {.name = "field",
          .dim = dim,
          .trial_components = parts.components,
          .test_components = size,
          .slopes = parts.gradient,
          .factors = 1,
          .mirrored = nullptr,
          .any_tables = nullptr,
          .state = std::make_shared<const copied_parts>(copied_parts{parts, dim}),
          .trial = parts,
          .test = {.components = size, .value = true},
          .source = source_of(dim, parts),
          .at_points = &copied_parts::at_points<T>};
}

// Function k is 1 at point k.
dense_basis at_each_point(int points) {
  dense_basis at{.functions = points,
                 .values = std::vector<double>(std::size_t(tessera::detail::checked_product(
                     "point_fields: a table of points", {points, points}, sizeof(double)))),
                 .gradients = {}};
  for (std::size_t k = 0; k < std::size_t(points); ++k) at.values[k * (std::size_t(points) + 1)] = 1;
  return at;
}

// By tables of all functions at all points.
template <class T>
evaluation<T> dense_evaluation_of(const point_shape& parts, const dense_element& element,
                                  const element_operator_options& o, const compiled_function<T>& function) {
  return evaluation<T>({.dim = element.dim,
                        .components = parts.components,
                        .points = element.points,
                        .trial = element.trial,
                        .test = at_each_point(std::max(element.points, 0)),
                        .on = o.on},
                       function);
}

template <class T>
evaluation<T> evaluation_of_field(int dim, const point_shape& parts, element_operator_options o) {
  o.kind = operator_kind::mass;
  o.components = 1;
  o.form = element_form::partial_assembly;
  o.test.reset();
  const compiled_function<T> function = function_of<T>(dim, parts);
  if (o.tables) {
    if (o.tables->dim != dim)
      refuse_fields("tables in " + std::to_string(o.tables->dim) + " dimensions, a field in " + std::to_string(dim));
    return dense_evaluation_of(parts, *o.tables, o, function);
  }
  element_operator<T>(dim, 0, nullptr, o);  // checks the other options
  if (o.shape == element_shape::simplex) return dense_evaluation_of(parts, simplex_element(dim, 0, o), o, function);
  const basis functions(o.trial.kind, o.trial.order);
  const int q = o.points != 0 ? o.points : functions.order() + 2;
  const quadrature_rule rule = o.rule == points_kind::gauss ? gauss(q) : gauss_lobatto(q);
  basis_tables trial = tabulate(functions, rule);
  evaluation_spec spec{.dim = dim,
                       .components = parts.components,
                       .trial = trial.d,
                       .points = q,
                       .test = q,
                       .interpolate = std::move(trial.B),
                       .differentiate = differentiation_matrix(rule.points),
                       .test_functions = at_each_point(q).values,
                       .on = o.on};
  if (q < trial.d) spec.gradients = std::move(trial.G);
  return evaluation<T>(spec, function);
}

}  // namespace

template <class T>
point_fields<T>::point_fields(int dim, const point_shape& parts, const element_operator_options& options)
    : size_(field_size(checked_parts(dim, parts), dim)),
      evaluation_(evaluation_of_field<T>(dim, parts, options)),
      block_(std::max<index_t>((index_t(1) << 18) / points() / evaluation_.lanes(), 1) * evaluation_.lanes()),
      none_(point_data<T>::stored(evaluation_, block_)) {}

template <class T>
void point_fields<T>::check(index_t elements, const field_numbers<T>& to) const {
  if (elements < 0) refuse_fields(std::to_string(elements) + " elements");
  if (to.first < 0 || to.factors < size_ || to.first > to.factors - size_)
    refuse_fields("the " + std::to_string(size_) + " numbers of the field from " + std::to_string(to.first) +
                      " on, of " + std::to_string(to.factors) + " factors",
                  status::shape_mismatch);
  tessera::detail::checked_product("point_fields: D", {elements, points(), to.factors}, sizeof(T));
  if (to.D == nullptr && elements > 0) refuse_fields("D is a null pointer", status::null_pointer);
}

template <class T>
void point_fields<T>::evaluate(index_t elements, const T* x, const field_numbers<T>& to, stream_view in) const {
  check(elements, to);
  if (elements == 0) return;
  if (x == nullptr) refuse_fields("x is a null pointer", status::null_pointer);
  const index_t of_x = trial_size() * components(), of_D = points() * to.factors;
  tessera::detail::checked_product("point_fields: x", {elements, of_x}, sizeof(T));
  const std::less<const T*> before;
  if (before(x, to.D + elements * of_D) && before(to.D, x + elements * of_x))
    refuse_fields(
        "x and D overlap: " + std::to_string(elements * of_x) + " and " + std::to_string(elements * of_D) + " numbers",
        status::overlap);
  for (index_t e = 0; e < elements; e += block_)
    evaluation_.apply(element_set::range(0, std::min(block_, elements - e)),
                      {.x = x + e * of_x,
                       .y = to.D + to.first + e * of_D,
                       .y_layout = {.entry = to.factors, .component = 1, .block = of_D},
                       .in = in},
                      none_);
}

template <class T>
void point_fields<T>::evaluate(const restriction& unknowns, const T* x, const field_numbers<T>& to,
                               stream_view in) const {
  check(unknowns.elements(), to);
  if (unknowns.entries() != trial_size() || unknowns.components() != components())
    refuse_fields("the restriction has " + std::to_string(unknowns.components()) + " components of " +
                      std::to_string(unknowns.entries()) + " entries of an element, the field " +
                      std::to_string(components()) + " of " + std::to_string(trial_size()),
                  status::shape_mismatch);
  if (x == nullptr && unknowns.size() > 0) refuse_fields("x is a null pointer", status::null_pointer);
  const index_t entries =
      tessera::detail::checked_product("point_fields: x", {unknowns.elements(), trial_size(), components()}, sizeof(T));
  if (entries == 0) return;
  const buffer elements(evaluation_.space(), std::size_t(entries) * sizeof(T));
  T* const E = static_cast<T*>(elements.data());
  // E stays until what reads it has run.
  const auto wait = [&] {
    if (evaluation_.space() == space_kind::gpu) in.synchronize();
  };
  try {
    unknowns.to_elements(x, E, in);
    evaluate(unknowns.elements(), E, to, in);
  } catch (...) {
    wait();
    throw;
  }
  wait();
}

template class point_fields<float>;
template class point_fields<double>;

}  // namespace tessera::fem
