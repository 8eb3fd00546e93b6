// SPDX-License-Identifier: BSD-3-Clause
// The kernel that applies an element operator: a block takes a few elements through the phases of a program.
#pragma once

#include <tessera/gpu/detail/bulk.cuh>
#include <tessera/gpu/detail/element/by_plane.cuh>
#include <tessera/gpu/detail/element/by_warp.cuh>
#include <tessera/gpu/detail/element/collocated.cuh>
#include <tessera/gpu/detail/element/direct.cuh>
#include <tessera/gpu/detail/element/dots.cuh>
#include <tessera/gpu/detail/element/l_vector_atomics.cuh>
#include <tessera/gpu/detail/stream_order.cuh>
#include <tessera/gpu/detail/tensor_core.cuh>

namespace tessera::device {

namespace detail {

/// Copies D of a block's elements to shared memory: by the copy engine where there is one, while the block computes
/// with x; else by the threads.
template <class Program>
class staged_data {
  static constexpr int bytes = Program::element_bytes;
  static_assert(!Program::staged || bytes % 16 == 0, "whole pieces of 16 bytes");

 public:
  __device__ staged_data(const Program& program, unsigned char* to, unsigned long long* barrier) : arrival_{barrier} {
    const int present = program.present();
    if (has_bulk_copy()) {
      if (threadIdx.x != 0) return;
      arrival_.init();
      arrival_.expect(present * bytes);
      if (program.listed())
        for (int e = 0; e < present; ++e) ptx::bulk_load(to + e * bytes, program.data_of(e), bytes, barrier);
      else if (present > 0)
        ptx::bulk_load(to, program.data_of(0), present * bytes, barrier);
    } else {
      for (int e = 0; e < present; ++e)
        for (int i = int(threadIdx.x); i < bytes / 16; i += Program::threads)
          reinterpret_cast<int4*>(to + e * bytes)[i] = reinterpret_cast<const int4*>(program.data_of(e))[i];
    }
  }
  /// After a barrier of the block at least.
  __device__ void wait() const {
    if (has_bulk_copy()) arrival_.wait();
  }

 private:
  arrival arrival_;
};

/// All phases, a barrier between them; data_arrives() before the first one that reads D, in which the function is
/// called. Dots are summed in the phase after it.
template <class Program, class DataArrives, class Dots, int number = 0>
__device__ inline void run_phases(Program& program, int round, const DataArrives& data_arrives, const Dots& dots) {
  constexpr bool sums = Dots::wanted && number == Program::data_phase;
  if constexpr (number == Program::data_phase) data_arrives();
  program.template run<number>(round);
  if constexpr (sums) dots.put();
  if constexpr (sums || number + 1 < Program::phases) __syncthreads();
  if constexpr (sums) dots.sum();
  if constexpr (number + 1 < Program::phases)
    run_phases<Program, DataArrives, Dots, number + 1>(program, round, data_arrives, dots);
}

template <int number = 0, class Program>
__device__ inline void run_steps_before(Program& program) {
  if constexpr (number < Program::steps_before) {
    program.template before<number>();
    __syncthreads();
    run_steps_before<number + 1>(program);
  }
}

template <class Program, class DataArrives, class Dots>
__device__ inline void run_rounds(Program& program, const DataArrives& data_arrives, const Dots& dots) {
  run_steps_before(program);
  const int rounds = program.rounds();
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) __syncthreads();
    run_phases(program, round, data_arrives, dots);
  }
}

/// By the copy engine: a piece without its ends.
template <class Piece>
__device__ inline void bulk_load_piece(const Piece& piece, arrival at) {
  const int bytes = piece.sixteens() * 16;
  at.expect(bytes);
  if (bytes > 0) ptx::bulk_load(piece.copy() + piece.head(), piece.global + piece.head(), bytes, at.barrier);
}
template <class Piece>
__device__ inline void bulk_store_piece(const Piece& piece) {
  const int bytes = piece.sixteens() * 16;
  if (bytes > 0) ptx::bulk_store(piece.global + piece.head(), piece.copy() + piece.head(), bytes);
}

