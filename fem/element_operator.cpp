// SPDX-License-Identifier: BSD-3-Clause
// Makes element operators from orders and nodes: tables, weights, D.
#include <tessera/copy.hpp>
#include <tessera/cpu/parallel.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/memory.hpp>
#include <tessera/view.hpp>

#include <algorithm>

namespace tessera::fem {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw error("element_operator: " + why); }

quadrature_rule rule_of(const element_operator_options& o) {
  const int points = o.points != 0 ? o.points : o.trial.order + 2;
  return o.rule == points_kind::gauss ? gauss(points) : gauss_lobatto(points);
}

evaluation_spec spec_of(const element_operator_options& o, int dim) {
  const quadrature_rule rule = rule_of(o);
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
  if (is_dense(o)) return evaluation<T>(spec_of(dense_of(o, dim, 0), o), function...);
  return evaluation<T>(spec_of(o, dim), function...);
}

// What stands for "conventional".
bool says_nothing(const element_layout& l) {
  constexpr element_layout nothing;
  return l.entry == nothing.entry && l.component == nothing.component && l.element == nothing.element &&
         l.lanes == nothing.lanes && l.block == nothing.block && l.first == nothing.first;
}

template <class T>
geometry_spec<T> geometry_in(const element_nodes<T>& nodes, index_t n) {
  const bool given = !says_nothing(nodes.layout);
  return {.elements = nodes.elements,
          .coordinates = nodes.coordinates,
          .layout = given ? nodes.layout : element_layout::conventional(n, nodes.dim),
          .coefficients = nodes.coefficients,
          .at_points = nodes.coefficients_at_points,
          .given = nodes.coefficients_given};
}

template <class T>
geometry_spec<T> dense_geometry_of(const element_nodes<T>& nodes, const element_operator_options& o) {
  dense_element element = dense_of(o, nodes.dim, nodes.order);
  geometry_spec<T> spec = geometry_in(nodes, element.geometry.functions);
  spec.nodes = element.geometry.functions;
  spec.gradients = std::move(element.geometry.gradients);
  spec.weights = std::move(element.weights);
  return spec;
}

template <class T>
geometry_spec<T> geometry_of(const element_nodes<T>& nodes, const element_operator_options& o) {
  if (is_dense(o)) return dense_geometry_of(nodes, o);
  const quadrature_rule rule = rule_of(o);
  const basis_tables geometry = tabulate(basis(basis_kind::gauss_lobatto, nodes.order), rule);
  index_t n = 1;
  for (int a = 0; a < nodes.dim; ++a) n *= geometry.d;
  geometry_spec<T> spec = geometry_in(nodes, n);
  spec.nodes = geometry.d;
  spec.interpolate = geometry.B;
  spec.weights = rule.weights;
  if (geometry.q < geometry.d) spec.gradients = geometry.G;
  return spec;
}

template <class T>
point_data<T> data_of(const evaluation<T>& e, const element_nodes<T>& nodes, const element_operator_options& o) {
  if (o.form == element_form::matrix_free) return point_data<T>::computed(e, geometry_of(nodes, o));
  return point_data<T>::stored(e, geometry_of(nodes, o), o.storage);
}

template <class T>
point_data<T> data_of(const evaluation<T>& e, index_t elements, const T* D, const element_operator_options& o) {
  point_data<T> data = point_data<T>::stored(e, elements, o.storage);
  data.set(0, elements, D);
  return data;
}

template <class T>
void to_device(const std::vector<T>& from, T* to) {
  const auto size = of_size(static_cast<index_t>(from.size()));
  copy(view(from.data(), size), view(gpu, to, size));
}
template <class T>
void from_device(const T* from, std::vector<T>& to) {
  const auto size = of_size(static_cast<index_t>(to.size()));
  copy(view(gpu, from, size), view(to.data(), size));
}

/// A vector of the host with a copy on the device, where kernels run there.
template <class T>
class vector_for {
 public:
  vector_for(space_kind space, index_t size)
      : host(static_cast<std::size_t>(size)),
        there_(space == space_kind::gpu ? space : space_kind::cpu, bytes_of(space)) {}

  std::vector<T> host;
  T* for_kernels() { return is_apart() ? static_cast<T*>(there_.data()) : host.data(); }
  void send() {
    if (is_apart()) to_device(host, for_kernels());
  }
  void fetch() {
    if (is_apart()) from_device(for_kernels(), host);
  }

 private:
  std::size_t bytes_of(space_kind space) const { return space == space_kind::gpu ? host.size() * sizeof(T) : 0; }
  bool is_apart() const { return there_.bytes() > 0; }
  buffer there_;
};

// What `fill` makes on the host, into memory of either side.
template <class T, class Fill>
void fill_in(space_kind space, T* to, index_t size, Fill fill) {
  if (space == space_kind::cpu) return fill(to);
  std::vector<T> host(static_cast<std::size_t>(size));
  fill(host.data());
  to_device(host, to);
}

}  // namespace

template <class T>
element_operator<T>::element_operator(const element_nodes<T>& nodes, const element_operator_options& options)
    : evaluation_(evaluation_of<T>(options, nodes.dim)), data_(data_of(evaluation_, nodes, options)) {}

