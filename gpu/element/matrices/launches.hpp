// SPDX-License-Identifier: BSD-3-Clause
// What several kernels of matrices are launched with.
#pragma once

#include <tessera/gpu/element/pair_arguments.hpp>
#include <tessera/gpu/element/product_arguments.hpp>

#include "matrix_way.hpp"

namespace tessera::detail {

template <class T>
void launch_with_places(const matrix_job<T>& job, const std::function<void(void* arguments)>& launch) {
  device::pair_arguments<T> a{.D = job.D, .M = job.M, .first = job.first, .count = job.count, .places = job.places};
  launch(&a);
}

template <class T>
void launch_with_fragments(const matrix_job<T>& job, const std::function<void(void* arguments)>& launch) {
  device::product_arguments<T> a{
      .D = job.D, .M = job.M, .first = job.first, .count = job.count, .places = job.places, .fragments = job.fragments};
  launch(&a);
}

}  // namespace tessera::detail
