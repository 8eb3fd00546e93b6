// SPDX-License-Identifier: BSD-3-Clause
// The targets and types that kernel tests are repeated for, as types, and their rows on this machine.
#pragma once

#include <string>

#include <tessera/cpu/rows.hpp>

#include "testing/skip.hpp"

namespace tessera::testing {

template <target where, class T>
struct isa_type {
  static constexpr target isa = where;
  using type = T;

  /// nullptr, with the test case counted as skipped, where the build or the machine lacks the target.
  static const isa_rows* rows() {
    const isa_rows* found = rows_of(where);
    if (found != nullptr && is_available(where)) return found;
    skip(std::string(name_of(where)) + (found == nullptr ? " is not in this build" : " is not on this machine"));
    return nullptr;
  }
};

using reference_f32 = isa_type<target::reference, float>;
using reference_f64 = isa_type<target::reference, double>;
using sse2_f32 = isa_type<target::sse2, float>;
using sse2_f64 = isa_type<target::sse2, double>;
using avx2_f32 = isa_type<target::avx2, float>;
using avx2_f64 = isa_type<target::avx2, double>;
using avx512_f32 = isa_type<target::avx512, float>;
using avx512_f64 = isa_type<target::avx512, double>;
using neon_f32 = isa_type<target::neon, float>;
using neon_f64 = isa_type<target::neon, double>;

}  // namespace tessera::testing
