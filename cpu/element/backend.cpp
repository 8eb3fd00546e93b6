// SPDX-License-Identifier: BSD-3-Clause
// Operators on a CPU: chooses the kernel, brings the tables into its form, and goes over the elements.
#include <utility>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/error.hpp>

#include "application.hpp"
#include "computed_points.hpp"
#include "cpu_operator.hpp"
#include "dense_matrices.hpp"
#include "diagonals.hpp"
#include "function_isa.hpp"
#include "mass_matrices.hpp"
#include "patched_application.hpp"
#include "points_in_place.hpp"
#include "src/element/backend.hpp"
#include "src/element/line_tables.hpp"
#include "stored_points.hpp"

namespace tessera::detail {

namespace {

// The row for exactly these sizes where there is one, else the one for any.
template <class T>
const element_row<T>* find_row(const cpu_operator<T>& s) {
  for (const element_row<T>& row : s.kernels->rows) {
    const element_size& z = row.size;
    const bool sizes = z.points == 0 || (z.trial == s.d && z.points == s.q && z.test == s.t);
    // A row that interpolates takes functions of any kind; one that does not, only its own.
    if (s.kind == z.kind && z.dim == s.dim && sizes && z.mirrored == s.mirrored &&
        (z.points == 0 || z.nodal == s.nodal))
      return &row;
  }
  return nullptr;
}

// The direct kernel around a function that is called for blocks of points.
template <class T>
void use_direct_kernel(cpu_operator<T>& s, const evaluation_spec& spec, bool takes_slopes,
                       points_function<T> at_points) {
  s.function = s.kernels->direct;
  const bool built_in = s.kind.has_value();
  s.direct = direct_function<T>{s.dim, s.of_trial, s.of_test, s.factors, at_points, s.state_of_function(), built_in};
  s.direct->mirrored = s.mirrored;
  s.direct->nodal =
      s.d == s.q && s.t == s.q && is_identity(spec.interpolate, s.q) && is_identity(spec.test_functions, s.q);
  if (!takes_slopes) return;
  const auto slopes = [&](const std::vector<double>& given, const std::vector<double>& of, index_t n) {
    return given.empty() ? slopes_of(spec.differentiate, of, s.q, n) : given;
  };
  const std::vector<double> test = slopes(spec.test_gradients, spec.test_functions, s.t);
  s.trial_slopes = owned_table<T>(slopes(spec.gradients, spec.interpolate, s.d), s.q, s.d, -1);
  s.test_slopes = owned_table<T>(transposed_table(test, s.q, s.t), s.t, s.q, -1);
  s.direct->mirrored = s.mirrored && s.trial_slopes.mirrored() && s.test_slopes.mirrored();
}

// The kernels of the requested target, or of the baseline for tables without mirror symmetry.
template <class T>
void choose_kernels(cpu_operator<T>& s, const operator_request<T>& request, bool mirrored) {
  const bool has_kernels = request.own != nullptr && request.own->mirrored != nullptr;
  const target wanted = has_kernels ? request.own->isa : request.on.value_or(default_cpu_target());
  s.for_reference = wanted == target::reference;
  s.function_isa = function_isa_of(request.own);
  const bool baseline = s.for_reference || !mirrored;
  s.isa = baseline && (s.dense || !has_kernels) ? baseline_isa() : wanted;
  s.kernels = element_kernels_of<T>(s.isa);
  if (s.kernels == nullptr || !is_available(s.isa))
    request.refuse(why_no_element_kernels<T>(wanted) +
                   (s.dense ? "" : function_isa_text(s.function_isa, target_from_name("best"))));
  if (request.own != nullptr) s.pointwise = request.own->state;
}

// What a user's function, or a built-in one, is called with for blocks of points.
template <class T>
points_function<T> function_at_points(const cpu_operator<T>& s, const operator_request<T>& request) {
  const points_function<T> found =
      request.own != nullptr ? request.own->at_points : row_of(s.kernels->at_points, *s.kind, s.dim).run;
  if (found == nullptr) request.refuse("the function has no at_points, which a CPU calls here");
  return found;
}

template <class T>
class cpu_backend : public element_backend<T> {
 public:
  cpu_backend(const operator_request<T>& request, const evaluation_spec& spec) {
    cpu_operator<T>& s = of_;
    static_cast<operator_sizes&>(s) = request.sizes;
    choose_kernels(s, request, s.mirrored);
    s.interpolate = owned_table<T>(spec.interpolate, s.q, s.d, 1);
    s.test_transposed = owned_table<T>(transposed_table(spec.test_functions, s.q, s.t), s.t, s.q, 1);
    if (!spec.differentiate.empty()) {
      s.differentiate = owned_table<T>(spec.differentiate, s.q, s.q, -1);
      s.differentiate_transposed = owned_table<T>(transposed_table(spec.differentiate, s.q, s.q), s.q, s.q, -1);
    }
    choose_function(request, spec);
    s.scratch = s.direct ? s.direct->scratch(s.d, s.q, s.t) : s.function.scratch(s.d, s.q, s.t);
    element_kernel_facts applied = s.kernel_facts(int(sizeof(T)));
    applied.several = s.repeats() > 1;
    applied.own_slopes = applied.own_slopes || s.direct.has_value();
    s.runs = element_runs(applied, s.isa, spec.run, spec.regime);
    s.D_in_order = applied.slopes() && !s.direct;
    const auto in_form = [&](owned_table<T>& table) {
      return table.lay_out(!s.compiled_for_sizes, s.kernels->table_width);
    };
    s.tables = {in_form(s.interpolate),     in_form(s.differentiate), in_form(s.differentiate_transposed),
                in_form(s.test_transposed), in_form(s.trial_slopes),  in_form(s.test_slopes)};
    if (s.kind && s.d == s.t) diagonal_ = std::make_unique<const element_diagonals<T>>(s, spec);
    if (s.kind == operator_kind::mass) matrices_ = std::make_unique<const mass_matrices<T>>(s, spec);
  }

