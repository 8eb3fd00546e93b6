// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that a build for 64-bit ARM compiles element kernels for.
#include "tables.hpp"

namespace tessera {

namespace {
constexpr compiled_element_isa element_isas[] = {
    {target::neon, &compiled_element_kernels<target::neon, float>, &compiled_element_kernels<target::neon, double>},
};
}  // namespace

std::span<const compiled_element_isa> compiled_element_isas() { return element_isas; }

}  // namespace tessera
