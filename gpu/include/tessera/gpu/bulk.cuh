// SPDX-License-Identifier: BSD-3-Clause
// Moving one contiguous chunk between global and shared memory: by the bulk copy engine from sm_90 on, by plain loads
// before.
#pragma once

#include <nv/target>

#include <tessera/core/types.hpp>

namespace tessera::device {

/// A chunk whose 16-byte pieces go through the copy engine; the entries before the first and behind the last whole
/// piece go by hand. In shared memory the chunk starts at the same place inside a 16-byte piece as in global memory.
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

/// True on architectures with the copy engine; folds to a constant.
__device__ inline bool has_bulk_copy() { NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (return true;), (return false;)) }

// One instruction each; never called where has_bulk_copy() is false.
namespace ptx {

__device__ inline unsigned address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

// clang-format off
__device__ inline void barrier_init([[maybe_unused]] void* barrier) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(address(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");))
}
__device__ inline void barrier_expect([[maybe_unused]] void* barrier, [[maybe_unused]] int bytes) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(address(barrier)), "r"(bytes) : "memory");))
}
__device__ inline bool barrier_passed([[maybe_unused]] void* barrier) {
  unsigned done = 1;
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n selp.u32 %0, 1, 0, p;\n}\n"
                 : "=r"(done) : "r"(address(barrier)) : "memory");))
  return done != 0;
}
__device__ inline void bulk_load([[maybe_unused]] void* shared, [[maybe_unused]] const void* global,
                                 [[maybe_unused]] int bytes, [[maybe_unused]] void* barrier) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(address(shared)), "l"(global), "r"(bytes), "r"(address(barrier)) : "memory");))
}
__device__ inline void bulk_store([[maybe_unused]] void* global, [[maybe_unused]] const void* shared,
                                  [[maybe_unused]] int bytes) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 :: "l"(global), "r"(address(shared)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");))
}
__device__ inline void bulk_store_has_read() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");))
}
__device__ inline void writes_before_bulk() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("fence.proxy.async.shared::cta;" ::: "memory");))
}
// clang-format on

}  // namespace ptx

/// Counts the bytes that are on their way into shared memory; one use. One thread calls init and expect.
struct arrival {
  unsigned long long* barrier;

  __device__ void init() const { ptx::barrier_init(barrier); }
  __device__ void expect(int bytes) const { ptx::barrier_expect(barrier, bytes); }
  __device__ void wait() const {
    while (!ptx::barrier_passed(barrier)) {
    }
  }
};

/// Moves the chunk by every thread: whole pieces as one access each, the edges entry by entry.
template <class T>
__device__ void move_by_threads(T* to, const T* from, const chunk<T>& part) {
  for (int i = threadIdx.x; i < part.body / chunk<T>::piece; i += blockDim.x)
    reinterpret_cast<int4*>(to + part.head)[i] = reinterpret_cast<const int4*>(from + part.head)[i];
  for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) to[part.edge(i)] = from[part.edge(i)];
}

/// Called by every thread; the chunk is there after a barrier of the block and after `arrived.wait()`.
template <class T>
__device__ void load_chunk(T* shared, const T* global, const chunk<T>& part, const arrival& arrived) {
  if (!has_bulk_copy()) return move_by_threads(shared, global, part);
  if (threadIdx.x == 0 && part.body > 0)
    ptx::bulk_load(shared + part.head, global + part.head, part.body_bytes(), arrived.barrier);
  for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) shared[part.edge(i)] = global[part.edge(i)];
}

/// Every thread calls this between its last write to the chunk and the barrier before `store_chunk`.
__device__ inline void before_store() { ptx::writes_before_bulk(); }

/// Called by every thread, once, as the block's last access to the chunk.
template <class T>
__device__ void store_chunk(T* global, const T* shared, const chunk<T>& part) {
  if (!has_bulk_copy()) return move_by_threads(global, shared, part);
  const bool first = threadIdx.x == 0 && part.body > 0;
  if (first) ptx::bulk_store(global + part.head, shared + part.head, part.body_bytes());
  for (int i = threadIdx.x; i < part.edges(); i += blockDim.x) global[part.edge(i)] = shared[part.edge(i)];
  if (first) ptx::bulk_store_has_read();  // the block's shared memory is given away at its end
}

}  // namespace tessera::device
