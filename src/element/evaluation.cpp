// SPDX-License-Identifier: BSD-3-Clause
// Makes evaluations: checks what is given, brings the tables into form, and chooses the kernel.
#include <tessera/element/evaluation.hpp>

#include <cmath>
#include <utility>

#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

#include "device_dense.hpp"
#include "device_diagonal.hpp"
#include "device_evaluation.hpp"
#include "device_matrices.hpp"
#include "function_facts.hpp"
#include "function_isa.hpp"
#include "host_diagonal.hpp"
#include "host_matrices.hpp"
#include "product_tables.hpp"
#include "state.hpp"

namespace tessera {

namespace {

using detail::facts_of;
using detail::function_facts;

std::string words(const evaluation_spec& s, const function_facts& f) {
  return f.name + " " + std::to_string(s.dim) + "-D, d = " + std::to_string(s.trial) +
         ", q = " + std::to_string(s.points) + (s.test != s.trial ? ", t = " + std::to_string(s.test) : "");
}

[[noreturn]] void refuse(const evaluation_spec& s, const function_facts& f, const std::string& why,
                         status code = status::invalid_argument) {
  throw error("evaluation: " + words(s, f) + ": " + why, code);
}

void check_table(const evaluation_spec& s, const function_facts& f, const char* name, const std::vector<double>& table,
                 index_t m, index_t n) {
  if (index_t(table.size()) != m * n)
    refuse(s, f,
           std::string(name) + " has " + std::to_string(table.size()) + " entries, not " + std::to_string(m) + " x " +
               std::to_string(n),
           status::shape_mismatch);
  for (const double entry : table)
    if (!std::isfinite(entry)) refuse(s, f, std::string(name) + " has an entry " + std::to_string(entry));
}

void check(const evaluation_spec& s, const function_facts& f) {
  if (s.dim < 1 || s.dim > 3) refuse(s, f, "the dimension is not 1, 2 or 3");
  for (const int n : {s.trial, s.points, s.test})
    if (n < 1 || n > longest_line) refuse(s, f, "a size is not in 1.." + std::to_string(longest_line));
  if (s.components < 1 || s.components % f.trial_parts != 0)
    refuse(s, f,
           std::to_string(s.components) + " components, where the operator couples " + std::to_string(f.trial_parts),
           status::shape_mismatch);
  for (const index_t n : {s.trial, s.test})
    if (!detail::element_fits(s.dim == 3 ? n * n * n : s.dim == 2 ? n * n : n, s.components))
      refuse(s, f, std::to_string(s.components) + " components are too many", status::overflow);
  check_table(s, f, "interpolate", s.interpolate, s.points, s.trial);
  check_table(s, f, "test_functions", s.test_functions, s.points, s.test);
  if (!s.gradients.empty()) check_table(s, f, "gradients", s.gradients, s.points, s.trial);
  if (!s.test_gradients.empty()) check_table(s, f, "test_gradients", s.test_gradients, s.points, s.test);
  const bool through_points = f.slopes && (s.gradients.empty() || s.test_gradients.empty());
  if (through_points || !s.differentiate.empty())
    check_table(s, f, "differentiate", s.differentiate, s.points, s.points);
  const auto need_points = [&](int functions, const std::vector<double>& own, const char* name) {
    if (f.slopes && own.empty() && s.points < functions)
      refuse(s, f,
             std::string("derivatives are taken through the points, of which there are fewer than functions; give ") +
                 name + ", " + std::to_string(s.points) + " x " + std::to_string(functions));
  };
  const auto is_within = [](int value, int least, int most) { return value >= least && value <= most; };
  if (s.run && (s.run->ahead < 0 || !is_within(s.run->stream, 0, 1) || !is_within(s.run->near, 0, 2) ||
                !is_within(s.run->asks, 1, 3)))
    refuse(s, f,
           "run has ahead " + std::to_string(s.run->ahead) + ", stream " + std::to_string(s.run->stream) + ", near " +
               std::to_string(s.run->near) + ", asks " + std::to_string(s.run->asks) +
               "; 0 or more, 0 or 1, 0 to 2, 1 to 3");
  need_points(s.trial, s.gradients, "gradients");
  need_points(s.test, s.test_gradients, "test_gradients");
}

// Tables of an element's functions at all its points are products of those of a direction: refused before they are
// made where they could not be counted.
void check_products_fit(const evaluation_spec& s, const function_facts& f) {
  double points = 1, functions = 1;
  for (int a = 0; a < s.dim; ++a) {
    points *= s.points;
    functions *= std::max(s.trial, s.test);
  }
  constexpr double most_entries = 1 << 26;  // half a gibibyte of doubles
  if (points * functions * (1 + s.dim) > most_entries)
    refuse(s, f,
           "fewer points than functions of coupled components, by products of tables: too large for this GPU's kernels",
           status::no_target);
}

bool is_identity(const std::vector<double>& table, index_t n) {
  for (index_t i = 0; i < n * n; ++i)
    if (table[std::size_t(i)] != (i % (n + 1) == 0 ? 1.0 : 0.0)) return false;
  return true;
}

// The row for exactly these sizes where there is one, else the one for any.
template <class T>
const element_row<T>* find_row(const element_kernels<T>& kernels, const detail::evaluation_state<T>& s) {
  for (const element_row<T>& row : kernels.rows) {
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
void go_direct(detail::evaluation_state<T>& s, const evaluation_spec& spec, const function_facts& f,
               points_function<T> at_points) {
  s.function = s.kernels->direct;
  const bool built_in = s.kind.has_value();
  s.direct = direct_function<T>{s.dim, f.trial, f.test, f.factors, at_points, s.state_of_function(), built_in};
  if (!f.slopes) return;
  const auto slopes = [&](const std::vector<double>& given, const std::vector<double>& of, index_t n) {
    return given.empty() ? device::slopes_of(spec.differentiate, of, int(s.q), int(n)) : given;
  };
  const std::vector<double> test = slopes(spec.test_gradients, spec.test_functions, s.t);
  s.trial_slopes = detail::owned_table<T>(slopes(spec.gradients, spec.interpolate, s.d), s.q, s.d, -1);
  s.test_slopes = detail::owned_table<T>(detail::transposed(test, s.q, s.t), s.t, s.q, -1);
}

// Of an element, as dense tables: n functions of a direction with these values, and derivatives where they are given.
dense_basis all_functions(const evaluation_spec& spec, const std::vector<double>& values,
                          const std::vector<double>& slopes, int n) {
  if (!slopes.empty()) return detail::product_tables(values, slopes, spec.points, n, spec.dim);
  return detail::product_tables(values, device::slopes_of(spec.differentiate, values, spec.points, n), spec.points, n,
                                spec.dim);
}

template <class T>
element_kernel_facts kernel_facts(const detail::evaluation_state<T>& s, const function_facts& f) {
  return {.dim = s.dim,
          .trial = int(s.d),
          .points = int(s.q),
          .test = int(s.t),
          .of_trial = f.trial,
          .of_test = f.test,
          .factors = f.factors,
          .nodal = s.nodal,
          .mirrors = s.mirrored,
          .entry_bytes = int(sizeof(T)),
          .stored_bytes = int(sizeof(T)),
          .own_slopes = s.own_slopes};
}

}  // namespace

template <class T>
evaluation<T>::evaluation(const evaluation_spec& spec) {
  make(spec, nullptr);
}

template <class T>
evaluation<T>::evaluation(const evaluation_spec& spec, const compiled_function<T>& function) {
  make(spec, &function);
}

template <class T>
void evaluation<T>::make(const evaluation_spec& given, const compiled_function<T>* own) {
  evaluation_spec spec = given;
  if (own != nullptr) spec.dim = own->dim;
  if (spec.test_functions.empty()) {
    spec.test_functions = spec.interpolate;
    spec.test_gradients = spec.gradients;
    spec.test = spec.trial;
  }
  if (own == nullptr)
    detail::check_kind(spec.kind);
  else
    detail::check_function(*own);
  const function_facts facts = own != nullptr ? facts_of(*own) : facts_of(spec.kind, spec.dim);
  check(spec, facts);
  auto made = std::make_shared<detail::evaluation_state<T>>();
  detail::evaluation_state<T>& s = *made;
  s.name = facts.name;
  if (own == nullptr) s.kind = spec.kind;
  s.dim = spec.dim;
  s.components = spec.components;
  s.trial_parts = facts.trial_parts;
  s.test_parts = facts.test_parts;
  s.factors = facts.factors;
  s.d = spec.trial;
  s.q = spec.points;
  s.t = spec.test;

  s.symmetric = own == nullptr && is_symmetric(spec.kind) && s.t == s.d && spec.test_functions == spec.interpolate &&
                spec.test_gradients == spec.gradients;

  using detail::transposed;
  s.interpolate = detail::owned_table<T>(spec.interpolate, s.q, s.d, 1);
  s.test_transposed = detail::owned_table<T>(transposed(spec.test_functions, s.q, s.t), s.t, s.q, 1);
  s.mirrored = s.interpolate.mirrored() && s.test_transposed.mirrored();
  s.slopes = spec.differentiate;
  if (!spec.differentiate.empty()) {
    s.differentiate = detail::owned_table<T>(spec.differentiate, s.q, s.q, -1);
    s.differentiate_transposed = detail::owned_table<T>(transposed(spec.differentiate, s.q, s.q), s.q, s.q, -1);
    s.mirrored = s.mirrored && s.differentiate.mirrored();
  }
  s.own_slopes = facts.slopes && !(spec.gradients.empty() && spec.test_gradients.empty());
  for (const std::vector<double>* slopes : {&spec.gradients, &spec.test_gradients})
    if (s.own_slopes && !slopes->empty())
      s.mirrored = s.mirrored && detail::owned_table<T>(*slopes, s.q, index_t(slopes->size()) / s.q, -1).mirrored();
  s.nodal = !s.own_slopes && s.d == s.q && s.t == s.q && is_identity(spec.interpolate, s.q) &&
            is_identity(spec.test_functions, s.q);

  const bool on_device = spec.on == target::cuda || (own != nullptr && own->isa == target::cuda);
  const bool has_kernels = own != nullptr && own->mirrored != nullptr;
  const target wanted = on_device     ? default_cpu_target()
                        : has_kernels ? own->isa
                                      : spec.on.value_or(default_cpu_target());
  const bool any = on_device || !has_kernels;
  s.isa = any && (wanted == target::reference || !s.mirrored) ? baseline_isa() : wanted;
  s.for_reference = !on_device && wanted == target::reference;
  s.kernels = element_kernels_of<T>(s.isa);
  if (s.kernels == nullptr || !is_available(s.isa))
    refuse(spec, facts,
           why_no_element_kernels<T>(wanted) +
               detail::function_isa_text(detail::function_isa_of(own), target_from_name("best")),
           status::no_target);
  if (on_device) {
    s.isa = target::cuda;
    const device::direction_tables tables{spec.interpolate, spec.differentiate, spec.test_functions, spec.gradients,
                                          spec.test_gradients};
    const std::string name = words(spec, facts) + ", " + name_of(scalar_of<T>);
    const element_kernel_facts sizes = kernel_facts<T>(s, facts);
    const std::shared_ptr<const void> state = own != nullptr ? own->state : nullptr;
    // Derivatives that are given, of coupled components: no kernel takes them line by line.
    if (s.own_slopes && !can_be_direct(sizes)) {
      check_products_fit(spec, facts);
      s.device = std::make_shared<const detail::device_dense<T>>(
          name, s.dim, facts, state, all_functions(spec, spec.interpolate, spec.gradients, spec.trial),
          all_functions(spec, spec.test_functions, spec.test_gradients, spec.test), int(s.points()));
    } else
      s.device = std::make_shared<const detail::device_evaluation<T>>(name, sizes, facts.source, state, tables);
    if (own == nullptr)
      s.matrices = std::make_shared<const detail::device_matrices<T>>(
          name, spec.kind, sizes, s.components, facts.source, tables, detail::device_operator<T>::limits_here());
    if (s.kind && s.d == s.t) s.diagonal_there = std::make_shared<const detail::device_diagonal<T>>(name, s, tables);
    state_ = std::move(made);
    return;
  }
  if (own != nullptr) s.pointwise = own->state;
  s.function_isa = detail::function_isa_of(own);
  s.compiled_for_sizes = false;
  if (has_kernels && !s.own_slopes) {
    s.function = s.mirrored ? *own->mirrored : *own->any_tables;
  } else if (own != nullptr || s.own_slopes) {
    const points_function<T> at_points =
        own != nullptr ? own->at_points : row_of(s.kernels->at_points, spec.kind, spec.dim).run;
    if (at_points == nullptr)
      refuse(spec, facts, "the function has no at_points, which a CPU calls here", status::no_target);
    go_direct(s, spec, facts, at_points);
  } else {
    const element_row<T>* row = find_row(*s.kernels, s);
    if (row == nullptr) refuse(spec, facts, "no kernel was compiled for it", status::internal);
    s.function = row->function;
    s.compiled_for_sizes = row->size.points > 0;
  }
  s.scratch = s.direct ? s.direct->scratch(s.d, s.q, s.t) : s.function.scratch(s.d, s.q, s.t);
  const auto in_form = [&](detail::owned_table<T>& table) {
    return table.lay_out(!s.compiled_for_sizes, s.kernels->table_width);
  };
  element_kernel_facts applied = kernel_facts<T>(s, facts);
  applied.several = s.repeats() > 1;
  applied.own_slopes = applied.own_slopes || s.direct.has_value();
  s.runs = detail::element_runs(applied, s.isa, spec.run);
  s.D_in_order = applied.slopes() && !s.direct;
  s.tables = {in_form(s.interpolate),     in_form(s.differentiate), in_form(s.differentiate_transposed),
              in_form(s.test_transposed), in_form(s.trial_slopes),  in_form(s.test_slopes)};
  if (s.kind && s.d == s.t) s.diagonal = std::make_shared<const detail::host_diagonal<T>>(s, spec);
  if (s.kind == operator_kind::mass) s.on_host = std::make_shared<const detail::host_matrices<T>>(s, spec);
  state_ = std::move(made);
}

template <class T>
int evaluation<T>::dim() const {
  return state_->dim;
}
template <class T>
int evaluation<T>::components() const {
  return state_->components;
}
template <class T>
int evaluation<T>::test_components() const {
  return state_->repeats() * state_->test_parts;
}
template <class T>
index_t evaluation<T>::trial_size() const {
  return state_->trial_size();
}
template <class T>
index_t evaluation<T>::test_size() const {
  return state_->test_size();
}
template <class T>
index_t evaluation<T>::points() const {
  return state_->points();
}
template <class T>
int evaluation<T>::factors() const {
  return state_->factors;
}
template <class T>
index_t evaluation<T>::lanes() const {
  return state_->lanes();
}

template <class T>
space_kind evaluation<T>::space() const {
  return state_->device != nullptr ? space_kind::gpu : space_kind::cpu;
}

template <class T>
std::string evaluation<T>::describe(detail_level how) const {
  const detail::evaluation_state<T>& s = *state_;
  std::string text =
      s.name + " " + std::to_string(s.dim) + "-D, d = " + std::to_string(s.d) + ", q = " + std::to_string(s.q);
  if (s.t != s.d) text += ", t = " + std::to_string(s.t);
  if (s.components > 1) text += ", " + std::to_string(s.components) + " components";
  text += std::string(", ") + name_of(scalar_of<T>) + ": " + name_of(s.isa);
  if (s.for_reference) text += " in place of reference, which has no element kernels";
  text += ", ";
  if (s.device != nullptr) return text + s.device->describe(how);
  if (s.dense != nullptr)
    text += "dense tables";
  else
    text += s.compiled_for_sizes ? "compiled for these sizes" : "kernel for any sizes";
  // No records are of dense tables.
  const std::string tuning = "; " + (s.dense != nullptr ? "tuning: default" : s.runs.describe(how));
  if (how == detail_level::brief) return text + tuning;
  if (s.direct && s.dense == nullptr) text += ", all points of an element at once";
  if (s.compiled_for_sizes && s.nodal) text += ", nodes are the points (collocated)";
  if (!s.mirrored && !s.direct && s.dense == nullptr) text += ", tables without mirror symmetry";
  return text + ", " + std::to_string(s.lanes()) + " elements at a time" + tuning +
         detail::function_isa_text(s.function_isa, target_from_name("best"));
}

template class evaluation<float>;
template class evaluation<double>;

}  // namespace tessera
