// SPDX-License-Identifier: BSD-3-Clause
// The facts of tessera-info, a section each, by the public API alone.
#pragma once

#include "report.hpp"

namespace tessera::info {

section build_facts();        // version, compiler, instruction sets
section cpu_facts();          // the processor, the instruction set chosen for it, threads
section gpu_facts();          // the GPU, or the reason why there is none; NVRTC
section record_facts();       // tuning records that were built in, and the file in front of them
section cache_facts();        // kernels compiled at run time
section environment_facts();  // the variables that matter, where they are set

}  // namespace tessera::info