  cpu_backend(const operator_request<T>& request, const dense_evaluation_spec& spec) {
    cpu_operator<T>& s = of_;
    static_cast<operator_sizes&>(s) = request.sizes;
    choose_kernels(s, request, /*mirrored=*/true);
    s.dense_tables = std::make_shared<const dense_state<T>>(
        direct_function<T>{s.dim, s.of_trial, s.of_test, s.factors, function_at_points(s, request),
                           s.state_of_function(), request.own == nullptr},
        spec.trial, *spec.test, s.q);
    s.function.run = s.kernels->dense.run;
    s.scratch = s.dense_tables->function.scratch();
    dense_matrices_ = std::make_unique<const dense_matrices<T>>(s);
    if (s.kind && s.d == s.t) diagonal_ = std::make_unique<const element_diagonals<T>>(s);
  }

  space_kind space() const override { return space_kind::cpu; }
  index_t lanes() const override { return of_.lanes(); }
  std::string describe(detail_level how) const override {
    // No records are of dense tables.
    return text_with(of_.dense ? "tuning: default" : of_.runs.describe(how), how);
  }
  std::string describe_in_place(detail_level how) const override {
    return text_with(of_.runs.describe_by_rule(of_.isa, how), how);
  }

  void apply(const element_set& which, const application<T>& a, const point_source<T>& D) const override {
    const cpu_operator<T>& s = of_;
    const e_vector_loader<T> x(*s.kernels, {a.x, a.x_side, a.x_layout, s.trial_size(), s.components}, !which.listed);
    const e_vector_storer<T> y(*s.kernels, {a.y, a.y_side, a.y_layout, s.test_size(), s.repeats() * s.test_parts},
                               !which.listed, a.add);
    element_application(s, element_blocks(which, lanes()), a.sides, x, y, blocks_of(D)).run();
  }

  void apply_in_place(const element_set& which, const application<T>& a, const T* D, index_t distance, index_t elements,
                      T* scratch) const override {
    const points_in_place<T> points(*of_.kernels, of_.entries(), elements, D, distance);
    with_points(which, a, points, elements, [&](const auto& application) { application.run_here(scratch); });
  }
  std::size_t scratch_in_place() const override {
    const points_in_place<T> points(*of_.kernels, of_.entries(), 0, nullptr, 0);
    index_t entries = 0;
    with_points({}, {}, points, 0, [&](const auto& application) { entries = application.scratch(); });
    // As if a buffer for non-temporal stores had memory of its own.
    return std::size_t(aligned(entries) + aligned(of_.test_size() * lanes())) * sizeof(T);
  }
  bool is_compiled_for_sizes() const override { return of_.compiled_for_sizes; }

  std::shared_ptr<element_patches> patches(const patch_request& request) const override {
    return listed_patches_of(request, lanes());
  }
  void apply_patches(const element_patches& of, index_t first, index_t last, const global_application<T>& a,
                     const point_source<T>& D, const shared_terms<T>& shared) const override {
    patched_application<T>(of_, there(of), a, blocks_of(D), shared).run(first, last);
  }
  void finish_patches(const element_patches& of, const global_application<T>& a, const point_source<T>&,
                      const shared_terms<T>& shared) const override {
    finish_patched(there(of), a, shared);
  }
  index_t dot_numbers(const element_patches& of) const override { return dot_numbers_of(there(of)); }

  const char* why_no_matrices(matrix_storage) const override {
    return matrices_ == nullptr && dense_matrices_ == nullptr ? "" : nullptr;
  }
  std::string describe_matrices(matrix_storage) const override {
    return matrices_ != nullptr ? matrices_->describe() : dense_matrices_->describe();
  }
  void matrices(index_t first, index_t count, T* M, matrix_storage how, const point_source<T>& D,
                stream_view) const override {
    if (matrices_ != nullptr) return matrices_->run(first, count, M, how, blocks_of(D));
    dense_matrices_->run(first, count, M, how, blocks_of(D));
  }
  bool has_diagonal() const override { return diagonal_ != nullptr; }
  void diagonal(index_t first, index_t count, T* y, const point_source<T>& D) const override {
    diagonal_->run(first, count, y, blocks_of(D));
  }

