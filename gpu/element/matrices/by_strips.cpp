// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices of derivatives in 3-D: strips of columns, on tensor cores.
#include <tessera/element/symmetric_choice.hpp>
#include <tessera/gpu/element/strip_arguments.hpp>
#include <tessera/gpu/element/strip_tables.hpp>

#include "matrix_way.hpp"

namespace tessera::detail {

template <class T>
std::optional<matrix_way<T>> by_strips(const matrix_request& r) {
  if (!r.of_slopes(int(sizeof(T))) || r.dim() != 3) return {};
  const halved_sizes s{r.functions(), r.points(), r.packed()};
  const auto tuning = strip_tuning_of(s, r.limits);
  if (!tuning) return {};
  const strip_room room{s, *tuning};
  matrix_way<T> way;
  way.text = "strips of columns on tensor cores by " + std::to_string(tuning->threads);
  way.source = source_by(device::strip_kernel{scalar_of<T>, r.function, room});
  way.constants.resize(1);  // of a kernel that has none
  way.fragments = device::tables_of_strips(room, r.tables.interpolate, r.slopes());
  way.parts = room.parts();
  way.threads = tuning->threads;
  way.bytes = room.bytes();
  way.launch_with = [](const matrix_job<T>& job, const auto& launch) {
    device::strip_arguments<T> a{
        .D = job.D, .M = job.M, .first = job.first, .count = job.count, .tables = job.fragments};
    launch(&a);
  };
  return way;
}

template std::optional<matrix_way<float>> by_strips(const matrix_request&);
template std::optional<matrix_way<double>> by_strips(const matrix_request&);

}  // namespace tessera::detail
