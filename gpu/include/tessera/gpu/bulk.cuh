// SPDX-License-Identifier: BSD-3-Clause
// Moving one contiguous chunk between global and shared memory: by the bulk copy engine from sm_90 on, by plain loads before.
#pragma once

#include <nv/target>

#include <tessera/core/types.hpp>

namespace tessera::device {

/// A chunk whose 16-byte pieces go through the copy engine; the entries before the first and behind the last whole piece
/// go by hand. In shared memory the chunk starts at the same place inside a 16-byte piece as in global memory.
template <class T>
struct chunk {
  static constexpr int piece = 16 / int(sizeof(T));
  int phase, head, body, count;  // entries

  __device__ chunk(const T* global, int entries) : count(entries) {
    phase = int(reinterpret_cast<unsigned long long>(global) % 16 / sizeof(T));
    head = min(entries, (piece - phase) % piece);
    body = (entries - head) / piece * piece;
  }
  __device__ int body_bytes() const { return body * int(sizeof(T)); }
  __device__ int edges() const { return count - body; }
  /// Position of edge entry i.
  __device__ int edge(int i) const { return i < head ? i : i + body; }
};

__device__ inline unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

/// Counts the bytes that are on their way into shared memory; one use. On older architectures there is nothing to count.
struct arrival {
  unsigned long long* barrier;

  __device__ void init() const {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier))
                                                  : "memory");
                                     asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");))
  }
  __device__ void expect(int bytes) const {
    NV_IF_TARGET(NV_PROVIDES_SM_90,
                 (asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                               "r"(bytes)
                               : "memory");))
  }
  __device__ void wait() const {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (unsigned done = 0; while (!done) {
                   asm volatile(
                       "{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                       " selp.u32 %0, 1, 0, p;\n}\n"
                       : "=r"(done)
                       : "r"(shared_address(barrier))
                       : "memory");
                 }))
  }
};

/// Called by every thread; the chunk is there after a barrier of the block and after `arrived.wait()`.
template <class T>
__device__ void load_chunk(T* shared, const T* global, const chunk<T>& part, const arrival& arrived) {
  NV_IF_ELSE_TARGET(
      NV_PROVIDES_SM_90,
      (if (threadIdx.x == 0 && part.body > 0) asm volatile(
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
               shared_address(shared + part.head)),
           "l"(global + part.head), "r"(part.body_bytes()), "r"(shared_address(arrived.barrier))
           : "memory");
       for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) shared[part.edge(i)] = global[part.edge(i)];),
      (for (int i = threadIdx.x; i < part.count; i += blockDim.x) shared[i] = global[i];))
}

/// Every thread calls this between its last write to the chunk and the barrier before `store_chunk`.
__device__ inline void before_store() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("fence.proxy.async.shared::cta;" ::: "memory");))
}

/// Called by every thread, once, as the block's last access to the chunk.
template <class T>
__device__ void store_chunk(T* global, const T* shared, const chunk<T>& part) {
  NV_IF_ELSE_TARGET(
      NV_PROVIDES_SM_90,
      (if (threadIdx.x == 0 && part.body > 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global + part.head),
                     "r"(shared_address(shared + part.head)), "r"(part.body_bytes())
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      } for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) global[part.edge(i)] = shared[part.edge(i)];
       if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");),
      (for (int i = threadIdx.x; i < part.count; i += blockDim.x) global[i] = shared[i];))
}

}  // namespace tessera::device
