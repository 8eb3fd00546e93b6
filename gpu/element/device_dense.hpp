// SPDX-License-Identifier: BSD-3-Clause
// The GPU's side of an evaluation by dense tables: the kernel, the tables in device memory, and its launches.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tessera/element/dense_basis.hpp>
#include <tessera/gpu/detail/element/dense_tables.hpp>
#include <tessera/gpu/detail/element/dense_tuning.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>
#include <tessera/memory.hpp>

#include "device_operator.hpp"
#include "src/element/function_facts.hpp"

namespace tessera::detail {

template <class T>
class device_dense : public device_operator<T> {
 public:
  /// Bases as checked, at `points` points; `state` is the user's function, of which `function` is the rest. Throws as
  /// device_evaluation does.
  device_dense(const std::string& name, int dim, const function_facts& function, std::shared_ptr<const void> state,
               const dense_basis& trial, const dense_basis& test, int points);

  void prepare(scalar_type stored, int repeats) const override;
  void apply(const device::element_arguments<T>& a, scalar_type stored, stream_view in) const override;
  void apply(const device::l_vector_call<T>& call, scalar_type stored, stream_view in) const override;
  std::string describe(detail_level how) const override;
  /// Not promised: several tiles of an element may read x.
  bool can_replace_x() const override { return false; }

 private:
  // A kernel that is ready.
  struct ready {
    std::once_flag once;
    std::shared_ptr<const device::loaded_code> code;
  };
  const device::loaded_code& ready_for(const device::element_variant& variant) const;
  // Queues it.
  template <class Arguments>
  void queue(const device::element_variant& variant, Arguments arguments, stream_view in) const;

  std::string name_;
  device::dense_kernel kernel_;
  std::shared_ptr<const void> state_;
  buffer trial_, test_;
  mutable std::array<ready, 16> ready_;  // by variant
};

}  // namespace tessera::detail
