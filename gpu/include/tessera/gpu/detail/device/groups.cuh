// SPDX-License-Identifier: BSD-3-Clause
// Groups of threads that work together on one small tensor: a thread, some lanes of a warp, a warp, a block.
#pragma once

#include <tessera/gpu/detail/device/member.hpp>

namespace tessera::device {

/// This thread's number in its block, whatever the block's shape.
__device__ inline int number_in_block() {
  return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

/// All groups have: size(); rank(), this thread's number in its group; index(), the group's number in its block; and
/// sync(), after which all threads of the group see what any of them wrote before.
struct this_thread {
  static constexpr int size() { return 1; }
  static constexpr int rank() { return 0; }
  __device__ static int index() { return number_in_block(); }
  __device__ static void sync() {}
};

/// N neighbouring lanes of a warp; the other lanes need not take part.
template <int N>
struct lanes {
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "tessera: lanes: 1, 2, 4, 8, 16 or 32 of them make a group");

  static constexpr int size() { return N; }
  __device__ static int rank() { return lane() % N; }
  __device__ static int index() { return number_in_block() / N; }
  __device__ static void sync() { __syncwarp((N == 32 ? ~0u : (1u << N % 32) - 1) << lane() / N * N); }

 private:
  __device__ static int lane() {
    int number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    return number;
  }
};

using warp = lanes<32>;

/// All threads of the block. A known size gives better code: block<128>, which must be the actual size.
template <int Threads = 0>
struct block {
  static_assert(Threads >= 1 && Threads <= 1024, "tessera: block: 1 to 1024 threads");

  static constexpr int size() { return Threads; }
  __device__ static int rank() { return number_in_block(); }
  static constexpr int index() { return 0; }
  __device__ static void sync() { __syncthreads(); }
};
template <>
struct block<0> {
  __device__ static int size() { return int(blockDim.x * blockDim.y * blockDim.z); }
  __device__ static int rank() { return number_in_block(); }
  static constexpr int index() { return 0; }
  __device__ static void sync() { __syncthreads(); }
};

/// The calling thread's number in any group.
template <thread_group Group>
__device__ auto member_of(const Group& g) {
  const auto rank = [&] {
    if constexpr (requires { g.rank(); })
      return int(g.rank());
    else
      return int(g.thread_rank());
  };
  if constexpr (counted_by_type<Group>)
    return member<int(Group::size())>{rank()};
  else
    return member<0>{rank(), int(g.size())};
}

}  // namespace tessera::device
