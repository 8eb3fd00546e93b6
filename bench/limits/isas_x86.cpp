// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets of an x86-64 machine that the limit kernels know.
#include "limits/isa.hpp"

namespace tessera::bench {

std::vector<const isa_kernels*> available_isas() {
  std::vector<const isa_kernels*> all{&sse2_kernels()};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back(&avx2_kernels());
  if (__builtin_cpu_supports("avx512f")) all.push_back(&avx512_kernels());
  return all;
}

}  // namespace tessera::bench
