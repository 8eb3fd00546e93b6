// SPDX-License-Identifier: BSD-3-Clause
// The source of kernels for the host: what device::general_source writes for NVRTC, as a table of emulated_kernel.
#pragma once

#include <ostream>
#include <string>

#include "kernel.hpp"

namespace tessera::testing {

inline void write_prologue(std::ostream& to) {
  to << "// Made by tests/gpu/emulated/write_kernels.cpp.\n"
        "#include \"gpu/emulated/cuda.hpp\"\n\n"
        "#include <tessera/gpu/detail/general/contract.cuh>\n\n"
        "#include \"gpu/emulated/kernel.hpp\"\n\n";
}
/// One kernel of a table, in a namespace of its own: functions of entries have the same name in all of them.
inline void write_kernel(std::ostream& to, const kernel_case& c, int number) {
  const device::general_code made = device::general_source(c.of.form, c.kind, c.tile);
  to << "namespace kernel_" << number << " {\n" << c.kind.functions << "\n";
  for (int i = 0; i < 2; ++i) {
    const std::string& name = made.source.kernels[std::size_t(i)];
    const auto from = name.find('<') + 1;
    to << "using work_" << i << " = " << name.substr(from, name.rfind('>') - from) << ";\n";
  }
  to << "const tessera::testing::emulated_kernel kernel{\n    {\"" << made.source.kernels[0] << "\",\n     \""
     << made.source.kernels[1] << "\"},\n"
     << "    {&tessera::device::general_program<work_0>::run, &tessera::device::general_program<work_1>::run},\n    {";
  if (c.tile.has_parts())
    to << "&tessera::device::parts_program<work_0>::run, &tessera::device::parts_program<work_1>::run";
  to << "}};\n}\n\n";
}

}  // namespace tessera::testing
