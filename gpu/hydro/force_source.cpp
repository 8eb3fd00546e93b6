// SPDX-License-Identifier: BSD-3-Clause
// Writes the names of instantiations of corner forces, and makes up their blocks.
#include <tessera/gpu/detail/hydro/force_source.hpp>

#include <algorithm>
#include <string>

namespace tessera::device {

namespace {

// Sizes of run time, on the host.
struct host_code;
template <int dim>
int bytes_in(const force_kernel& what, int zones) {
  using zone = tessera::detail::any_zone<dim, host_code>;
  const tessera::detail::zone_layout<zone> layout{
      .is = {.of_nodes = what.nodes, .of_energies = what.energies, .of_points = what.points}, .task = what.task};
  return 8 * (zones * (layout.size() + 1) + what.points * (2 * what.nodes + what.energies + 1));
}

std::string list(std::initializer_list<int> numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}
const char* word(bool value) { return value ? "true" : "false"; }

}  // namespace

int bytes_of(const force_kernel& what, int zones) {
  return what.dim == 1 ? bytes_in<1>(what, zones) : what.dim == 2 ? bytes_in<2>(what, zones) : bytes_in<3>(what, zones);
}

// A thread a point of a plane, about 128 a block; registers for three such blocks, which hide each other's waits.
force_shape ruled_force_shape(const force_kernel& what) {
  const int plane = what.dim == 1 ? what.points : what.points * what.points;
  force_shape shape{.zones = std::max(1, 128 / plane)};
  shape.threads = std::min(256, (shape.zones * plane + 31) / 32 * 32);
  shape.blocks = std::max(1, 384 / shape.threads);
  return shape;
}

jit_source source_of(const force_kernel& what, const force_shape& shape) {
  const tessera::detail::force_task& t = what.task;
  return {"#include <tessera/gpu/detail/hydro/corner_forces.cuh>\n",
          {"tessera::device::corner_forces<tessera::detail::static_zone<" +
           list({what.dim, what.nodes, what.energies, what.points}) + ">, " + (what.wide ? "long" : "int") + ", " +
           word(t.forces) + ", " + word(t.power) + ", " + std::to_string(t.velocities) + ", " + word(t.source) + ", " +
           list({shape.zones, shape.threads, shape.blocks}) + ">"}};
}

jit_source source_of_highest_rate() {
  return {"#include <tessera/gpu/detail/hydro/corner_forces.cuh>\n", {"tessera::device::find_highest_rate"}};
}

}  // namespace tessera::device
