// SPDX-License-Identifier: BSD-3-Clause
// Rules that were found by measuring on an H200: sums of x.y pay where each thread has points of one element, elements
// have many threads, and the shared memory that sums take leaves as many blocks and as much L1.
#include "dot_rules.hpp"

#include <algorithm>
#include <utility>

#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>

namespace tessera::detail {

namespace {

// How many blocks a multiprocessor has at once, and the KiB that shared memory takes from L1 for them: one of a few
// sizes.
std::pair<int, int> in_multiprocessor(int shared_bytes, int registers, int threads, const gpu_limits& m) {
  const int warps = (threads + 31) / 32, of_warp = (32 * registers + 255) / 256 * 256;
  const int of_block = shared_bytes + m.reserved_bytes;
  const int blocks =
      std::min({m.registers / (warps * of_warp), m.all_threads / threads, m.blocks, m.all_shared_bytes / of_block});
  const int all_kib = m.all_shared_bytes / 1024;
  for (const int kib : {8, 16, 32, 64, 100, 132, 164, 196})
    if (kib < all_kib && blocks * of_block <= kib * 1024) return {blocks, kib};
  return {blocks, all_kib};
}

}  // namespace

bool may_sum_dots(const element_kernel_facts& f, const element_tuning& t) {
  constexpr int most_of_small = 16;
  return !t.by_warp && device::threads_of_element_at_points(f.points, f.dim, t.together, t.by_plane) > most_of_small;
}

bool sums_dots_faster(const element_tuning& t, int shared_bytes, int registers, const gpu_limits& m) {
  return in_multiprocessor(shared_bytes, registers, t.threads, m) ==
         in_multiprocessor(shared_bytes + device::dot_bytes(t.threads), registers, t.threads, m);
}

}  // namespace tessera::detail
