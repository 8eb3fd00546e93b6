// SPDX-License-Identifier: BSD-3-Clause
// Where corner forces run: the interface that the CPU and the GPU implement. Callers check all arguments first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/detail/hydro/zone_program.hpp>
#include <tessera/hydro/corner_forces.hpp>

namespace tessera::detail {

struct force_sizes {
  int dim = 3, nodes = 2, energies = 1, points = 2;  // of a direction
  index_t zones = 0;
  index_t size = 0, stride = 0;  // of the restriction

  index_t power(int base) const {
    return dim == 1 ? base : dim == 2 ? index_t(base) * base : index_t(base) * base * base;
  }
  index_t zone_nodes() const { return power(nodes); }
  index_t zone_energies() const { return power(energies); }
  index_t zone_points() const { return power(points); }
  /// One for all points of a zone. A zone of one point has one, whatever its name.
  bool has_inverse_of_zones(const corner_forces_spec& s) const {
    return index_t(s.start_inverse.size()) == zones * dim * dim;
  }
};

class forces_backend {
 public:
  explicit forces_backend(const force_sizes& sizes) : is(sizes) {}
  virtual ~forces_backend() = default;
  virtual space_kind space() const = 0;
  virtual std::string describe() const = 0;
  virtual void run(const force_call& call) const = 0;
  virtual highest_rate highest(const double* rates, stream_view in) const = 0;

  const force_sizes is;
};

force_task task_of(const force_call& call);
/// Values and slopes of the nodes' functions, as zone_tables has them.
std::vector<double> node_pairs(const corner_forces_spec& spec);

std::shared_ptr<const forces_backend> cpu_forces(const force_sizes& sizes, const corner_forces_spec& spec,
                                                 const restriction& nodes);
std::shared_ptr<const forces_backend> gpu_forces(const force_sizes& sizes, const corner_forces_spec& spec,
                                                 const restriction& nodes);

}  // namespace tessera::detail
