// SPDX-License-Identifier: BSD-3-Clause
// The GPU's kernels of element matrices: which, their constants, and their launches.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include <tessera/element/element_tuning.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/element/matrix_choice.hpp>
#include <tessera/gpu/element/constants.hpp>
#include <tessera/gpu/element/kernel.hpp>
#include <tessera/gpu/element/pair_tables.hpp>
#include <tessera/memory.hpp>
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

  /// "compiled at run time: each distinct number once, 14 matrices by 128 threads"
  std::string describe(matrix_storage how) const;

 private:
  using kernel_of_matrices = std::variant<device::matrix_kernel, device::pair_kernel, device::halved_kernel,
                                          device::strip_kernel, device::parity_kernel, device::product_kernel>;
  // A kernel that is ready.
  struct ready {
    std::once_flag once;
    const device::loaded_code* code = nullptr;
  };
  // Of one storage: what the kernel reads besides D, from the launch and from device memory.
  struct choice {
    kernel_of_matrices kernel;
    const char* problem = "";
    std::vector<T> constants;
    device::place_table places;
    std::vector<double> fragments;
  };
  struct tables_on_device {
    std::once_flag once;
    buffer places, fragments;
  };
  choice chosen(operator_kind kind, const element_kernel_facts& facts, int components, const std::string& function,
                const device::direction_tables& tables, const gpu_limits& limits, matrix_storage how) const;
  const choice& of(matrix_storage how) const { return choices_[std::size_t(how)]; }
  const device::loaded_code& code_of(matrix_storage how, scalar_type stored) const;
  const tables_on_device& tables_of(matrix_storage how) const;

  std::string name_;
  std::array<choice, 2> choices_;  // by storage
  mutable std::array<tables_on_device, 2> tables_;
  mutable std::array<ready, 4> ready_;  // by storage and type of D
};

}  // namespace tessera::detail
