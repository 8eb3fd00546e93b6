// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a fused chain's kernel.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// Inputs of a chain's steps beside the chained one, those shared by all elements, and those of each element.
inline constexpr int most_tables = 16, most_streams = 8;

template <class T>
struct chain_arguments {
  const T* in;
  T* out;
  index_t in_apart, out_apart;  // entries between elements
  const T* table[most_tables];
  const T* stream[most_streams];
  T alpha, beta;
  index_t whole;     // blocks with the full number of elements
  index_t elements;  // of the batch: the remaining ones have a block each
};

}  // namespace tessera::device
