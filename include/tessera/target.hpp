// SPDX-License-Identifier: BSD-3-Clause
// Where a plan runs: an instruction set of this CPU, the plain reference loops, or the GPU.
#pragma once

#include <string_view>
#include <vector>

namespace tessera {

/// Ordered: within one machine family a later CPU target is preferred over an earlier one.
enum class target { reference, sse2, avx2, avx512, neon, sve256, sve512, cuda };

inline constexpr target all_targets[] = {target::reference, target::sse2,   target::avx2,   target::avx512,
                                         target::neon,      target::sve256, target::sve512, target::cuda};

constexpr const char* name_of(target t) {
  switch (t) {
    case target::reference: return "reference";
    case target::sse2: return "sse2";
    case target::avx2: return "avx2";
    case target::avx512: return "avx512";
    case target::neon: return "neon";
    case target::sve256: return "sve256";
    case target::sve512: return "sve512";
    case target::cuda: return "cuda";
  }
  return "unknown";
}

/// The target of that name; "best" is this machine's best CPU target. Throws status::no_target for an unknown name.
target target_from_name(std::string_view name);

/// True where this build has the target and this machine can run it.
bool is_available(target t);

/// The available targets, in the order of the enumeration.
std::vector<target> available_targets();

/// The CPU target that plans use: TESSERA_TARGET where set to a CPU target (throws if that target is not available),
/// else the best available one. TESSERA_TARGET=cuda leaves CPU plans on the best CPU target.
target default_cpu_target();

}  // namespace tessera
