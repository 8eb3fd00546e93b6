// SPDX-License-Identifier: BSD-3-Clause
// Kernels of element matrices with a tuning that the caller gives, for those who look for a better one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tessera/detail/element/jit_element.hpp>
#include <tessera/detail/element/matrix_choice.hpp>

namespace tessera {

/// D is stored in the type of M.
struct jit_matrix {
  matrix_facts of;  ///< x and y of the same functions
  matrix_tuning tuning;

  scalar_type type() const { return of.entry_bytes == 8 ? scalar_type::f64 : scalar_type::f32; }
};

/// As jit_compile of products in <tessera/detail/jit.hpp>.
std::vector<jit_code> jit_compile(std::span<const jit_matrix> wanted, const jit_options& options, int architecture = 0);

/// A loaded kernel with its tables; copies share them.
class jit_matrix_kernel {
 public:
  /// Throws status::launch_failure where the driver refuses the code, status::invalid_argument where tables are of
  /// other sizes.
  jit_matrix_kernel(const jit_matrix& what, const jit_code& code, const line_tables& tables);

  int registers() const;
  /// Bytes of a thread's local memory: what was spilled.
  int local_bytes() const;

  /// Queues the matrices of elements 0 .. elements - 1, one behind the other; D as of jit_element_kernel. All are in
  /// device memory. Throws status::invalid_argument where the type is another.
  void run(const float* D, float* M, index_t elements, stream_view in) const;
  void run(const double* D, double* M, index_t elements, stream_view in) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace tessera
