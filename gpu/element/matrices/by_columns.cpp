// SPDX-License-Identifier: BSD-3-Clause
// Matrices of any operator, some columns at a time.
#include <tessera/element/matrix_choice.hpp>
#include <tessera/gpu/element/matrix_arguments.hpp>

#include "matrix_way.hpp"

namespace tessera::detail {

template <class T>
std::optional<matrix_way<T>> by_columns(const matrix_request& r) {
  const element_kernel_facts& f = r.facts;
  // In halves from three functions on, as in the kernels that apply operators; of nodes that are the points, too.
  const bool mirrored = f.mirrors && f.trial >= 3 && f.test >= 3, own_test = r.tables.own_test();
  device::matrix_kernel kernel{.type = scalar_of<T>, .stored = scalar_of<T>, .function = r.function};
  kernel.sizes = matrix_sizes_of(r.kind, f.dim, f.trial, f.points, f.test, r.components, int(sizeof(T)), r.how);
  kernel.own_test = own_test;
  kernel.mirrored = mirrored;
  kernel.tuning = default_matrix_tuning(kernel.sizes, r.limits);
  const matrix_tuning& t = kernel.tuning;
  const matrix_room room{kernel.sizes, t};
  element_kernel_facts interpolated = f;
  interpolated.nodal = false;
  matrix_way<T> way;
  way.text =
      (room.whole() ? std::to_string(t.elements) + " matrices"
                    : std::to_string(t.slices * t.strips) + " strips of " + std::to_string(f.trial) + " columns") +
      " by " + std::to_string(t.threads);
  way.problem = why_unfit(kernel.sizes, t, r.limits);
  way.source = source_by(kernel);
  way.constants = device::constants_of<T>(interpolated, mirrored, own_test, f.slopes(), r.tables);
  way.elements = t.elements;
  way.parts = room.parts();
  way.threads = t.threads;
  way.bytes = room.bytes();
  way.launch_with = [](const matrix_job<T>& job, const auto& launch) {
    device::matrix_arguments<T> a{.D = job.D, .M = job.M, .first = job.first, .count = job.count};
    launch(&a);
  };
  return way;
}

template std::optional<matrix_way<float>> by_columns(const matrix_request&);
template std::optional<matrix_way<double>> by_columns(const matrix_request&);

}  // namespace tessera::detail
