// SPDX-License-Identifier: BSD-3-Clause
// Checks corner forces and their calls, and gives them to where they run.
#include <tessera/hydro/corner_forces.hpp>

#include <cmath>
#include <functional>
#include <iterator>
#include <string>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/solver/vector_sums.hpp>

#include "backend.hpp"

namespace tessera {

namespace detail {

namespace {

// Points of a direction for which a zone has fewer points than 32 bits count, and a plane fits caches.
constexpr int most_points = 64;

[[noreturn]] void refuse_forces(const std::string& why, status code = status::invalid_argument) {
  throw error("corner_forces: " + why, code);
}

// n with n^dim = count.
int root_of(index_t count, int dim) {
  for (int n = 1; n <= most_points; ++n)
    if (force_sizes{.dim = dim}.power(n) == count) return n;
  return 0;
}

// Functions of a table of a direction.
int functions_of(std::span<const double> table, int points, const char* name) {
  if (table.empty() || table.size() % std::size_t(points) != 0)
    refuse_forces(std::string(name) + " has " + std::to_string(table.size()) + " entries, no multiple of " +
                      std::to_string(points) + " points",
                  status::shape_mismatch);
  const std::size_t functions = table.size() / std::size_t(points);
  if (functions > std::size_t(most_points))
    refuse_forces(std::string(name) + " has " + std::to_string(functions) +
                  " functions a direction, of which there may be " + std::to_string(most_points));
  return int(functions);
}

force_sizes sizes_of(const corner_forces_spec& s, const restriction& nodes) {
  if (s.dim < 1 || s.dim > 3) refuse_forces(std::to_string(s.dim) + " dimensions, not 1, 2 or 3");
  const int points = int(s.weights.size());
  if (points < 1 || points > most_points)
    refuse_forces("a rule of " + std::to_string(s.weights.size()) + " points a direction, not of 1 to " +
                  std::to_string(most_points));
  force_sizes is{.dim = s.dim, .points = points, .zones = nodes.elements(), .size = nodes.size()};
  is.stride = nodes.component_stride();
  is.nodes = functions_of(s.node_values, points, "node_values");
  is.energies = functions_of(s.energy_values, points, "energy_values");
  if (s.node_derivatives.size() != s.node_values.size())
    refuse_forces("node_derivatives has " + std::to_string(s.node_derivatives.size()) + " entries, node_values " +
                      std::to_string(s.node_values.size()),
                  status::shape_mismatch);
  if (nodes.components() != s.dim)
    refuse_forces(
        "nodes have " + std::to_string(nodes.components()) + " components in " + std::to_string(s.dim) + " dimensions",
        status::shape_mismatch);
  if (root_of(nodes.entries(), s.dim) != is.nodes)
    refuse_forces("zones have " + std::to_string(nodes.entries()) + " nodes, and the tables are of " +
                      std::to_string(is.nodes) + " a direction, " + std::to_string(is.zone_nodes()) + " a zone",
                  status::shape_mismatch);
  if (nodes.has_signs()) refuse_forces("nodes with signs: they have places");
  if (index_t(s.gamma.size()) != is.zones)
    refuse_forces("gamma of " + std::to_string(s.gamma.size()) + " zones, not of " + std::to_string(is.zones),
                  status::shape_mismatch);
  if (index_t(s.density_times_det.size()) != is.zones * is.zone_points())
    refuse_forces("density_times_det has " + std::to_string(s.density_times_det.size()) + " numbers, not " +
                      std::to_string(is.zones * is.zone_points()) + ", one for each point",
                  status::shape_mismatch);
  const index_t of_zones = is.zones * is.dim * is.dim;
  if (index_t(s.start_inverse.size()) != of_zones && index_t(s.start_inverse.size()) != of_zones * is.zone_points())
    refuse_forces("start_inverse has " + std::to_string(s.start_inverse.size()) + " numbers, not " +
                      std::to_string(of_zones) + " of zones or " + std::to_string(of_zones * is.zone_points()) +
                      " of points",
                  status::shape_mismatch);
  if (!(s.rules.length > 0) || std::isinf(s.rules.length) || s.rules.order < 1)
    refuse_forces("rules of zones of length " + std::to_string(s.rules.length) + " and order " +
                  std::to_string(s.rules.order) + ", both to be positive");
  for (std::size_t z = 0; z < s.gamma.size(); ++z)
    if (!(s.gamma[z] > 1) || std::isinf(s.gamma[z]))
      refuse_forces("gamma of zone " + std::to_string(z) + " is " + std::to_string(s.gamma[z]) + ", not above 1");
  return is;
}

bool overlap(const double* a, index_t count_a, const double* b, index_t count_b) {
  const std::less<const double*> before;
  return before(a, b + count_b) && before(b, a + count_a);
}

void check_call(const force_call& call, const force_sizes& is, space_kind space) {
  const auto check = [&](const char* name, const void* pointer, bool needed) {
    const auto refuse = [&](const std::string& why, status code) {
      throw error("corner_forces::run: " + std::string(name) + why, code);
    };
    if (pointer == nullptr && needed) refuse(" is a null pointer", status::null_pointer);
    if (pointer != nullptr && space == space_kind::gpu && !device::is_device_pointer(pointer))
      refuse(" is to be in device memory", status::wrong_space);
  };
  const index_t energies = is.zones * is.zone_energies();
  struct range {
    const char* name;
    const double* from;
    index_t count;
  };
  const range ranges[] = {{"forces", call.forces, is.size},
                          {"power", call.power, energies},
                          {"rates", call.rates, is.zones},
                          {"x", call.x, is.size},
                          {"v", call.v, is.size},
                          {"e", call.e, energies},
                          {"w", call.w, is.size}};
  for (std::size_t out = 0; out < 3; ++out)
    for (std::size_t i = out + 1; i < std::size(ranges); ++i)
      if (ranges[out].from != nullptr && ranges[i].from != nullptr &&
          overlap(ranges[out].from, ranges[out].count, ranges[i].from, ranges[i].count))
        throw error(std::string("corner_forces::run: ") + ranges[out].name + " and " + ranges[i].name + " overlap",
                    status::overlap);
  check("x", call.x, is.zones > 0);
  check("v", call.v, is.zones > 0);
  check("e", call.e, is.zones > 0);
  check("w", call.w, false);
  check("forces", call.forces, false);
  check("power", call.power, false);
  check("rates", call.rates, false);
  if (call.source && is.dim != 2)
    throw error("corner_forces::run: the source of the Taylor-Green vortex is one of 2-D", status::invalid_argument);
}

}  // namespace

std::vector<double> node_pairs(const corner_forces_spec& spec) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i < spec.node_values.size(); ++i) {
    pairs.push_back(spec.node_values[i]);
    pairs.push_back(spec.node_derivatives[i]);
  }
  return pairs;
}

