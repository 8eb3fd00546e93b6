// SPDX-License-Identifier: BSD-3-Clause
// Element kernels of the GPU with a tuning that the caller gives, for those who look for a better one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/element/operator_kind.hpp>
#include <tessera/scalar.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// A built-in operator: d functions of x and of y and q points in each direction, the same tables for both, applied to
/// an element `repeats` times, to other components each; D stored in the type of x and y, their entries side by side.
struct jit_element {
  scalar_type type = scalar_type::f64;
  operator_kind kind = operator_kind::mass;
  int dim = 3, d = 2, q = 3;
  element_tuning tuning;
  int repeats = 1;

  element_kernel_facts facts() const;
};

/// Tables of one direction, column-major: B (q,d), and C (q,q), derivatives at the points of the polynomials through
/// them. Both mirror themselves.
struct line_tables {
  std::vector<double> interpolate, differentiate;
};

/// As jit_compile of products in <tessera/detail/jit.hpp>.
std::vector<jit_code> jit_compile(std::span<const jit_element> wanted, const jit_options& options,
                                  int architecture = 0);

/// A loaded kernel with its tables; copies share them.
class jit_element_kernel {
 public:
  /// Throws status::launch_failure where the driver refuses the code, status::invalid_argument where tables are of
  /// other sizes.
  jit_element_kernel(const jit_element& what, const jit_code& code, const line_tables& tables);

  int registers() const;
  /// Bytes of a thread's local memory: what was spilled.
  int local_bytes() const;

  /// Queues y = B^T D(B x) for elements 0 .. elements - 1, one behind the other, component by component; factor f of
  /// point k of element e is D[k + q^dim (f + factors e)]. All are in device memory. Throws status::invalid_argument
  /// where the type is another.
  void run(const float* x, float* y, const float* D, index_t elements, stream_view in) const;
  void run(const double* x, double* y, const double* D, index_t elements, stream_view in) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace tessera
