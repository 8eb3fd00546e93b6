// SPDX-License-Identifier: BSD-3-Clause
// The copy engine between global and shared memory, from sm_90 on: its instructions, one function each.
#pragma once

#include <nv/target>

#include <tessera/core/types.hpp>

namespace tessera::device {

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

/// Counts the bytes of bulk copies into shared memory; single use. One thread calls init and expect.
struct arrival {
  unsigned long long* barrier;

  __device__ void init() const { ptx::barrier_init(barrier); }
  __device__ void expect(int bytes) const { ptx::barrier_expect(barrier, bytes); }
  __device__ void wait() const {
    while (!ptx::barrier_passed(barrier)) {
    }
  }
};

}  // namespace tessera::device
