// SPDX-License-Identifier: BSD-3-Clause
// Makes evaluations: checks what is given, brings the tables into form, and chooses the kernel.
#include <tessera/element/evaluation.hpp>

#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

#include "state.hpp"

namespace tessera {

namespace {

constexpr index_t longest_line = 40;

std::string words(const evaluation_spec& s) {
  return std::string(name_of(s.kind)) + " " + std::to_string(s.dim) + "-D, d = " + std::to_string(s.trial) +
         ", q = " + std::to_string(s.points) + (s.test != s.trial ? ", t = " + std::to_string(s.test) : "");
}

[[noreturn]] void refuse(const evaluation_spec& s, const std::string& why, status code = status::invalid_argument) {
  throw error("evaluation: " + words(s) + ": " + why, code);
}

void check_table(const evaluation_spec& s, const char* name, const std::vector<double>& table, index_t m, index_t n) {
  if (index_t(table.size()) != m * n)
    refuse(s,
           std::string(name) + " has " + std::to_string(table.size()) + " entries, not " + std::to_string(m) + " x " +
               std::to_string(n),
           status::shape_mismatch);
}

void check(const evaluation_spec& s) {
  if (s.dim < 1 || s.dim > 3) refuse(s, "the dimension is not 1, 2 or 3");
  for (const int n : {s.trial, s.points, s.test})
    if (n < 1 || n > longest_line) refuse(s, "a size is not in 1.." + std::to_string(longest_line));
  if (s.components < 1) refuse(s, std::to_string(s.components) + " components");
  if (const int coupled = coupled_components(s.kind, s.dim); s.components % coupled != 0)
    refuse(s, std::to_string(s.components) + " components, where the operator couples " + std::to_string(coupled),
           status::shape_mismatch);
  check_table(s, "interpolate", s.interpolate, s.points, s.trial);
  check_table(s, "test_functions", s.test_functions, s.points, s.test);
  const bool slopes = s.kind != operator_kind::mass;
  if (slopes || !s.differentiate.empty()) check_table(s, "differentiate", s.differentiate, s.points, s.points);
  if (slopes && (s.points < s.trial || s.points < s.test))
    refuse(s, "derivatives are taken through the points, of which there are fewer than functions");
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
    const bool sizes = z.points == 0 || (z.trial == s.d && z.points == s.q && z.test == s.t && (!z.nodal || s.nodal));
    // A row that interpolates takes functions of any kind; one that does not, only its own.
    if (z.kind == s.kind && z.dim == s.dim && sizes && z.mirrored == s.mirrored &&
        (z.points == 0 || z.nodal == s.nodal))
      return &row;
  }
  return nullptr;
}

}  // namespace

template <class T>
evaluation<T>::evaluation(const evaluation_spec& given) {
  evaluation_spec spec = given;
  if (spec.test_functions.empty()) {
    spec.test_functions = spec.interpolate;
    spec.test = spec.trial;
  }
  check(spec);
  auto made = std::make_shared<detail::evaluation_state<T>>();
  detail::evaluation_state<T>& s = *made;
  s.kind = spec.kind;
  s.dim = spec.dim;
  s.components = spec.components;
  s.coupled = coupled_components(spec.kind, spec.dim);
  s.d = spec.trial;
  s.q = spec.points;
  s.t = spec.test;

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
  s.nodal = s.d == s.q && s.t == s.q && is_identity(spec.interpolate, s.q) && is_identity(spec.test_functions, s.q);

  const target wanted = spec.on.value_or(default_cpu_target());
  s.isa = wanted == target::reference || !s.mirrored ? baseline_isa() : wanted;
  s.kernels = element_kernels_of<T>(s.isa);
  if (s.kernels == nullptr || !is_available(s.isa))
    refuse(spec, "there are no element kernels for the target " + std::string(name_of(wanted)) + " here",
           status::no_target);
  const element_row<T>* row = find_row(*s.kernels, s);
  if (row == nullptr) refuse(spec, "no kernel was compiled for it", status::internal);
  s.function = row->function;
  s.compiled_for_sizes = row->size.points > 0;
  const auto in_form = [&](detail::owned_table<T>& table) {
    return table.lay_out(!s.compiled_for_sizes, s.kernels->table_width);
  };
  s.tables = {in_form(s.interpolate), in_form(s.differentiate), in_form(s.differentiate_transposed),
              in_form(s.test_transposed)};
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
operator_kind evaluation<T>::kind() const {
  return state_->kind;
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
  return int(state_->factors());
}
template <class T>
index_t evaluation<T>::lanes() const {
  return state_->lanes();
}

template <class T>
std::string evaluation<T>::describe() const {
  const detail::evaluation_state<T>& s = *state_;
  std::string text = std::string(name_of(s.kind)) + " " + std::to_string(s.dim) + "-D, d = " + std::to_string(s.d) +
                     ", q = " + std::to_string(s.q);
  if (s.t != s.d) text += ", t = " + std::to_string(s.t);
  if (s.components > 1) text += ", " + std::to_string(s.components) + " components";
  text += std::string(", ") + name_of(scalar_of<T>) + ": " + name_of(s.isa) + ", ";
  text += s.compiled_for_sizes ? "compiled for these sizes" : "the row for any sizes";
  if (s.compiled_for_sizes && s.nodal) text += " at nodes that are the points";
  if (!s.mirrored) text += " and for tables that do not mirror themselves";
  return text + ", " + std::to_string(s.lanes()) + " elements at a time";
}

template class evaluation<float>;
template class evaluation<double>;

}  // namespace tessera
