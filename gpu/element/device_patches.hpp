// SPDX-License-Identifier: BSD-3-Clause
// The lists of patches in device memory.
#pragma once

#include <tessera/element/global_evaluation.hpp>
#include <tessera/gpu/detail/element/patch_call.hpp>
#include <tessera/memory.hpp>

#include "src/element/patch_steps.hpp"

namespace tessera::detail {

class device_patches : public element_patches {
 public:
  device_patches(const patch_request& request, index_t step);

  /// Of patches [first, last).
  template <class T>
  device::patch_call<T> call(const global_application<T>& a, index_t first, index_t last, T* shared) const;
  /// Before the first patch, and after the last one.
  template <class T>
  void begin(const global_application<T>& a) const;
  template <class T>
  void finish(const global_application<T>& a, const T* shared) const;

 private:
  template <class T, class Index, class Run>
  void each_sum(const global_application<T>& a, const T* shared, const Run& run) const;

  bool wide_, atomic_;
  device::code_place of_x_, of_y_;
  std::vector<shared_sums::group> groups_;
  int components_, summed_components_;
  index_t stride_, untouched_count_, constrained_count_;
  buffer first_element_, first_step_, x_codes_, y_codes_, outer_, numbers_, places_, untouched_, constrained_;
};

}  // namespace tessera::detail
