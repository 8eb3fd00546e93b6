// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that a build for 64-bit Arm compiles.
#include "tables.hpp"

namespace tessera {

namespace {
constexpr compiled_isa isas[] = {
    {&compiled_rows<target::neon, float>, &compiled_rows<target::neon, double>},
};
}  // namespace

std::span<const compiled_isa> compiled_isas() { return isas; }

}  // namespace tessera