  std::shared_ptr<point_source<T>> points(index_t elements, point_storage how) const override {
    if (how == point_storage::in_float) return stored<float>(elements);
    return stored<T>(elements);
  }
  std::shared_ptr<point_source<T>> points(const geometry_spec<T>& from, point_storage how) const override {
    const detail::computed_points<T> computed(of_, *of_.kernels, from);
    if (how == point_storage::in_float) return filled<float>(computed);
    return filled<T>(computed);
  }
  std::shared_ptr<point_source<T>> computed_points(const geometry_spec<T>& from) const override {
    const auto points = std::make_shared<detail::computed_points<T>>(of_, *of_.kernels, from);
    points->check();
    return points;
  }

 private:
  // f(an application of one side to elements one after the other, of `elements` altogether)
  template <class F>
  void with_points(const element_set& which, const application<T>& a, const block_source<T>& D, index_t elements,
                   const F& f) const {
    const cpu_operator<T>& s = of_;
    const e_vector_loader<T> x(*s.kernels, {a.x, 0, a.x_layout, s.trial_size(), s.components}, true);
    const e_vector_storer<T> y(*s.kernels, {a.y, 0, a.y_layout, s.test_size(), s.components}, true, a.add);
    const element_blocks blocks(which, lanes());
    const index_t moved = (elements + lanes() - 1) / lanes() * (x.bytes() + y.bytes() + D.memory_bytes());
    const element_run run = s.runs.of(s.isa, moved, /*is_usual=*/false);
    f(element_application(s, blocks, 1, x, y, D, &run));
  }
  static const listed_patches& there(const element_patches& of) { return static_cast<const listed_patches&>(of); }
  static const block_source<T>& blocks_of(const point_source<T>& D) { return static_cast<const block_source<T>&>(D); }

  // A kernel around the function, a row of a built-in one, or the direct kernel.
  void choose_function(const operator_request<T>& request, const evaluation_spec& spec) {
    cpu_operator<T>& s = of_;
    if (request.own != nullptr && request.own->mirrored != nullptr && !s.own_slopes) {
      s.function = s.mirrored ? *request.own->mirrored : *request.own->any_tables;
    } else if (request.own != nullptr || s.own_slopes) {
      use_direct_kernel(s, spec, request.function.slopes, function_at_points(s, request));
    } else {
      const element_row<T>* row = find_row(s);
      if (row == nullptr) request.refuse("no kernel was compiled for it", status::internal);
      s.function = row->function;
      s.compiled_for_sizes = row->size.points > 0;
    }
  }

  template <class Stored>
  std::shared_ptr<stored_points<T, Stored>> stored(index_t elements) const {
    return std::make_shared<stored_points<T, Stored>>(of_, *of_.kernels, elements);
  }
  template <class Stored>
  std::shared_ptr<point_source<T>> filled(const detail::computed_points<T>& from) const {
    const auto made = stored<Stored>(from.elements());
    from.compute(number_range<T>::template of<Stored>(), [&](index_t block, const T* D) { made->set_block(block, D); });
    return made;
  }

  std::string text_with(const std::string& tuning, detail_level how) const;

  cpu_operator<T> of_;
  std::unique_ptr<const mass_matrices<T>> matrices_;  // of the mass
  std::unique_ptr<const dense_matrices<T>> dense_matrices_;
  std::unique_ptr<const element_diagonals<T>> diagonal_;  // of built-in operators, x and y alike
};

template <class T>
std::string cpu_backend<T>::text_with(const std::string& tuning, detail_level how) const {
  const cpu_operator<T>& s = of_;
  std::string text = name_of(s.isa);
  if (s.for_reference) text += " in place of reference, which has no element kernels";
  text += ", ";
  if (s.dense)
    text += "dense tables";
  else
    text += s.compiled_for_sizes ? "compiled for these sizes" : "kernel for any sizes";
  if (how == detail_level::brief) return text + "; " + tuning;
  if (s.direct) text += ", all points of an element at once";
  if (s.compiled_for_sizes && s.nodal) text += ", nodes are the points (collocated)";
  if (!s.mirrored && !s.direct && !s.dense) text += ", tables without mirror symmetry";
  return text + ", " + std::to_string(lanes()) + " elements at a time; " + tuning +
         function_isa_text(s.function_isa, target_from_name("best"));
}

}  // namespace

template <class T>
backend<T> cpu_backend_of(const operator_request<T>& request, const evaluation_spec& spec) {
  return std::make_shared<const cpu_backend<T>>(request, spec);
}
template <class T>
backend<T> cpu_backend_of(const operator_request<T>& request, const dense_evaluation_spec& spec) {
  return std::make_shared<const cpu_backend<T>>(request, spec);
}

template backend<float> cpu_backend_of(const operator_request<float>&, const evaluation_spec&);
template backend<double> cpu_backend_of(const operator_request<double>&, const evaluation_spec&);
template backend<float> cpu_backend_of(const operator_request<float>&, const dense_evaluation_spec&);
template backend<double> cpu_backend_of(const operator_request<double>&, const dense_evaluation_spec&);

}  // namespace tessera::detail