template <class T>
element_operator<T>::element_operator(int dim, index_t elements, const T* D, const element_operator_options& options)
    : evaluation_(evaluation_of<T>(options, dim)), data_(data_of(evaluation_, elements, D, options)) {}

template <class T>
element_operator<T>::element_operator(const compiled_function<T>& function, index_t elements, const T* D,
                                      const element_operator_options& options)
    : evaluation_(evaluation_of<T>(options, function.dim, function)),
      data_(data_of(evaluation_, elements, D, options)) {}

template <class T>
void element_operator<T>::run(const element_set& which, const T* x, T* y, bool add) const {
  evaluation_.apply(which, {.x = x, .x_layout = x_layout(), .y = y, .y_layout = y_layout(), .add = add}, data_);
}

// take(j, e, y) for every column j of the matrix of element first + e, y being that column; on a CPU by all threads.
template <class T>
template <class Take>
void element_operator<T>::each_column(index_t first, index_t count, Take take) const {
  const index_t nx = trial_size() * components(), ny = test_size() * test_components(), last = first + count;
  // Many elements at a time are worth an application each column. On a CPU few elements in whole vectors leave work for
  // every thread.
  constexpr index_t lanes = 64 / sizeof(T);
  const bool on_gpu = evaluation_.space() == space_kind::gpu;
  const index_t most = std::clamp<index_t>((index_t{1} << 18) / std::max(nx, ny), 1, 64);
  const index_t share = lanes * std::clamp<index_t>(count / (16 * lanes), 1, 64 / lanes);
  const index_t at_once = on_gpu ? most : std::min(most, share);
  const index_t first_group = first / at_once, groups = (last + at_once - 1) / at_once - first_group;
  const auto some_groups = [&](index_t begin, index_t end) {
    vector_for<T> x(evaluation_.space(), nx * at_once), y(evaluation_.space(), ny * at_once);
    for (index_t group = first_group + begin; group < first_group + end; ++group) {
      const index_t start = std::max(first, group * at_once), stop = std::min(last, (group + 1) * at_once);
      for (index_t j = 0; j < nx; ++j) {
        for (index_t e = 0; e < stop - start; ++e) x.host[static_cast<std::size_t>(j + nx * e)] = 1;
        x.send();
        evaluation_.apply(element_set::range(start, stop),
                          {.x = x.for_kernels(),
                           .x_layout = x_layout().from(start),
                           .y = y.for_kernels(),
                           .y_layout = y_layout().from(start)},
                          data_);
        y.fetch();
        for (index_t e = 0; e < stop - start; ++e) x.host[static_cast<std::size_t>(j + nx * e)] = 0;
        for (index_t e = 0; e < stop - start; ++e) take(j, start - first + e, y.host.data() + ny * e);
      }
    }
  };
  if (on_gpu || double(count) * double(nx) * double(ny) < serial_flops) return some_groups(0, groups);
  for_batch_chunks(groups, some_groups);
}

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
  if (first < 0 || count < 0 || first > elements() || count > elements() - first)
    refuse(std::to_string(count) + " elements from " + std::to_string(first) + " on, of " + std::to_string(elements()));
  const index_t nx = trial_size() * components(), ny = test_size() * test_components();
  if (how == matrix_storage::lower_packed && !evaluation_.symmetric())
    refuse("the lower triangle of " + evaluation_.describe() + ", whose matrices of " + std::to_string(ny) + " x " +
           std::to_string(nx) + " are not known to be symmetric");
  if (count == 0) return;
  if (M == nullptr) refuse("M is a null pointer", status::null_pointer);
  if (has_kernel_of_matrices(how)) return evaluation_.matrices(first, count, M, how, data_, in);
  if (evaluation_.space() == space_kind::gpu) in.synchronize();  // M may still be in use there
  fill_in(evaluation_.space(), M, matrix_entries(how) * count, [&](T* to) {
    each_column(first, count, [&](index_t j, index_t e, const T* y) {
      const index_t top = how == matrix_storage::lower_packed ? j : 0;
      std::copy(y + top, y + ny, to + matrix_entries(how) * e + matrix_place(top, j, ny, how));
    });
  });
}

template <class T>
void element_operator<T>::diagonal(T* diagonal) const {
  if (trial_size() != test_size() || components() != test_components())
    throw error("element_operator::diagonal: x has " + std::to_string(trial_size() * components()) +
                    " entries an element, y " + std::to_string(test_size() * test_components()),
                status::shape_mismatch);
  if (diagonal == nullptr && elements() > 0)
    throw error("element_operator::diagonal: y is a null pointer", status::null_pointer);
  if (evaluation_.has_diagonal() && (data_.is_stored() || evaluation_.space() == space_kind::cpu))
    return evaluation_.diagonal(0, elements(), diagonal, data_);
  const index_t n = trial_size() * components();
  fill_in(evaluation_.space(), diagonal, n * elements(),
          [&](T* to) { each_column(0, elements(), [&](index_t j, index_t e, const T* y) { to[j + n * e] = y[j]; }); });
}

template class element_operator<float>;
template class element_operator<double>;

dense_element simplex_element(int dim, int geometry_order, const element_operator_options& o) {
  if (o.rule != points_kind::gauss) refuse("on simplices there are gauss points, no gauss_lobatto");
  const point_rule rule = simplex_rule(dim, o.points != 0 ? o.points : o.trial.order + 1);
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
