// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel: a block takes a few elements through the phases of a share.
#pragma once

#include <tessera/gpu/bulk.cuh>
#include <tessera/gpu/element/by_warp.cuh>
#include <tessera/gpu/element/share.cuh>
#include <tessera/gpu/stream_order.cuh>
#include <tessera/gpu/tensor_core.cuh>

namespace tessera::device {

namespace detail {

/// D of a block's elements on its way to shared memory: by the copy engine where there is one, while the block is busy
/// with x; else by the threads.
template <class Share>
class staged_data {
  static constexpr int bytes = Share::element_bytes;
  static_assert(!Share::staged || bytes % 16 == 0, "whole pieces of 16 bytes");

 public:
  __device__ staged_data(const Share& share, unsigned char* to, unsigned long long* barrier) : arrival_{barrier} {
    const int present = share.present();
    if (has_bulk_copy()) {
      if (threadIdx.x != 0) return;
      arrival_.init();
      arrival_.expect(present * bytes);
      if (share.listed())
        for (int e = 0; e < present; ++e) ptx::bulk_load(to + e * bytes, share.data_of(e), bytes, barrier);
      else if (present > 0)
        ptx::bulk_load(to, share.data_of(0), present * bytes, barrier);
    } else {
      for (int e = 0; e < present; ++e)
        for (int i = int(threadIdx.x); i < bytes / 16; i += Share::threads)
          reinterpret_cast<int4*>(to + e * bytes)[i] = reinterpret_cast<const int4*>(share.data_of(e))[i];
    }
  }
  /// After a barrier of the block at least.
  __device__ void wait() const {
    if (has_bulk_copy()) arrival_.wait();
  }

 private:
  arrival arrival_;
};

template <class Share, class Ready, int number = 0>
__device__ inline void go_through(Share& share, int round, const Ready& ready) {
  if constexpr (number == Share::data_phase) ready();
  share.template run<number>(round);
  if constexpr (number + 1 < Share::phases) {
    __syncthreads();
    go_through<Share, Ready, number + 1>(share, round, ready);
  }
}

template <int number = 0, class Share>
__device__ inline void go_through_steps(Share& share) {
  if constexpr (number < Share::steps_before) {
    share.template before<number>();
    __syncthreads();
    go_through_steps<number + 1>(share);
  }
}

template <class Share, class Ready>
__device__ inline void go_through_rounds(Share& share, const Ready& ready) {
  go_through_steps(share);
  const int rounds = share.rounds();
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) __syncthreads();
    go_through(share, round, ready);
  }
}

}  // namespace detail

/// Where staged D and the barrier of its arrival lie behind the cubes, in bytes.
template <class Share>
inline constexpr int staged_place = (Share::shared_entries * int(sizeof(typename Share::value_type)) + 15) / 16 * 16;

/// Share: an element_share. Blocks are numbered along x, then y.
template <class Share>
__global__ void __launch_bounds__(Share::threads, Share::blocks)
    evaluate_elements(const __grid_constant__ typename Share::arguments a,
                      const __grid_constant__ typename Share::tables constants,
                      const __grid_constant__ typename Share::function function) {
  using T = typename Share::value_type;
  extern __shared__ __align__(16) unsigned char shared[];
  take_turn();
  unsigned char* const staged = shared + staged_place<Share>;
  Share share(a, constants, function, reinterpret_cast<T*>(shared),
              reinterpret_cast<const typename Share::source_type*>(staged),
              blockIdx.x + index_t(gridDim.x) * blockIdx.y, int(threadIdx.x));
  if constexpr (Share::staged) {
    static_assert(Share::data_phase > 0, "a barrier stands between the copy's start and its end");
    const detail::staged_data<Share> data(
        share, staged, reinterpret_cast<unsigned long long*>(staged + Share::elements_of_block * Share::element_bytes));
    detail::go_through_rounds(share, [&] { data.wait(); });
  } else {
    detail::go_through_rounds(share, [] {});
  }
}

}  // namespace tessera::device
