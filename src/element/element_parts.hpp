// SPDX-License-Identifier: BSD-3-Clause
// The components that an element kernel's function takes or gives together.
#pragma once

#include <algorithm>

#include <tessera/detail/element/element_tuning.hpp>

namespace tessera::detail {

inline int components_of(const element_kernel_facts& f) {
  return std::max(f.of_trial.components, f.of_test.components);
}
inline bool is_coupled(const element_kernel_facts& f) { return components_of(f) > 1; }

}  // namespace tessera::detail
