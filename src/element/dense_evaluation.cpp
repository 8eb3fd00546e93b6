// SPDX-License-Identifier: BSD-3-Clause
// Makes evaluations by dense tables: checks what is given, and hands it to the CPU or the GPU.
#include <cmath>
#include <utility>

#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

#include "backend.hpp"

namespace tessera {

namespace {

using detail::function_facts;

class checked_spec {
 public:
  checked_spec(const dense_evaluation_spec& s, const function_facts& f) : s_(s), f_(f) {
    if (s.dim < 1 || s.dim > 3) refuse("the dimension is not 1, 2 or 3");
    for (const int n : {s.points, s.trial.functions, s.test->functions})
      if (n < 1) refuse("a size is " + std::to_string(n) + ", which is not positive");
    if (s.components < 1 || s.components % f.trial_parts != 0)
      refuse(std::to_string(s.components) + " components, where the operator couples " + std::to_string(f.trial_parts),
             status::shape_mismatch);
    for (const index_t n : {s.trial.functions, s.test->functions})
      if (!detail::element_fits(n, s.components))
        refuse(std::to_string(s.components) + " components are too many", status::overflow);
    check(s.trial, f.trial, "trial");
    check(*s.test, f.test, "test");
  }

  std::string words() const {
    return f_.name + " " + std::to_string(s_.dim) + "-D of dense tables, d = " + std::to_string(s_.trial.functions) +
           ", q = " + std::to_string(s_.points) +
           (s_.test->functions != s_.trial.functions ? ", t = " + std::to_string(s_.test->functions) : "");
  }
  [[noreturn]] void refuse(const std::string& why, status code = status::invalid_argument) const {
    throw error("evaluation: " + words() + ": " + why, code);
  }

 private:
  void check(const dense_basis& basis, const point_shape& shape, const std::string& name) const {
    check_table(name + ".values", basis.values, basis.functions, 1, shape.value);
    check_table(name + ".gradients", basis.gradients, basis.functions, s_.dim, shape.gradient);
  }
  void check_table(const std::string& name, const std::vector<double>& table, int functions, int directions,
                   bool needed) const {
    if (table.empty() && !needed) return;
    for (const double entry : table)
      if (!std::isfinite(entry)) refuse(name + " has an entry " + std::to_string(entry));
    if (index_t(table.size()) == index_t(s_.points) * functions * directions) return;
    refuse(name + " has " + std::to_string(table.size()) + " entries, not " + std::to_string(s_.points) + " x " +
               std::to_string(functions) + (directions > 1 ? " x " + std::to_string(directions) : ""),
           status::shape_mismatch);
  }
  const dense_evaluation_spec& s_;
  const function_facts& f_;
};

bool is_symmetric(const dense_evaluation_spec& s) {
  return is_symmetric(s.kind) && s.test->functions == s.trial.functions && s.test->values == s.trial.values &&
         s.test->gradients == s.trial.gradients;
}

}  // namespace

template <class T>
evaluation<T>::evaluation(const dense_evaluation_spec& spec) {
  make(spec, nullptr);
}

template <class T>
evaluation<T>::evaluation(const dense_evaluation_spec& spec, const compiled_function<T>& function) {
  make(spec, &function);
}

template <class T>
void evaluation<T>::make(const dense_evaluation_spec& given, const compiled_function<T>* own) {
  dense_evaluation_spec spec = given;
  if (own != nullptr) spec.dim = own->dim;
  if (own != nullptr && own->isa == target::cuda) spec.on = target::cuda;
  if (!spec.test) spec.test = spec.trial;
  if (own == nullptr)
    detail::check_kind(spec.kind);
  else
    detail::check_function(*own);
  const function_facts facts = own != nullptr ? detail::facts_of(*own) : detail::facts_of(spec.kind, spec.dim);
  const checked_spec checked(spec, facts);

  auto made = std::make_shared<detail::evaluation_state<T>>();
  detail::operator_sizes& s = *made;
  s = detail::sizes_of(facts, spec.dim, spec.components);
  if (own == nullptr) s.kind = spec.kind;
  s.dense = true;
  s.d = spec.trial.functions;
  s.q = spec.points;
  s.t = spec.test->functions;
  s.symmetric = own == nullptr && is_symmetric(spec);
  const detail::operator_request<T> request{s, facts, own, checked.words(), spec.on};
  made->on = spec.on == target::cuda ? detail::gpu_backend_of(request, spec) : detail::cpu_backend_of(request, spec);
  state_ = std::move(made);
}

template void evaluation<float>::make(const dense_evaluation_spec&, const compiled_function<float>*);
template void evaluation<double>::make(const dense_evaluation_spec&, const compiled_function<double>*);
template evaluation<float>::evaluation(const dense_evaluation_spec&);
template evaluation<double>::evaluation(const dense_evaluation_spec&);
template evaluation<float>::evaluation(const dense_evaluation_spec&, const compiled_function<float>&);
template evaluation<double>::evaluation(const dense_evaluation_spec&, const compiled_function<double>&);

}  // namespace tessera
