// SPDX-License-Identifier: BSD-3-Clause
// What the kernel of a fused chain is called with.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// Inputs of a chain's steps beside the chained one, those shared by all elements and those of each element apart.
inline constexpr int most_tables = 16, most_streams = 8;

template <class T>
struct chain_arguments {
  const T* in;
  T* out;
  index_t in_apart, out_apart;  // entries between elements
  const T* table[most_tables];
  const T* stream[most_streams];
  T alpha, beta;
  index_t whole;     // blocks of as many elements as the kernel takes at a time
  index_t elements;  // of the batch: those that are left have a block each
};

}  // namespace tessera::device
