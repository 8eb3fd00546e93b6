// SPDX-License-Identifier: BSD-3-Clause
// corner_forces: forces of a gas on the nodes of moving zones, F 1, and the power that they give it, F^T v, each in one
// pass over the zones, on a CPU or a GPU. docs/hydro.md has the equations.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <tessera/element/restriction.hpp>
#include <tessera/hydro/gas_point.hpp>
#include <tessera/space.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// All in host memory, and copied. Tables are those of one direction, point k of function i at [k + points i]; the
/// nodes, energies and points of a zone are products of those, first direction fastest.
struct corner_forces_spec {
  int dim = 3;
  std::span<const double> weights{};                          ///< of the rule of a direction, which has as many points
  std::span<const double> node_values{}, node_derivatives{};  ///< of the functions of position and velocity
  std::span<const double> energy_values{};                    ///< of the functions of the energy
  hydro::gas_rules rules{};
  std::span<const double> gamma{};  ///< of each zone's material
  /// Density times det J at the start, which stays: of point k of zone z at [k + points z].
  std::span<const double> density_times_det{};
  /// Of the Jacobian at the start: entry [c][direction] at [c + dim direction + dim^2 (k + points z)], or, dim^2
  /// numbers a zone, one for all its points at [c + dim direction + dim^2 z].
  std::span<const double> start_inverse{};
};

/// Vectors are in the space of the forces: x, v, w and `forces` L-vectors of the nodes, `e` and `power` zone after
/// zone. `forces`, `power` and `rates` overlap nothing else.
struct force_call {
  const double *x = nullptr, *v = nullptr, *e = nullptr;
  double* forces = nullptr;    ///< F 1; null: not wanted
  double* power = nullptr;     ///< F^T w; null: not wanted
  const double* w = nullptr;   ///< null: v
  bool source = false;         ///< `power` has that of the source that keeps the Taylor-Green vortex steady, in 2-D
  double* rates = nullptr;     ///< the highest rate of each zone (hydro::force_at_point); null: not wanted
  bool highest_rates = false;  ///< `rates` becomes the maximum of this call's and of what it has
  stream_view in{};
};

/// The highest of `rates`, and the first zone that has it.
struct highest_rate {
  double rate = 0;
  index_t zone = 0;
};

namespace detail {
class forces_backend;
}

/// Copies share what they refer to, memory for the forces of zones included: calls of an object and of its copies
/// follow one another, on a GPU in one stream or in streams that wait for one another. Results are the same bits for
/// any number of threads, and from run to run.
class corner_forces {
 public:
  /// `nodes`: which number of x each node of a zone has, dim components at any stride. What it constrains plays no part
  /// here: forces have all numbers. Throws for sizes that do not fit, and without a GPU for `gpu`.
  corner_forces(const corner_forces_spec& spec, const restriction& nodes, space_kind space = space_kind::cpu);

  int dim() const;
  index_t zones() const;
  index_t size() const;      ///< numbers of x
  index_t energies() const;  ///< numbers of e
  space_kind space() const;

  /// On a GPU it queues its work in `call.in`.
  void run(const force_call& call) const;
  /// Of `zones()` numbers in the space of the forces; waits for `in`.
  highest_rate highest(const double* rates, stream_view in = {}) const;

  /// "corner forces 3-D, 512 zones, 3 nodes, 2 energies, 4 points a direction; avx2, 4 zones at once".
  std::string describe() const;

 private:
  std::shared_ptr<const detail::forces_backend> on_;
};

}  // namespace tessera
