// SPDX-License-Identifier: BSD-3-Clause
// Declares what the instruction sets' translation units define: the kernels of batched_cholesky.
#pragma once

#include <tessera/cpu/detail/cholesky.hpp>

namespace tessera::detail {

/// Defined in cholesky_<isa>_<type>.cpp.
template <target isa, class T>
const cholesky_kernels<T>& cholesky_table();

}  // namespace tessera::detail
