// SPDX-License-Identifier: BSD-3-Clause
// Matrices of the mass, of which each distinct number is computed once.
#include <tessera/element/symmetric_choice.hpp>

#include "launches.hpp"

namespace tessera::detail {

template <class T>
std::optional<matrix_way<T>> by_distinct_numbers(const matrix_request& r) {
  if (!r.symmetric() || r.facts.slopes()) return {};
  const pair_sizes s{r.dim(), r.functions(), r.points(), int(sizeof(T)), r.packed(), r.facts.mirrors};
  const auto tuning = pair_tuning_of(s, r.limits);
  if (!tuning) return {};
  const pair_room room{s, *tuning};
  matrix_way<T> way;
  way.text = "each distinct number once, " +
             (tuning->sliced ? "a slice of a matrix" : matrices_text(tuning->elements)) + " by " +
             std::to_string(tuning->threads);
  way.source = source_by(device::pair_kernel{scalar_of<T>, scalar_of<T>, room});
  way.constants = device::constants_of_pairs<T>(room.units(), r.tables.interpolate);
  way.places = device::places_of_pairs(room);
  way.elements = tuning->elements;
  way.parts = room.slices();
  way.threads = tuning->threads;
  way.bytes = room.bytes();
  way.launch_with = launch_with_places<T>;
  return way;
}

template std::optional<matrix_way<float>> by_distinct_numbers(const matrix_request&);
template std::optional<matrix_way<double>> by_distinct_numbers(const matrix_request&);

}  // namespace tessera::detail
