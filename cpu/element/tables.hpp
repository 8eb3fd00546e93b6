// SPDX-License-Identifier: BSD-3-Clause
// Names the tables that the instruction sets' translation units define, one per type, for the list of compiled ISAs.
#pragma once

#include <tessera/cpu/element/rows.hpp>

namespace tessera {

/// Defined in kernels_<isa>_<type>.cpp.
template <target isa, class T>
const element_kernels<T>& compiled_element_kernels();

/// An ISA of this build, as isas_x86.cpp or isas_arm.cpp lists it; the first one is every machine's.
struct compiled_element_isa {
  target isa;
  const element_kernels<float>& (*f32)();
  const element_kernels<double>& (*f64)();
};
std::span<const compiled_element_isa> compiled_element_isas();

}  // namespace tessera
