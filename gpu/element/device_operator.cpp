// SPDX-License-Identifier: BSD-3-Clause
// What all kernels of the GPU want checked, and their arguments.
#include "device_operator.hpp"

#include <tessera/error.hpp>
#include <tessera/gpu/runtime.hpp>

#include "src/loaded_once.hpp"

namespace tessera::detail {

template <class T>
void device_operator<T>::check_can_run(const std::string& name, const function_source& function) {
  const auto refuse = [&](const std::string& why, status code) {
    throw error("evaluation: " + name + ": " + why, code);
  };
  if (function.type.empty())
    refuse("a GPU needs the function's source: give compiled_function::source, or use source_function",
           status::no_target);
  if (!device::available()) refuse("there is no GPU, or this Tessera was built without CUDA", status::no_device);
  if (const std::string why = why_nothing_is_compiled(); !why.empty())
    refuse("kernels for the GPU are compiled while the program runs: " + why, status::no_device);
}

template <class T>
gpu_limits device_operator<T>::limits_here() {
  const device::device_info gpu = device::info();
  return gpu_limits_of(10 * gpu.major + gpu.minor);
}

template <class T>
bool device_operator<T>::lies_side_by_side(const application<T>& a) {
  const auto lies = [](const element_layout& l) { return l.entry == 1 && l.lanes == 1; };
  return lies(a.x_layout) && lies(a.y_layout);
}

template <class T>
device::element_arguments<T> device_operator<T>::arguments_of(const std::string& name, const element_set& which,
                                                              const application<T>& a, const device_data<T>& D,
                                                              int repeats) {
  const auto on_device = [&](const void* pointer, const char* what) {
    if (!device::is_device_pointer(pointer))
      throw error("evaluation::apply: " + name + ": " + what + " is not in device memory", status::wrong_space);
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
          .repeats = repeats,
          .sides = a.sides,
          .add = a.add,
          .nodes = D.nodes};
}

template class device_operator<float>;
template class device_operator<double>;

}  // namespace tessera::detail
