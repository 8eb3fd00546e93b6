// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel: a block takes a few elements through the phases of a share.
#pragma once

#include <tessera/gpu/bulk.cuh>
#include <tessera/gpu/element/by_plane.cuh>
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

/// Asks the copy engine for what comes in as one piece, but its ends.
template <class Piece>
__device__ inline void load_piece(const Piece& piece, arrival at) {
  const int bytes = piece.sixteens() * 16;
  at.expect(bytes);
  if (bytes > 0) ptx::bulk_load(piece.inside() + piece.head(), piece.memory + piece.head(), bytes, at.barrier);
}
template <class Piece>
__device__ inline void store_piece(const Piece& piece) {
  const int bytes = piece.sixteens() * 16;
  if (bytes > 0) ptx::bulk_store(piece.memory + piece.head(), piece.inside() + piece.head(), bytes);
}

/// x, y and perhaps D of each batch in one piece; two barriers a batch say what has arrived.
template <class Share>
__device__ inline void go_through_batches(Share& share, unsigned long long* barriers) {
  const bool engine = Share::packed == 2 && has_bulk_copy(), stores = engine && !share.adds();
  const auto arrived = [&](int batch, int which) { return arrival{barriers + 2 * batch + which}; };
  if (engine && threadIdx.x == 0) {
#pragma unroll 1
    for (int batch = 0; batch < Share::batches; ++batch) {
      arrived(batch, 0).init();
      if constexpr (Share::staged) arrived(batch, 1).init();
    }
#pragma unroll 1
    for (int batch = 0; batch < Share::batches; ++batch) {
      load_piece(share.x_piece(batch), arrived(batch, 0));
      if constexpr (Share::staged) load_piece(share.data_piece(batch), arrived(batch, 1));
    }
  }
  share.fetch(engine);
  __syncthreads();
#pragma unroll 1
  for (int batch = 0; batch < Share::batches && share.present_in(batch) > 0; ++batch) {
    share.begin(batch);
    if (engine) arrived(batch, 0).wait();
    go_through(share, 0, [&] {
      if constexpr (Share::staged)
        if (engine) arrived(batch, 1).wait();
    });
    if (stores) ptx::writes_before_bulk();
    __syncthreads();
    if (stores && threadIdx.x == 0) store_piece(share.y_piece(batch));
    share.deliver(stores);
  }
  if (stores && threadIdx.x == 0) ptx::bulk_store_has_read();
}

}  // namespace detail

/// Where staged D and the barrier of its arrival lie behind the cubes, in bytes.
template <class Share>
inline constexpr int staged_place = (Share::shared_entries * int(sizeof(typename Share::value_type)) + 15) / 16 * 16;

/// Where D in pieces lies: behind x and y.
template <class Share>
constexpr int data_place() {
  if constexpr (Share::packed > 0)
    return staged_place<Share> + Share::batches * Share::vector_bytes;
  else
    return staged_place<Share>;
}
template <class Share>
inline constexpr int arrivals_place = data_place<Share>() + (Share::staged ? Share::batches * Share::data_bytes : 0);

/// Share: an element_share. Blocks are numbered along x, then y.
template <class Share>
__global__ void __launch_bounds__(Share::threads, Share::blocks)
    evaluate_elements(const __grid_constant__ typename Share::arguments a,
                      const __grid_constant__ typename Share::tables constants,
                      const __grid_constant__ typename Share::function function) {
  using T = typename Share::value_type;
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  unsigned char* const staged = shared + data_place<Share>();
  Share share(a, constants, function, reinterpret_cast<T*>(shared),
              reinterpret_cast<const typename Share::source_type*>(staged),
              blockIdx.x + index_t(gridDim.x) * blockIdx.y, int(threadIdx.x));
  if constexpr (Share::packed > 0) {
    share.set_room(reinterpret_cast<T*>(shared + staged_place<Share>));
    detail::go_through_batches(share, reinterpret_cast<unsigned long long*>(shared + arrivals_place<Share>));
  } else if constexpr (Share::staged) {
    static_assert(Share::data_phase > 0, "a barrier stands between the copy's start and its end");
    const detail::staged_data<Share> data(
        share, staged, reinterpret_cast<unsigned long long*>(staged + Share::elements_of_block * Share::element_bytes));
    detail::go_through_rounds(share, [&] { data.wait(); });
  } else {
    detail::go_through_rounds(share, [] {});
  }
}

}  // namespace tessera::device
