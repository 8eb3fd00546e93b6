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
  return 8 * (zones * (layout.size() + 1) + force_table_numbers(layout.is));
}

std::string list(std::initializer_list<int> numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}
const char* word(bool value) { return value ? "true" : "false"; }

int bytes_by_planes(const force_kernel& what, int zones) {
  const plane_sizes sizes{what.nodes, what.energies, what.points, what.task.velocities};
  return 8 * (zones * (what.points * sizes.plane() + 1) + sizes.tables());
}

// Whether planes of points fill the squares of a warp: 4 x 4 of four zones, or 8 x 8.
bool has_full_planes(const force_kernel& what) {
  return what.dim == 3 && (what.points == 4 || what.points == 8) && std::max(what.nodes, what.energies) <= what.points;
}
force_shape shape_by_planes(const force_kernel& what) {
  if (what.points == 4) return {.zones = 8, .threads = 128, .blocks = 3, .by_planes = true};
  return {.zones = 3, .threads = 256, .blocks = 2, .by_planes = true};
}

// A thread a point of a plane, about 128 a block; registers for three such blocks, which hide each other's waits.
force_shape shape_by_points(const force_kernel& what) {
  const int plane = what.dim == 1 ? what.points : what.points * what.points;
  force_shape shape{.zones = std::max(1, 128 / plane)};
  shape.threads = std::min(256, (shape.zones * plane + 31) / 32 * 32);
  shape.blocks = shape.threads == 256 ? 1 : (383 + shape.threads) / shape.threads;
  return shape;
}

}  // namespace

int bytes_of(const force_kernel& what, const force_shape& shape) {
  if (shape.by_planes) return bytes_by_planes(what, shape.zones);
  return what.dim == 1   ? bytes_in<1>(what, shape.zones)
         : what.dim == 2 ? bytes_in<2>(what, shape.zones)
                         : bytes_in<3>(what, shape.zones);
}

force_shape ruled_force_shape(const force_kernel& what, int shared_bytes) {
  if (has_full_planes(what)) {
    const int tile = what.points == 4 ? 4 : 1;
    force_shape shape = shape_by_planes(what);
    while (shape.zones > tile && bytes_of(what, shape) > shared_bytes) shape.zones -= tile;
    if (bytes_of(what, shape) <= shared_bytes) return shape;
  }
  force_shape shape = shape_by_points(what);
  while (shape.zones > 1 && bytes_of(what, shape) > shared_bytes) --shape.zones;
  return shape;
}

jit_source source_of(const force_kernel& what, const force_shape& shape) {
  const tessera::detail::force_task& t = what.task;
  const std::string zone =
      "tessera::detail::static_zone<" + list({what.dim, what.nodes, what.energies, what.points}) + ">, ";
  const std::string index = what.wide ? "long" : "int";
  const std::string task =
      std::string(", ") + word(t.forces) + ", " + word(t.power) + ", " + std::to_string(t.velocities) + ", ";
  if (shape.by_planes)
    return {"#include <tessera/gpu/detail/hydro/planes_by_warp.cuh>\n",
            {"tessera::device::corner_forces_by_planes<" + zone + index + task +
             list({shape.zones, shape.threads / 32, shape.blocks}) + ">"}};
  return {"#include <tessera/gpu/detail/hydro/corner_forces.cuh>\n",
          {"tessera::device::corner_forces<" + zone + index + task + word(t.source) + ", " +
           list({shape.zones, shape.threads, shape.blocks}) + ">"}};
}

jit_source source_of_highest_rate() {
  return {"#include <tessera/gpu/detail/hydro/corner_forces.cuh>\n", {"tessera::device::find_highest_rate"}};
}

}  // namespace tessera::device
