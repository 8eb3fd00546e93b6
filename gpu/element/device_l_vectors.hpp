// SPDX-License-Identifier: BSD-3-Clause
// The lists of L-vectors in device memory.
#pragma once

#include <tessera/element/global_evaluation.hpp>
#include <tessera/gpu/detail/element/l_vector_call.hpp>
#include <tessera/memory.hpp>

#include "src/element/l_vector_lists.hpp"

namespace tessera::detail {

class device_l_vectors : public element_patches {
 public:
  explicit device_l_vectors(const patch_request& request);

  /// Of elements [first, last).
  template <class T>
  device::l_vector_call<T> call(const global_application<T>& a, index_t first, index_t last,
                                const shared_terms<T>& shared) const;
  /// Before the first element, and after the last one.
  template <class T>
  void begin(const global_application<T>& a) const;
  template <class T>
  void finish(const global_application<T>& a, const T* shared) const;
  /// *a.dot after that: `by_elements`, the sum of what kernels have put there.
  template <class T>
  void finish_dot(const global_application<T>& a, const shared_terms<T>& shared, bool by_elements) const;
  bool has_one_restriction() const { return one_; }
  index_t dot_numbers() const;

 private:
  template <class T, class Run>
  void with_sums(const global_application<T>& a, const T* shared, const Run& run) const;

  bool one_, wide_, atomic_;
  device::code_place of_x_, of_y_;
  int summed_components_, element_terms_;
  index_t size_, component_terms_, stride_, sum_warps_, untouched_count_, constrained_count_;
  buffer x_codes_, y_codes_, places_, first_, numbers_, of_terms_, untouched_, constrained_, positions_;
};

}  // namespace tessera::detail
