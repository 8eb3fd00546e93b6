// SPDX-License-Identifier: BSD-3-Clause
// Names the tables that the instruction sets' translation units define, one per type, for the list of compiled ISAs.
#pragma once

#include <tessera/cpu/rows.hpp>

namespace tessera {

/// Defined in rows_<isa>_<type>.cpp: the functions and rows of that one type.
template <target isa, class T>
const isa_rows& compiled_rows();

/// An ISA of this build, as isas_x86.cpp or isas_arm.cpp lists it.
struct compiled_isa {
  const isa_rows& (*f32)();
  const isa_rows& (*f64)();
};
std::span<const compiled_isa> compiled_isas();

}  // namespace tessera
