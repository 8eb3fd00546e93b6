// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that a build for x86-64 compiles.
#include "tables.hpp"

namespace tessera {

namespace {
constexpr compiled_isa isas[] = {
    {&compiled_rows<target::sse2, float>, &compiled_rows<target::sse2, double>},
    {&compiled_rows<target::avx2, float>, &compiled_rows<target::avx2, double>},
    {&compiled_rows<target::avx512, float>, &compiled_rows<target::avx512, double>},
};
}  // namespace

std::span<const compiled_isa> compiled_isas() { return isas; }

}  // namespace tessera
