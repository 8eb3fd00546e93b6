// SPDX-License-Identifier: BSD-3-Clause
// Entries of every scalar type of the C API to and from complex doubles, written without the library's own code.
#pragma once

#include <complex>
#include <cstddef>

#include <tessera/tessera.h>

namespace fuzz {

using number = std::complex<double>;

std::size_t bytes_of(tessera_type type);  // 0 where there is no such type
bool is_complex(tessera_type type);
number read_entry(tessera_type type, const void* at);
void write_entry(tessera_type type, void* at, number value);  // small integers exactly; NaN as NaN
/// Whether `got` is `exact` rounded once to the type. Sums of small integers are exact, whatever their order.
bool is_rounded(tessera_type type, number got, number exact);

}  // namespace fuzz
