// SPDX-License-Identifier: BSD-3-Clause
// Runs lists of contractions and chains on a CPU and compares all of their memory.
#pragma once

#include <vector>

#include <tessera/executor.hpp>

#include "testing/catch.hpp"
#include "testing/listed.hpp"

namespace tessera::testing {

/// Runs the list twice over fresh copies of its memory, and says how the executor did it; everything that the items do
/// not write must be as before.
template <class T>
executor check_list(const listed<T>& list, const plan_options& options = {}) {
  const std::vector<T> wanted = list.after();
  std::vector<T> memory = list.memory();
  const executor all(list.over(memory.data()), options);
  for (int again = 0; again < 2; ++again) {
    memory = list.memory();
    all.run();
    CHECK(memory == wanted);
  }
  return all;
}

}  // namespace tessera::testing
