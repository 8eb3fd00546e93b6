// SPDX-License-Identifier: BSD-3-Clause
// Looks up the compiled element kernels of an instruction set.
#include <type_traits>

#include <tessera/cpu/element/rows.hpp>

#include "tables.hpp"

namespace tessera {

template <class T>
const element_kernels<T>* element_kernels_of(target isa) {
  for (const compiled_element_isa& one : compiled_element_isas())
    if (one.isa == isa) {
      if constexpr (std::is_same_v<T, float>)
        return &one.f32();
      else
        return &one.f64();
    }
  return nullptr;
}
template const element_kernels<float>* element_kernels_of(target);
template const element_kernels<double>* element_kernels_of(target);

target baseline_isa() { return compiled_element_isas().front().isa; }

}  // namespace tessera
