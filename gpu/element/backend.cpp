// SPDX-License-Identifier: BSD-3-Clause
// Operators on a GPU: applications, matrices and diagonals are kernels that are compiled when they are first needed.
#include <algorithm>
#include <utility>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "device_dense.hpp"
#include "device_diagonal.hpp"
#include "device_evaluation.hpp"
#include "device_l_vectors.hpp"
#include "device_matrices.hpp"
#include "device_nodes.hpp"
#include "device_points.hpp"
#include "device_set_up.hpp"
#include "src/element/backend.hpp"
#include "src/element/line_tables.hpp"

namespace tessera::detail {

namespace {

template <class T>
std::string name_in_errors(const operator_request<T>& request) {
  return request.words + ", " + name_of(scalar_of<T>);
}

// Tables of an element's functions at all its points are products of those of a direction: refused before they are
// made where they could not be counted.
template <class T>
void check_products_fit(const operator_request<T>& request) {
  const operator_sizes& s = request.sizes;
  double points = 1, functions = 1;
  for (int a = 0; a < s.dim; ++a) {
    points *= double(s.q);
    functions *= double(std::max(s.d, s.t));
  }
  constexpr double most_entries = 1 << 26;  // half a gibibyte of doubles
  if (points * functions * (1 + s.dim) > most_entries)
    request.refuse(
        "fewer points than functions of coupled components, by products of tables: too large for this GPU's kernels");
}

// Of an element, as dense tables: n functions of a direction with these values, and derivatives where they are given.
dense_basis all_functions(const evaluation_spec& spec, const std::vector<double>& values,
                          const std::vector<double>& slopes, int n) {
  if (!slopes.empty()) return product_basis(values, slopes, spec.points, n, spec.dim);
  return product_basis(values, slopes_of(spec.differentiate, values, spec.points, n), spec.points, n, spec.dim);
}

// Entries of coordinates, from the first to the last one that is read.
template <class T>
index_t reach_of(const checked_geometry<T>& geometry) {
  const geometry_spec<T>& from = geometry.spec();
  // The last element, or the last one of the last whole block, in a later lane.
  const index_t last = from.elements - 1, whole = from.elements / from.layout.lanes * from.layout.lanes - 1;
  index_t reach = 0;
  for (const index_t e : {last, whole})
    if (e >= 0) reach = std::max(reach, from.layout.offset(geometry.nodes_in_all() - 1, geometry.dim() - 1, e) + 1);
  return reach;
}

template <class T>
class gpu_backend : public element_backend<T> {
 public:
  gpu_backend(const operator_request<T>& request, const evaluation_spec& spec)
      : sizes_(request.sizes), name_(name_in_errors(request)) {
    const operator_sizes& s = sizes_;
    const device::direction_tables tables{spec.interpolate, spec.differentiate, spec.test_functions, spec.gradients,
                                          spec.test_gradients};
    const element_kernel_facts facts = s.kernel_facts(int(sizeof(T)));
    // Derivatives that are given, of coupled components: no kernel takes them line by line.
    if (s.own_slopes && !can_be_direct(facts)) {
      check_products_fit(request);
      by_ = std::make_shared<const device_dense<T>>(
          name_, s.dim, request.function, state_of(request),
          all_functions(spec, spec.interpolate, spec.gradients, spec.trial),
          all_functions(spec, spec.test_functions, spec.test_gradients, spec.test), int(s.points()));
    } else {
      by_ = std::make_shared<const device_evaluation<T>>(name_, facts, request.function.source, state_of(request),
                                                         tables);
    }
    if (s.kind) {
      const matrix_facts of_matrices{.kind = *s.kind,
                                     .dim = facts.dim,
                                     .trial = facts.trial,
                                     .points = facts.points,
                                     .test = facts.test,
                                     .components = s.components,
                                     .own_test = tables.own_test(),
                                     .mirrored = facts.mirrors,
                                     .entry_bytes = int(sizeof(T))};
      matrices_ = std::make_unique<const device_matrices<T>>(name_, of_matrices, request.function.source, tables,
                                                             device_operator<T>::limits_here());
    }
    if (s.kind && s.d == s.t) diagonal_ = std::make_unique<const device_diagonal<T>>(name_, s, tables);
  }

