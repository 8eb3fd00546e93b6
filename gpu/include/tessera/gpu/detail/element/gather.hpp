// SPDX-License-Identifier: BSD-3-Clause
// From L-vectors to E-vectors, in device memory.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// Entry i of element e is number codes[i + entries e] of component 0 (number_codes.hpp), none is left out.
template <class T, class Index>
struct gather_arguments {
  const T* x = nullptr;
  T* E = nullptr;
  const Index* codes = nullptr;
  index_t elements = 0, entries = 0, component = 0;
  int components = 1;
};

/// Queues E[i + entries (c + components e)] = x at that entry.
template <class T, class Index>
void gather_entries(const gather_arguments<T, Index>& a, void* stream);

}  // namespace tessera::device
