// SPDX-License-Identifier: BSD-3-Clause
// What holds for all calls: the number of threads.
#pragma once

#include <string>

namespace tessera::python {

/// Threads of calls that name none; 0: as OpenMP says.
int default_threads();

/// The library's text about a machine without a GPU, which names what there is in C++.
std::string no_gpu_text(std::string why_no_gpu);

}  // namespace tessera::python
