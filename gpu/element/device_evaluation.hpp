// SPDX-License-Identifier: BSD-3-Clause
// The GPU's side of an evaluation: which kernel, its constants, and its launches.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tessera/element/evaluation.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>
#include <tessera/scalar.hpp>

#include "device_operator.hpp"

namespace tessera::detail {

/// What D is computed from where it is not stored: so many nodes a direction, and their tables.
struct node_functions {
  int nodes = 0;
  device::computed_data_of computes{};
  device::node_tables tables{};
};

/// By products of segments.
template <class T>
class device_evaluation : public device_operator<T> {
 public:
  /// Throws status::no_device or status::no_target where nothing can be compiled or an element does not fit.
  device_evaluation(const std::string& name, const element_kernel_facts& facts, const function_source& function,
                    std::shared_ptr<const void> state, const device::direction_tables& tables,
                    const node_functions& nodes = {});

  /// The same operator with kernels that compute D of a built-in function.
  std::shared_ptr<const device_evaluation> computing(const node_functions& nodes) const;

  void prepare(scalar_type stored, int repeats) const override;
  void apply(const device::element_arguments<T>& a, scalar_type stored, stream_view in) const override;
  void apply(const device::l_vector_call<T>& call, scalar_type stored, stream_view in) const override;
  bool gives_dots(const device::l_vector_call<T>& call, scalar_type stored) const override;
  std::string describe(detail_level how) const override;

 private:
  // A kernel that is ready, with its own tuning.
  struct ready {
    std::once_flag once;
    element_tuning tuning;
    std::vector<T> constants;  // tables as the tuning wants them
    int shared_bytes = 0;
    bool gives_dots = false;
    std::shared_ptr<const device::loaded_code> code;
  };
  const ready& ready_for(const device::element_variant& variant) const;
  element_kernel_facts facts_for(const device::element_variant& variant) const;

  std::string name_;
  gpu_limits limits_;
  device::element_kernel kernel_;
  tuning_source tuned_by_;
  std::shared_ptr<const void> state_;
  device::direction_tables tables_;
  device::node_tables node_tables_;
  mutable std::array<ready, 40> ready_;  // by variant
};

}  // namespace tessera::detail
