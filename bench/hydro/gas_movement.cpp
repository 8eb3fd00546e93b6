// SPDX-License-Identifier: BSD-3-Clause
// Moves arrays.
#include "hydro/gas_movement.hpp"

#include <span>

#include "definition/dense_element.hpp"
#include "measure/limits/cpu.hpp"

namespace tessera::bench {

buffer filled_memory(double bytes) {
  buffer made(space_kind::cpu, std::size_t(bytes) / sizeof(double) * sizeof(double));
  fill(std::span(static_cast<double*>(made.data()), made.bytes() / sizeof(double)), 4);
  return made;
}

gas_movement::gas_movement(double kept, double read, double written)
    : kept_(filled_memory(kept)), read_(filled_memory(read)), written_(filled_memory(written)) {}

void gas_movement::run(bool streaming, int threads) const {
  const auto count = [](const buffer& of) { return of.bytes() / sizeof(double); };
  move_once({.a = static_cast<const double*>(kept_.data()),
             .b = static_cast<const double*>(read_.data()),
             .c = static_cast<double*>(written_.data()),
             .na = count(kept_),
             .nb = count(read_),
             .nc = count(written_)},
            false, streaming, threads);
}

}  // namespace tessera::bench
