// SPDX-License-Identifier: BSD-3-Clause
// Chooses and launches the GPU's kernels of dense tables.
#include "device_dense.hpp"

#include <tessera/error.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/gpu/detail/upload.hpp>

namespace tessera::detail {

template <class T>
device_dense<T>::device_dense(const std::string& name, int dim, const function_facts& f,
                              std::shared_ptr<const void> state, const dense_basis& trial, const dense_basis& test,
                              int points)
    : name_(name), state_(std::move(state)) {
  device_dense::check_can_run(name, f.source);
  const gpu_limits limits = device_dense::limits_here();
  kernel_.type = kernel_.variant.stored = scalar_of<T>;
  kernel_.function = f.source.type;
  kernel_.text = f.source.text;
  kernel_.dim = dim;
  kernel_.sizes = {.trial = trial.functions,
                   .points = points,
                   .test = test.functions,
                   .trials = f.trial.components,
                   .tests = f.test.components,
                   .trial_slots = slots_of(f.trial, dim),
                   .test_slots = slots_of(f.test, dim),
                   .factors = f.factors,
                   .entry_bytes = int(sizeof(T))};
  kernel_.tuning = ruled_dense_tuning(kernel_.sizes, limits);
  if (const std::string why = why_unfit(kernel_.sizes, kernel_.tuning, limits); !why.empty())
    throw error("evaluation: " + name + ": too large for this GPU's kernels: " + why, status::no_target);
  const dense_layout layout{kernel_.sizes, kernel_.tuning};
  trial_ = device::uploaded(device::trial_table_of<T>(layout, trial, f.trial, dim));
  test_ = device::uploaded(device::test_table_of<T>(layout, test, f.test, dim));
}

template <class T>
const device::loaded_code& device_dense<T>::ready_for(const device::element_variant& variant) const {
  const bool other_type = variant.stored != kernel_.type;
  ready& r =
      ready_[variant.l_vectors ? 8u + (other_type ? 4u : 0u) + (variant.wide ? 2u : 0u) + (variant.atomic ? 1u : 0u)
                               : (other_type ? 4u : 0u) + (variant.several ? 2u : 0u) + (variant.unit ? 1u : 0u)];
  std::call_once(r.once, [&] {
    device::dense_kernel kernel = kernel_;
    kernel.variant = variant;
    r.code = device::ready_code(name_, device::source_of(kernel));
  });
  return *r.code;
}

template <class T>
void device_dense<T>::prepare(scalar_type stored, int repeats) const {
  ready_for({.stored = stored, .several = repeats > 1});
}

template <class T>
template <class Arguments>
void device_dense<T>::queue(const device::element_variant& variant, Arguments arguments, stream_view in) const {
  device::dense_tables<T> tables{static_cast<const T*>(trial_.data()), static_cast<const T*>(test_.data())};
  char none = 0;  // built-in functions have no state
  void* parameters[] = {&arguments, &tables, state_ != nullptr ? const_cast<void*>(state_.get()) : &none};
  const dense_layout layout{kernel_.sizes, kernel_.tuning};
  ready_for(variant).queue(0, arguments.count, layout.elements(), layout.threads(),
                           layout.entries() * kernel_.sizes.entry_bytes, parameters, in.handle());
}

template <class T>
void device_dense<T>::apply(const device::element_arguments<T>& a, scalar_type stored, stream_view in) const {
  const device::element_variant variant{
      .stored = stored, .several = a.repeats * a.sides > 1, .unit = device_dense::lies_side_by_side(a)};
  queue(variant, a, in);
}

template <class T>
void device_dense<T>::apply(const device::l_vector_call<T>& call, scalar_type stored, stream_view in) const {
  const device::element_variant variant = device::l_vector_variant(stored, call.repeats, call.wide, call.atomic);
  with_arguments_of(call, [&](const auto& arguments) { queue(variant, arguments, in); });
}

template <class T>
std::string device_dense<T>::describe(detail_level how) const {
  const std::string kernel = "dense tables, compiled at run time", source = "; tuning: default";
  if (how == detail_level::brief) return kernel + source;
  const dense_layout layout{kernel_.sizes, kernel_.tuning};
  return kernel + ": " + std::to_string(layout.elements()) + " elements per block of " +
         std::to_string(layout.threads()) + " threads, " + std::to_string(layout.part()) + " points at a time" +
         (kernel_.tuning.by_warp ? " on tensor cores" : "") + source;
}

template class device_dense<float>;
template class device_dense<double>;

}  // namespace tessera::detail