  gpu_backend(const operator_request<T>& request, const dense_evaluation_spec& spec)
      : sizes_(request.sizes), name_(name_in_errors(request)) {
    const operator_sizes& s = sizes_;
    by_ = std::make_shared<const device_dense<T>>(name_, s.dim, request.function, state_of(request), spec.trial,
                                                  *spec.test, spec.points);
    if (s.kind && s.d == s.t) diagonal_ = std::make_unique<const device_diagonal<T>>(name_, s, spec.trial, *spec.test);
  }

  space_kind space() const override { return space_kind::gpu; }
  index_t lanes() const override { return 1; }
  std::string describe(detail_level how) const override {
    return std::string(name_of(target::cuda)) + ", " + by_->describe(how);
  }

  void apply(const element_set& which, const application<T>& a, const point_source<T>& D) const override {
    const device_data<T> data = there(D).data();
    there(D).kernels_of(*by_).apply(arguments_of(which, a, data), data.stored, a.in);
  }
  bool can_replace_x() const override { return by_->can_replace_x(); }

  std::shared_ptr<element_patches> patches(const patch_request& request) const override {
    return std::make_shared<device_l_vectors>(request);
  }
  void begin_patches(const element_patches& of, const global_application<T>& a) const override { there(of).begin(a); }
  void apply_patches(const element_patches& of, index_t first, index_t last, const global_application<T>& a,
                     const point_source<T>& D, const shared_terms<T>& shared) const override {
    there(D).kernels_of(*by_).apply(call_of(of, first, last, a, D, shared), there(D).data().stored, a.in);
  }
  void finish_patches(const element_patches& of, const global_application<T>& a, const point_source<T>& D,
                      const shared_terms<T>& shared) const override {
    there(of).finish(a, shared.terms);
    if (a.dot != nullptr) there(of).finish_dot(a, shared, call_of(of, 0, 0, a, D, shared).dots != nullptr);
  }
  index_t dot_numbers(const element_patches& of) const override { return there(of).dot_numbers(); }

  const char* why_no_matrices(matrix_storage how) const override {
    if (matrices_ == nullptr) return "";
    const char* const why = matrices_->why_not(how);
    return *why != '\0' ? why : nullptr;
  }
  std::string describe_matrices(matrix_storage how) const override { return matrices_->describe(how); }
  void matrices(index_t first, index_t count, T* M, matrix_storage how, const point_source<T>& D,
                stream_view in) const override {
    const device_data<T> data = there(D).data();
    matrices_->run(first, count, M, how, data.D, data.stored, in);
  }
  bool has_diagonal() const override { return diagonal_ != nullptr && diagonal_->fits(); }
  void diagonal(index_t first, index_t count, T* y, const point_source<T>& D) const override {
    const device_data<T> data = there(D).data();
    diagonal_->run(first, count, y, data.D, data.stored);
  }

  std::shared_ptr<point_source<T>> points(index_t elements, point_storage how) const override {
    if (how == point_storage::in_float) return stored<float>(elements);
    return stored<T>(elements);
  }
  std::shared_ptr<point_source<T>> points(const geometry_spec<T>& from, point_storage how) const override {
    const checked_geometry<T> geometry(sizes_, from);
    const device_set_up<T> set_up(geometry, reach_of(geometry));
    if (how == point_storage::in_float) return filled<float>(set_up, from.elements);
    return filled<T>(set_up, from.elements);
  }
  std::shared_ptr<point_source<T>> computed_points(const geometry_spec<T>& from) const override {
    const checked_geometry<T> geometry(sizes_, from);
    const index_t reach = reach_of(geometry);
    device_set_up<T>(geometry, reach).check();
    return std::make_shared<device_nodes<T>>(sizes_, by_, geometry, reach);
  }

