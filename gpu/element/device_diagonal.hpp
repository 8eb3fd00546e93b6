// SPDX-License-Identifier: BSD-3-Clause
// The GPU's kernel of the diagonals of element matrices: its tables in device memory, and its launches.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tessera/element/evaluation.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>
#include <tessera/memory.hpp>

#include "src/element/operator_sizes.hpp"

namespace tessera::detail {

/// Of a built-in operator, x and y having as many functions.
template <class T>
class device_diagonal {
 public:
  /// For the sizes of `s`, by products of segments.
  device_diagonal(const std::string& name, const operator_sizes& s, const device::direction_tables& tables);
  /// By dense tables of the points of `s`.
  device_diagonal(const std::string& name, const operator_sizes& s, const dense_basis& trial, const dense_basis& test);

  /// Whether an element fits shared memory.
  bool fits() const { return fits_; }
  /// Queues those of elements first, first + 1, ... in stream 0; y is in device memory.
  void run(index_t first, index_t count, T* y, const void* D, scalar_type stored) const;

 private:
  // A kernel that is ready.
  struct ready {
    std::once_flag once;
    std::shared_ptr<const device::loaded_code> code;
  };
  device_diagonal(const std::string& name, const operator_sizes& s, bool dense);

  std::string name_;
  device::diagonal_kernel kernel_;
  element_layout layout_;  // of y
  int repeats_;
  bool fits_ = false;
  buffer tables_;
  mutable std::array<ready, 2> ready_;  // by type of D
};

}  // namespace tessera::detail
