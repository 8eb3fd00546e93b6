// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives: a thread for each pair of functions of the last direction, or products of warps.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/product_tables.hpp>

#include "launches.hpp"

namespace tessera::detail {

template <class T>
std::optional<matrix_way<T>> by_pairs(const matrix_request& r) {
  if (!r.of_slopes(int(sizeof(T)))) return {};
  return with_function(r.kind, r.dim(), [&]<class F>(const F&) -> std::optional<matrix_way<T>> {
    if constexpr (!F::symmetric || F::dim == 1 || F::trial.components != 1 || !F::trial.gradient) {
      return {};
    } else {
      const product_sizes s = device::product_sizes_of<F>(r.functions(), r.points(), r.packed());
      const auto tuning = product_tuning_of(s, r.limits);
      if (!tuning) return {};
      const product_room room{s, *tuning};
      const std::vector<double> slopes = r.slopes();
      matrix_way<T> way;
      way.text = std::string("pairs of the last direction, ") +
                 (room.alone() ? "a thread each, " : "by products of warps, ") + matrices_text(tuning->elements) +
                 " by " + std::to_string(tuning->threads);
      way.source = source_by(device::product_kernel{scalar_of<T>, r.function, room});
      const std::vector<double> constants = device::constants_of_products(room, r.tables.interpolate, slopes);
      way.constants.assign(constants.begin(), constants.end());
      way.places = device::places_of_products(room);
      way.fragments = device::product_fragments<F>(room, r.tables.interpolate, slopes).all();
      way.elements = tuning->elements;
      way.threads = tuning->threads;
      way.bytes = room.bytes();
      way.launch_with = launch_with_fragments<T>;
      return way;
    }
  });
}

template std::optional<matrix_way<float>> by_pairs(const matrix_request&);
template std::optional<matrix_way<double>> by_pairs(const matrix_request&);

}  // namespace tessera::detail
