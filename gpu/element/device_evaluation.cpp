// SPDX-License-Identifier: BSD-3-Clause
// Chooses and launches the kernels of an evaluation on the GPU.
#include "device_evaluation.hpp"

#include <utility>

#include <tessera/detail/tuning_text.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

#include "dot_rules.hpp"

namespace tessera::detail {

namespace {

// Whether entries, components and elements are all contiguous, `entries` being those of a component.
bool is_one_piece(const element_layout& l, index_t entries, int components) {
  return l.entry == 1 && l.lanes == 1 && l.block == entries * components && (components == 1 || l.component == entries);
}

index_t functions(const element_kernel_facts& f, int line) {
  index_t all = 1;
  for (int a = 0; a < f.dim; ++a) all *= line;
  return all;
}

}  // namespace

template <class T>
device_evaluation<T>::device_evaluation(const std::string& name, const element_kernel_facts& facts,
                                        const function_source& function, std::shared_ptr<const void> state,
                                        const device::direction_tables& tables, const node_functions& nodes)
    : name_(name), state_(std::move(state)), tables_(tables), node_tables_(nodes.tables) {
  const auto refuse = [&](const std::string& why, status code) {
    throw error("evaluation: " + name + ": " + why, code);
  };
  device_evaluation::check_can_run(name, function);
  limits_ = device_evaluation::limits_here();
  kernel_.type = scalar_of<T>;
  kernel_.function = function.type;
  kernel_.text = function.text;
  kernel_.facts = facts;
  kernel_.facts.geometry = nodes.nodes;
  kernel_.computed = nodes.computes;
  kernel_.own_test = !facts.nodal && tables.own_test();
  kernel_.variant = {.stored = kernel_.type};
  element_choice chosen = choose_element_tuning(kernel_.facts, limits_);
  kernel_.tuning = chosen.tuning;
  tuned_by_ = std::move(chosen.from);
  if (const std::string why = why_unfit(kernel_.facts, kernel_.tuning, limits_); !why.empty())
    refuse((nodes.nodes > 0 ? "D computed at each application: " : "") + ("too large for this GPU's kernels: " + why),
           status::no_target);
}

template <class T>
auto device_evaluation<T>::computing(const node_functions& nodes) const -> std::shared_ptr<const device_evaluation> {
  return std::make_shared<const device_evaluation>(
      name_, kernel_.facts, function_source{kernel_.function, kernel_.text}, state_, tables_, nodes);
}

template <class T>
element_kernel_facts device_evaluation<T>::facts_for(const device::element_variant& variant) const {
  element_kernel_facts facts = kernel_.facts;
  facts.stored_bytes = int(size_of(variant.stored));
  facts.several = variant.several;
  facts.repeats = variant.repeats;
  facts.unit = variant.unit;
  facts.adjacent = variant.adjacent;
  facts.l_vectors = variant.l_vectors;
  return facts;
}

template <class T>
auto device_evaluation<T>::ready_for(const device::element_variant& variant) const -> const ready& {
  const bool other_type = variant.stored != kernel_.type;
  const int number =
      variant.l_vectors ? 24 + 8 * int(other_type) + 4 * int(variant.dots) + 2 * int(variant.wide) + int(variant.atomic)
                        : 12 * int(other_type) + 4 * (variant.repeats > 1 ? 2 : int(variant.several)) +
                              2 * int(variant.unit) + int(variant.adjacent);
  ready& r = ready_[std::size_t(number)];
  std::call_once(r.once, [&] {
    device::element_kernel kernel = kernel_;
    kernel.variant = variant;
    kernel.facts = facts_for(variant);
    if (variant != kernel_.variant) kernel.tuning = default_element_tuning(kernel.facts, limits_);
    const element_tuning& t = kernel.tuning;
    r.tuning = t;
    if (variant.dots && !may_sum_dots(kernel.facts, t)) return;
    r.constants = device::constants_of<T>(kernel.facts, kernel.facts.mirrors && t.even_odd, kernel.own_test, t.direct,
                                          tables_, node_tables_);
    constexpr std::size_t most_bytes = 32764 - sizeof(device::element_arguments<T>) - 64;  // of a kernel's parameters
    if (kernel.facts.geometry > 0 && r.constants.size() * sizeof(T) > most_bytes)
      throw error(
          "evaluation: " + name_ + ": D computed at each application: its tables do not fit a kernel's parameters",
          status::no_target);
    r.shared_bytes = int(shared_bytes_of(kernel.facts, kernel.tuning));
    r.code = device::ready_code(name_, device::source_of(kernel));
    if (!variant.dots) return;
    r.gives_dots = sums_dots_faster(t, r.shared_bytes, r.code->registers(0), limits_);
    r.shared_bytes += device::dot_bytes(t.threads);
  });
  return r;
}

template <class T>
void device_evaluation<T>::prepare(scalar_type stored, int repeats) const {
  ready_for({.stored = stored, .several = repeats > 1, .repeats = repeats});
}

template <class T>
void device_evaluation<T>::apply(const device::element_arguments<T>& a, scalar_type stored, stream_view in) const {
  const element_kernel_facts& f = kernel_.facts;
  device::element_variant variant{.stored = stored,
                                  .several = a.repeats * a.sides > 1,
                                  .repeats = a.sides > 1 ? 1 : a.repeats,
                                  .unit = device_evaluation::lies_side_by_side(a)};
  const bool adjacent = variant.unit && a.list == nullptr &&
                        is_one_piece(a.x_layout, functions(f, f.trial), f.of_trial.components * a.repeats) &&
                        is_one_piece(a.y_layout, functions(f, f.test), f.of_test.components * a.repeats);
  // Only a kernel with bulk copies (`packed`) needs contiguous elements; any other is used for both.
  variant.adjacent = variant.unit;
  const ready* kernel = &ready_for(variant);
  if (!adjacent && kernel->tuning.packed > 0) {
    variant.adjacent = false;
    kernel = &ready_for(variant);
  }
  char none = 0;  // built-in functions have no state
  void* const function = state_ != nullptr ? const_cast<void*>(state_.get()) : &none;
  device::element_arguments<T> arguments = a;
  void* parameters[] = {&arguments, const_cast<T*>(kernel->constants.data()), function};
  const element_tuning& t = kernel->tuning;
  kernel->code->queue(0, a.count, t.elements * t.batches, t.threads, kernel->shared_bytes, parameters, in.handle());
}

template <class T>
void device_evaluation<T>::apply(const device::l_vector_call<T>& call, scalar_type stored, stream_view in) const {
  const ready& kernel =
      ready_for(device::l_vector_variant(stored, call.repeats, call.wide, call.atomic, call.dots != nullptr));
  char none = 0;  // built-in functions have no state
  void* const function = state_ != nullptr ? const_cast<void*>(state_.get()) : &none;
  with_arguments_of(call, [&](auto arguments) {
    void* parameters[] = {&arguments, const_cast<T*>(kernel.constants.data()), function};
    kernel.code->queue(0, call.count, kernel.tuning.elements, kernel.tuning.threads, kernel.shared_bytes, parameters,
                       in.handle());
  });
}

// Where u and v are alike, and it is faster.
template <class T>
bool device_evaluation<T>::gives_dots(const device::l_vector_call<T>& call, scalar_type stored) const {
  const point_shape &u = kernel_.facts.of_trial, &v = kernel_.facts.of_test;
  const bool alike = u.components == v.components && u.value == v.value && u.gradient == v.gradient;
  const auto variant = device::l_vector_variant(stored, call.repeats, call.wide, call.atomic, true);
  return alike && !kernel_.own_test && ready_for(variant).gives_dots;
}

template <class T>
std::string device_evaluation<T>::describe(detail_level how) const {
  if (how == detail_level::brief) return "compiled at run time; tuning: " + tuned_by_.name;
  return "compiled at run time: " + text_of(kernel_.tuning) + "; tuning: " + tuned_by_.text();
}

template class device_evaluation<float>;
template class device_evaluation<double>;

}  // namespace tessera::detail
