// SPDX-License-Identifier: BSD-3-Clause
// What all kernels of the GPU want checked, and the limits that they are tuned for.
#include "device_operator.hpp"

#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

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

template class device_operator<float>;
template class device_operator<double>;

}  // namespace tessera::detail
