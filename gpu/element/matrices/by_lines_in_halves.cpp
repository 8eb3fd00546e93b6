// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives in 3-D, of functions that mirror each other: by lines in halves, on FMA units.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/halved_tables.hpp>

#include "launches.hpp"

namespace tessera::detail {

template <class T>
std::optional<matrix_way<T>> by_lines_in_halves(const matrix_request& r) {
  if (!r.of_slopes(int(sizeof(T))) || r.dim() != 3 || !r.facts.mirrors) return {};
  const halved_sizes s{r.functions(), r.points(), r.packed()};
  const auto tuning = halved_tuning_of(s, r.limits);
  if (!tuning) return {};
  const halved_room room{s, *tuning};
  const std::string what = tuning->sliced      ? "a slice of a matrix"
                           : tuning->tiled > 0 ? "tiles of a matrix"
                                               : matrices_text(1);
  matrix_way<T> way;
  way.text = "pairs of the last direction, by lines in halves, " + what + " by " + std::to_string(tuning->threads);
  way.source = source_by(device::halved_kernel{scalar_of<T>, r.function, room});
  const std::vector<double> constants = device::constants_of_halves(room.units(), r.tables.interpolate, r.slopes());
  way.constants.assign(constants.begin(), constants.end());
  way.places = device::places_of_halves(room);
  way.parts = room.parts();
  way.threads = tuning->threads;
  way.bytes = room.bytes();
  way.launch_with = launch_with_places<T>;
  return way;
}

template std::optional<matrix_way<float>> by_lines_in_halves(const matrix_request&);
template std::optional<matrix_way<double>> by_lines_in_halves(const matrix_request&);

}  // namespace tessera::detail
