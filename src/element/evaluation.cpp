// SPDX-License-Identifier: BSD-3-Clause
// Makes evaluations: checks what is given, and hands it to the CPU or the GPU.
#include <tessera/element/evaluation.hpp>

#include <cmath>
#include <utility>

#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

#include "backend.hpp"
#include "line_tables.hpp"

namespace tessera {

namespace {

using detail::facts_of;
using detail::function_facts;
using detail::is_identity;

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
  if (const auto& run = s.run;
      run && (run->prefetch_kib < 0 || !is_within(run->nontemporal, 0, 1) || !is_within(run->prefetch_level, 0, 2) ||
              !is_within(run->prefetch_repeats, 1, 3)))
    refuse(s, f,
           "run has prefetch_kib " + std::to_string(run->prefetch_kib) + ", nontemporal " +
               std::to_string(run->nontemporal) + ", prefetch_level " + std::to_string(run->prefetch_level) +
               ", prefetch_repeats " + std::to_string(run->prefetch_repeats) + "; 0 or more, 0 or 1, 0 to 2, 1 to 3");
  need_points(s.trial, s.gradients, "gradients");
  need_points(s.test, s.test_gradients, "test_gradients");
}

bool tables_mirror(const evaluation_spec& s, bool own_slopes) {
  const auto mirror = [&](const std::vector<double>& table, int sign) {
    return table.empty() || detail::mirrors(table, s.points, index_t(table.size()) / s.points, sign);
  };
  return mirror(s.interpolate, 1) && mirror(s.test_functions, 1) && mirror(s.differentiate, -1) &&
         (!own_slopes || (mirror(s.gradients, -1) && mirror(s.test_gradients, -1)));
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
  detail::operator_sizes& s = *made;
  s = detail::sizes_of(facts, spec.dim, spec.components);
  if (own == nullptr) s.kind = spec.kind;
  s.d = spec.trial;
  s.q = spec.points;
  s.t = spec.test;
  s.symmetric = own == nullptr && is_symmetric(spec.kind) && s.t == s.d && spec.test_functions == spec.interpolate &&
                spec.test_gradients == spec.gradients;
  s.slopes = spec.differentiate;
  s.own_slopes = facts.slopes && !(spec.gradients.empty() && spec.test_gradients.empty());
  s.mirrored = tables_mirror(spec, s.own_slopes);
  s.nodal = !s.own_slopes && s.d == s.q && s.t == s.q && is_identity(spec.interpolate, s.q) &&
            is_identity(spec.test_functions, s.q);
  const bool on_device = spec.on == target::cuda || (own != nullptr && own->isa == target::cuda);
  const detail::operator_request<T> request{s, facts, own, words(spec, facts), spec.on};
  made->on = on_device ? detail::gpu_backend_of(request, spec) : detail::cpu_backend_of(request, spec);
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
  return state_->on->lanes();
}

template <class T>
space_kind evaluation<T>::space() const {
  return state_->on->space();
}

template <class T>
std::string evaluation<T>::describe(detail_level how) const {
  return state_->title() + ": " + state_->on->describe(how);
}

template <class T>
const detail::evaluation_state<T>& detail::state_of(const evaluation<T>& of) {
  return *of.state_;
}
template const detail::evaluation_state<float>& detail::state_of(const evaluation<float>&);
template const detail::evaluation_state<double>& detail::state_of(const evaluation<double>&);

template class evaluation<float>;
template class evaluation<double>;

}  // namespace tessera
