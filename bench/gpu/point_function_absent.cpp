// SPDX-License-Identifier: BSD-3-Clause
// The rate of the point function in a build without CUDA: there is no device.
#include <tessera/error.hpp>

#include "gpu/point_function.hpp"

namespace tessera::bench::device {

double point_function_rate(int, const hydro::gas_rules&) {
  throw error("rate of the point function: no device, tessera-bench was built without CUDA", status::no_device);
}

std::vector<double> point_function_energies(int, const hydro::gas_rules&, int, int) {
  throw error("the point function: no device, tessera-bench was built without CUDA", status::no_device);
}

}  // namespace tessera::bench::device
