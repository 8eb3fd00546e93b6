// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives in 2-D, of functions that mirror each other: by even and odd parts.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/parity_tables.hpp>

#include "launches.hpp"

namespace tessera::detail {

template <class T>
std::optional<matrix_way<T>> by_parities(const matrix_request& r) {
  if (!r.of_slopes(int(sizeof(T))) || r.dim() != 2 || !r.facts.mirrors) return {};
  const parity_sizes s{r.functions(), r.points(), r.facts.factors, r.packed()};
  const auto tuning = parity_tuning_of(s, r.limits);
  if (!tuning) return {};
  const parity_room room{s, *tuning};
  const std::vector<double> slopes = r.slopes();
  matrix_way<T> way;
  way.text = "pairs of the last direction, by even and odd parts, " + matrices_text(tuning->elements) + " by " +
             std::to_string(tuning->threads);
  way.source = source_by(device::parity_kernel{scalar_of<T>, r.function, room});
  const std::vector<double> constants = device::constants_of_parities(room, r.tables.interpolate, slopes);
  way.constants.assign(constants.begin(), constants.end());
  way.places = device::places_of_parities(room);
  way.fragments = device::products_of_parities(s.functions, s.points, r.tables.interpolate, slopes);
  way.elements = tuning->elements;
  way.threads = tuning->threads;
  way.bytes = room.bytes();
  way.launch_with = launch_with_fragments<T>;
  return way;
}

template std::optional<matrix_way<float>> by_parities(const matrix_request&);
template std::optional<matrix_way<double>> by_parities(const matrix_request&);

}  // namespace tessera::detail
