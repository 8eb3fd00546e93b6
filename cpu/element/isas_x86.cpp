// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that a build for x86-64 compiles element kernels for.
#include "tables.hpp"

namespace tessera {

namespace {
constexpr compiled_element_isa element_isas[] = {
    {target::sse2, &compiled_element_kernels<target::sse2, float>, &compiled_element_kernels<target::sse2, double>},
    {target::avx2, &compiled_element_kernels<target::avx2, float>, &compiled_element_kernels<target::avx2, double>},
    {target::avx512, &compiled_element_kernels<target::avx512, float>,
     &compiled_element_kernels<target::avx512, double>},
};
}  // namespace

std::span<const compiled_element_isa> compiled_element_isas() { return element_isas; }

}  // namespace tessera
