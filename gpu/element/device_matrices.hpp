// SPDX-License-Identifier: BSD-3-Clause
// The GPU's kernels of element matrices: which way, its tables in device memory, and its launches.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include <tessera/element/evaluation.hpp>
#include <tessera/memory.hpp>
#include <tessera/scalar.hpp>
#include <tessera/stream.hpp>

#include <tessera/gpu/detail/element/matrix_arguments.hpp>

#include "matrices/matrix_ways.hpp"

namespace tessera::detail {

/// Of a built-in operator.
template <class T>
class device_matrices {
 public:
  /// Of full matrices: of lower triangles the facts are else the same.
  device_matrices(const std::string& name, matrix_facts facts, const function_source& function,
                  const device::direction_tables& tables, const gpu_limits& limits);

  /// Why there is none for that storage, in words; empty where there is.
  const char* why_not(matrix_storage how) const;
  /// Queues the matrices of elements first, first + 1, ...; M is in device memory.
  void run(index_t first, index_t count, T* M, matrix_storage how, const void* D, scalar_type stored,
           stream_view in) const;

  /// "compiled at run time: each distinct number once, 14 matrices by 128 threads"
  std::string describe(matrix_storage how) const;

 private:
  // A kernel that is ready.
  struct ready {
    std::once_flag once;
    std::shared_ptr<const device::loaded_code> code;
  };
  struct tables_on_device {
    std::once_flag once;
    buffer places, functions;
  };
  const matrix_launch<T>& of(matrix_storage how) const { return launches_[std::size_t(how)]; }
  const device::loaded_code& code_of(matrix_storage how, scalar_type stored) const;
  const tables_on_device& tables_of(matrix_storage how) const;

  std::string name_;
  std::array<matrix_launch<T>, 2> launches_;  // by storage
  mutable std::array<tables_on_device, 2> tables_;
  mutable std::array<ready, 4> ready_;  // by storage and type of D
};

}  // namespace tessera::detail
