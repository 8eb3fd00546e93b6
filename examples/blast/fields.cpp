// SPDX-License-Identifier: BSD-3-Clause
// Fields of the latest step.
#include "fields.hpp"

#include <cstdio>

namespace tessera::blast {

const std::vector<double>& fields::state() {
  if (step_ != of_.steps()) state_ = of_.state();
  step_ = of_.steps();
  return state_;
}

std::vector<double> fields::energy(int order) {
  const double* const e = state().data() + 2 * of_.in().kinematic();
  return fem::energy_at_nodes(of_.in(), order, {e, e + of_.in().thermodynamic()});
}

std::vector<double> fields::density(int order) {
  if (!density_) density_.emplace(of_.in());
  if (projected_ != of_.steps() && !density_->project(state().data()))
    std::fprintf(stderr,
                 "blast: after step %ld the projection of the density did not converge: files show what it has\n",
                 of_.steps());
  projected_ = of_.steps();
  return density_->at_nodes(order);
}

std::vector<double> fields::in_zones(const double* field) const {
  const fem::gas_spaces& in = of_.in();
  std::vector<double> made;
  made.reserve(in.nodes.number.size() * std::size_t(in.dim));
  for (index_t z = 0; z < in.zones; ++z)
    for (int c = 0; c < in.dim; ++c)
      for (index_t i = 0; i < in.zone_nodes; ++i)
        made.push_back(field[in.nodes.number[std::size_t(i + in.zone_nodes * z)] + in.nodes.count * c]);
  return made;
}

}  // namespace tessera::blast