/// Elements whose x, y and perhaps D are copied in whole pieces. Each batch has two barriers, on which x and D arrive.
template <class Program>
__device__ inline void run_batches(Program& program, unsigned long long* barriers) {
  const bool bulk_loads = Program::packed == 2 && has_bulk_copy(), bulk_stores = bulk_loads && !program.adds();
  const auto arrived = [&](int batch, int which) { return arrival{barriers + 2 * batch + which}; };
  if (bulk_loads && threadIdx.x == 0) {
#pragma unroll 1
    for (int batch = 0; batch < Program::batches; ++batch) {
      arrived(batch, 0).init();
      if constexpr (Program::staged) arrived(batch, 1).init();
    }
#pragma unroll 1
    for (int batch = 0; batch < Program::batches; ++batch) {
      bulk_load_piece(program.x_piece(batch), arrived(batch, 0));
      if constexpr (Program::staged) bulk_load_piece(program.data_piece(batch), arrived(batch, 1));
    }
  }
  program.load(bulk_loads);
  __syncthreads();
#pragma unroll 1
  for (int batch = 0; batch < Program::batches && program.present_in(batch) > 0; ++batch) {
    program.begin(batch);
    if (bulk_loads) arrived(batch, 0).wait();
    const auto data_arrives = [&] {
      if constexpr (Program::staged)
        if (bulk_loads) arrived(batch, 1).wait();
    };
    run_phases(program, 0, data_arrives, no_dots());
    if (bulk_stores) ptx::writes_before_bulk();
    __syncthreads();
    if (bulk_stores && threadIdx.x == 0) bulk_store_piece(program.y_piece(batch));
    program.store(bulk_stores);
  }
  if (bulk_stores && threadIdx.x == 0) ptx::bulk_store_has_read();
}

// ---- Shared memory, in bytes: the program's cubes, then x and y in pieces, then staged D, then barriers.

template <class Program>
inline constexpr int behind_cubes = (Program::shared_entries * int(sizeof(typename Program::value_type)) + 15) / 16 *
                                    16;

template <class Program>
constexpr int data_offset() {
  if constexpr (Program::packed > 0)
    return behind_cubes<Program> + Program::batches * Program::vector_bytes;
  else
    return behind_cubes<Program>;
}
template <class Program>
inline constexpr int barriers_offset = data_offset<Program>() +
                                       (Program::staged ? Program::batches * Program::data_bytes : 0);

/// All phases of a program that copies no pieces. `staged`: room for D.
template <class Program, class Dots>
__device__ inline void run_program(Program& program, unsigned char* staged, const Dots& dots) {
  if constexpr (Program::staged) {
    static_assert(Program::data_phase > 0, "a barrier is between the copy's start and its end");
    const staged_data<Program> data(
        program, staged,
        reinterpret_cast<unsigned long long*>(staged + Program::elements_of_block * Program::element_bytes));
    run_rounds(
        program, [&] { data.wait(); }, dots);
  } else {
    run_rounds(
        program, [] {}, dots);
  }
}

/// All phases of a block's program around `function`.
template <class Program, class Dots>
__device__ inline void run_block(const typename Program::arguments& a, const typename Program::tables& constants,
                                 const typename Program::function& function, unsigned char* shared, index_t block,
                                 const Dots& dots) {
  using T = typename Program::value_type;
  unsigned char* const staged = shared + data_offset<Program>();
  Program program(a, constants, function, reinterpret_cast<T*>(shared),
                  reinterpret_cast<const typename Program::source_type*>(staged), block, int(threadIdx.x));
  if constexpr (Program::packed > 0) {
    program.set_vector_pieces(reinterpret_cast<T*>(shared + behind_cubes<Program>));
    run_batches(program, reinterpret_cast<unsigned long long*>(shared + barriers_offset<Program>));
  } else {
    run_program(program, staged, dots);
  }
}

}  // namespace detail

/// Program: what a thread does, a class of lines, planes or warps, perhaps with nodes. Blocks are numbered along x,
/// then y.
template <class Program>
__global__ void __launch_bounds__(Program::threads, Program::blocks)
    evaluate_elements(const __grid_constant__ typename Program::arguments a,
                      const __grid_constant__ typename Program::tables constants,
                      const __grid_constant__ typename launched_with<typename Program::function>::type function) {
  using Function = typename Program::function;
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  const index_t block = blockIdx.x + index_t(gridDim.x) * blockIdx.y;
  if constexpr (sums_dots<Function>) {
    double own = 0;
    const Function summing{function, own};
    const dots_of_block<Program> dots{a, own, reinterpret_cast<double*>(shared), block};
    detail::run_block<Program>(a, constants, summing, shared + dots.bytes, block, dots);
  } else {
    detail::run_block<Program>(a, constants, function, shared, block, no_dots());
  }
}

}  // namespace tessera::device