 private:
  static const device_l_vectors& there(const element_patches& of) { return static_cast<const device_l_vectors&>(of); }
  static const device_source<T>& there(const point_source<T>& D) { return static_cast<const device_source<T>&>(D); }
  static std::shared_ptr<const void> state_of(const operator_request<T>& request) {
    return request.own != nullptr ? request.own->state : nullptr;
  }

  // With `dots` where they are wanted and the kernel gives them.
  device::l_vector_call<T> call_of(const element_patches& of, index_t first, index_t last,
                                   const global_application<T>& a, const point_source<T>& D,
                                   const shared_terms<T>& shared) const {
    const device_data<T> data = there(D).data();
    device::l_vector_call<T> call = there(of).call(a, first, last, shared);
    call.D = data.D;
    call.nodes = data.nodes;
    call.repeats = sizes_.repeats();
    if (call.dots != nullptr &&
        !(there(of).has_one_restriction() && there(D).kernels_of(*by_).gives_dots(call, data.stored)))
      call.dots = nullptr;
    return call;
  }

  // Throws where one of them is not in device memory.
  device::element_arguments<T> arguments_of(const element_set& which, const application<T>& a,
                                            const device_data<T>& D) const {
    const auto on_device = [&](const void* pointer, const char* what) {
      if (!device::is_device_pointer(pointer))
        throw error("evaluation::apply: " + name_ + ": " + what + " is not in device memory", status::wrong_space);
    };
    on_device(a.x, "x");
    on_device(a.y, "y");
    if (which.listed) on_device(which.list.data(), "the list of elements");
    return {.x = a.x,
            .y = a.y,
            .D = D.D,
            .x_layout = a.x_layout,
            .y_layout = a.y_layout,
            .list = which.listed ? which.list.data() : nullptr,
            .first = which.first,
            .count = which.size(),
            .x_side = a.x_side,
            .y_side = a.y_side,
            .repeats = sizes_.repeats(),
            .sides = a.sides,
            .add = a.add,
            .nodes = D.nodes};
  }

  // On the device, with the kernel that will read it.
  template <class Stored>
  std::shared_ptr<device_points<T, Stored>> stored(index_t elements) const {
    by_->prepare(scalar_of<Stored>, sizes_.repeats());
    return std::make_shared<device_points<T, Stored>>(sizes_, elements);
  }
  template <class Stored>
  std::shared_ptr<point_source<T>> filled(const device_set_up<T>& from, index_t elements) const {
    const auto made = stored<Stored>(elements);
    from.run(made->values());
    return made;
  }

  operator_sizes sizes_;
  std::string name_;  // in errors
  std::shared_ptr<const device_operator<T>> by_;
  std::unique_ptr<const device_matrices<T>> matrices_;  // of built-in operators
  std::unique_ptr<const device_diagonal<T>> diagonal_;  // of those whose x and y are alike
};

}  // namespace

template <class T>
backend<T> gpu_backend_of(const operator_request<T>& request, const evaluation_spec& spec) {
  return std::make_shared<const gpu_backend<T>>(request, spec);
}
template <class T>
backend<T> gpu_backend_of(const operator_request<T>& request, const dense_evaluation_spec& spec) {
  return std::make_shared<const gpu_backend<T>>(request, spec);
}

template backend<float> gpu_backend_of(const operator_request<float>&, const evaluation_spec&);
template backend<double> gpu_backend_of(const operator_request<double>&, const evaluation_spec&);
template backend<float> gpu_backend_of(const operator_request<float>&, const dense_evaluation_spec&);
template backend<double> gpu_backend_of(const operator_request<double>&, const dense_evaluation_spec&);

}  // namespace tessera::detail
