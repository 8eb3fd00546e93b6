// SPDX-License-Identifier: BSD-3-Clause
// What holds for all calls: the number of threads.
#pragma once

namespace tessera::python {

/// Threads of calls that name none; 0: as OpenMP says.
int default_threads();

}  // namespace tessera::python
