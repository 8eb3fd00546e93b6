// SPDX-License-Identifier: BSD-3-Clause
// The GPU's kernels of element matrices: which, their constants, and their launches.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <vector>

#include <tessera/element/element_tuning.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/element/matrix_choice.hpp>
#include <tessera/gpu/element/constants.hpp>
#include <tessera/gpu/element/kernel.hpp>
#include <tessera/scalar.hpp>
#include <tessera/stream.hpp>

namespace tessera::detail {

/// Of a built-in operator.
template <class T>
class device_matrices {
 public:
  device_matrices(const std::string& name, operator_kind kind, const element_kernel_facts& facts, int components,
                  const function_source& function, const device::direction_tables& tables, const gpu_limits& limits);

  /// Why there is none for that storage, in words; empty where there is.
  const char* why_not(matrix_storage how) const;
  /// Queues the matrices of elements first, first + 1, ...; M is in device memory.
  void run(index_t first, index_t count, T* M, matrix_storage how, const void* D, scalar_type stored,
           stream_view in) const;

  /// "compiled at run time: 4 matrices by 256 threads"
  std::string describe(matrix_storage how) const;

 private:
  // A kernel that is ready.
  struct ready {
    std::once_flag once;
    const device::loaded_code* code = nullptr;
  };
  const device::matrix_kernel& kernel_of(matrix_storage how) const { return kernels_[std::size_t(how)]; }

  std::string name_;
  gpu_limits limits_;
  std::array<device::matrix_kernel, 2> kernels_;  // by storage
  std::vector<T> constants_;
  mutable std::array<ready, 4> ready_;  // by storage and type of D
};

}  // namespace tessera::detail
