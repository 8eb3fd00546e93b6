// SPDX-License-Identifier: BSD-3-Clause
// Lets a test case say that this machine cannot run it (no GPU, no such instruction set); it is counted as skipped.
#pragma once

#include <string_view>

namespace tessera::testing {

/// Call it and return from the test case: version 2 of Catch2 has no SKIP of its own. main() exits with
/// `skipped_exit_code` where every test case that ran was skipped and none failed, which ctest counts.
void skip(std::string_view reason);

inline constexpr int skipped_exit_code = 4;

}  // namespace tessera::testing