force_task task_of(const force_call& call) {
  const bool power = call.power != nullptr;
  return {.forces = call.forces != nullptr,
          .power = power,
          .velocities = power && call.w != nullptr && call.w != call.v ? 2 : 1,
          .source = power && call.source};
}

}  // namespace detail

corner_forces::corner_forces(const corner_forces_spec& spec, const restriction& nodes, space_kind space) {
  const detail::force_sizes sizes = detail::sizes_of(spec, nodes);
  on_ = space == space_kind::cpu ? detail::cpu_forces(sizes, spec, nodes) : detail::gpu_forces(sizes, spec, nodes);
}

int corner_forces::dim() const { return on_->is.dim; }
index_t corner_forces::zones() const { return on_->is.zones; }
index_t corner_forces::size() const { return on_->is.size; }
index_t corner_forces::energies() const { return on_->is.zones * on_->is.zone_energies(); }
space_kind corner_forces::space() const { return on_->space(); }

void corner_forces::run(const force_call& call) const {
  detail::check_call(call, on_->is, space());
  if (zones() > 0) return on_->run(call);
  if (call.forces != nullptr) combine(size(), nullptr, {}, call.forces, space(), call.in);
}
highest_rate corner_forces::highest(const double* rates, stream_view in) const {
  if (zones() == 0) return {};
  if (rates == nullptr) throw error("corner_forces::highest: rates is a null pointer", status::null_pointer);
  if (space() == space_kind::gpu && !device::is_device_pointer(rates))
    throw error("corner_forces::highest: rates is to be in device memory", status::wrong_space);
  return on_->highest(rates, in);
}

std::string corner_forces::describe() const {
  const detail::force_sizes& is = on_->is;
  return "corner forces " + std::to_string(is.dim) + "-D, " + std::to_string(is.zones) + " zones, " +
         std::to_string(is.nodes) + " nodes, " + std::to_string(is.energies) + " energies, " +
         std::to_string(is.points) + " points a direction; " + on_->describe();
}

}  // namespace tessera
