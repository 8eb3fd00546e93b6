// SPDX-License-Identifier: BSD-3-Clause
// A kernel whose neighbouring threads load and store entries that are a stride apart.
#pragma once

namespace tessera::bench::device {

struct strided_arrays {
  const float* from = nullptr;
  float* to = nullptr;
  unsigned entries = 0;  // of each, a power of 2
};

/// to[i] = from[i] + shift for the entry i of each of `entries` threads; queued on the default stream.
void strided_pass(const strided_arrays& arrays, unsigned stride, bool masked, float shift);

}  // namespace tessera::bench::device
