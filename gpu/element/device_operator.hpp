// SPDX-License-Identifier: BSD-3-Clause
// An operator as the GPU runs it, whatever its kernel.
#pragma once

#include <string>

#include <tessera/detail/fits.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/gpu/detail/element/arguments.hpp>
#include <tessera/gpu/detail/element/l_vector_call.hpp>
#include <tessera/scalar.hpp>

namespace tessera::detail {

/// D in device memory, or the nodes there.
template <class T>
struct device_data {
  const void* D = nullptr;
  scalar_type stored = scalar_of<T>;
  device::node_arguments<T> nodes{};
};

template <class T>
class device_operator {
 public:
  virtual ~device_operator() = default;

  /// Has the kernels ready that D of that type needs, entries side by side, for `repeats` applications to an element.
  virtual void prepare(scalar_type stored, int repeats) const = 0;
  /// Queues it in `in`; D is stored in that type. All is in device memory, and checked before.
  virtual void apply(const device::element_arguments<T>& a, scalar_type stored, stream_view in) const = 0;
  /// The same from and to L-vectors.
  virtual void apply(const device::l_vector_call<T>& call, scalar_type stored, stream_view in) const = 0;
  /// Whether that can also give call.dots.
  virtual bool gives_dots(const device::l_vector_call<T>&, scalar_type) const { return false; }
  /// "compiled at run time: 5 elements per block of 128 threads; tuning: record of this device". Brief: without
  /// numbers.
  virtual std::string describe(detail_level how) const = 0;
  /// Whether y may take the place of x: all of an element's x is read before its y is written.
  virtual bool can_replace_x() const { return true; }

  /// Of the current GPU.
  static gpu_limits limits_here();

 protected:
  /// Throws where a GPU cannot run a function of that source, or nothing can be compiled here.
  static void check_can_run(const std::string& name, const function_source& function);
  /// The kernel's variant: whether entries of x and y lie side by side.
  static bool lies_side_by_side(const device::element_arguments<T>& a) {
    const auto lies = [](const element_layout& l) { return l.entry == 1 && l.lanes == 1; };
    return lies(a.x_layout) && lies(a.y_layout);
  }
};

}  // namespace tessera::detail
